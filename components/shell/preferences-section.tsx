'use client';

import { useRef, useState } from 'react';
import { runShortcut } from '../shortcuts/use-shortcut';
import { Button } from '../ui/button';
import { Check } from '../ui/check';
import { saveFile } from '../ui/save-file';
import { Segmented } from '../ui/segmented';
import { Field, Input } from '../ui/field';
import {
  DEFAULT_PREFERENCES,
  readPreferences,
  themes,
  type Preferences,
  type Theme,
} from './preferences';
import styles from './preferences.module.css';
import { usePreferences } from './providers';
import { useZoneChooser } from './zone';

const THEME_WORDS: Record<Theme, string> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
};

function Look() {
  const { preferences, prefer } = usePreferences();
  return (
    <div className={styles.row}>
      <Segmented
        label="Theme"
        value={preferences.theme}
        onValue={(theme) => prefer({ theme })}
        options={themes.map((value) => ({ value, label: THEME_WORDS[value] }))}
      />
      <Segmented
        label="Row height"
        value={preferences.density}
        onValue={(density) => prefer({ density })}
        options={[
          { value: 'comfortable', label: 'Comfortable rows' },
          { value: 'dense', label: 'Dense rows' },
        ]}
      />
    </div>
  );
}

function Zone() {
  const { zone, browser, choose } = useZoneChooser();
  const zones = [...new Set(['UTC', browser, zone])];
  return (
    <div className={styles.row}>
      <Segmented
        label="Time zone"
        value={zone}
        onValue={choose}
        options={zones.map((value) => ({
          value,
          label: value === browser && value !== 'UTC' ? `Here: ${value}` : value,
        }))}
      />
    </div>
  );
}

function Landing() {
  const { preferences, prefer } = usePreferences();
  return (
    <Field
      label="The fleet starts with"
      hint="The part of a fleet address after the question mark; empty is the whole fleet."
    >
      {(wiring) => (
        <Input
          {...wiring}
          value={preferences.landing}
          placeholder="env=production&state=open"
          maxLength={500}
          onChange={(event) => prefer({ landing: event.target.value.replace(/^\?/, '') })}
        />
      )}
    </Field>
  );
}

/** What is not preferences leaves them as they are, and says so. */
export function importPreferences(text: string): Preferences | null {
  try {
    const value: unknown = JSON.parse(text);
    const isOurs = typeof value === 'object' && value !== null && 'theme' in value;
    return isOurs ? readPreferences(value) : null;
  } catch {
    return null;
  }
}

function Carry() {
  const { preferences, prefer } = usePreferences();
  const file = useRef<HTMLInputElement>(null);
  const [failed, setFailed] = useState(false);
  const take = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const read = importPreferences(await chosen.text());
    setFailed(read === null);
    if (read !== null) prefer(read);
  };
  const save = () => {
    const text = `${JSON.stringify(preferences, null, 2)}\n`;
    saveFile(new Blob([text], { type: 'application/json' }), 'recloser-preferences.json');
  };
  return (
    <div className={styles.row}>
      <Button onClick={save}>Export</Button>
      <Button onClick={() => file.current?.click()}>Import …</Button>
      <Button kind="quiet" onClick={() => prefer(DEFAULT_PREFERENCES)}>
        Back to the defaults
      </Button>
      <input
        ref={file}
        type="file"
        accept="application/json"
        aria-label="File with preferences"
        className="visually-hidden"
        tabIndex={-1}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      {failed && (
        <p role="alert" className={styles.problem}>
          This file has no preferences of this console. Nothing was changed.
        </p>
      )}
    </div>
  );
}

/** Of this person on this device; nobody else is affected. [U-49] */
export function PreferencesSection() {
  const { preferences, prefer } = usePreferences();
  return (
    <div className={styles.preferences}>
      <p className={styles.hint}>
        Kept in this browser, for you. Export them to take them to another one.
      </p>
      <Look />
      <Zone />
      <div className={styles.row}>
        <Check checked={preferences.singleKeys} onChecked={(singleKeys) => prefer({ singleKeys })}>
          Keys without Ctrl or Cmd
        </Check>
        <Button size="small" kind="quiet" onClick={() => runShortcut('help')}>
          Show and change keys
        </Button>
      </div>
      <Landing />
      <Carry />
    </div>
  );
}
