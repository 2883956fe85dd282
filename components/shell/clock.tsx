'use client';

import { useServerNow } from '@/lib/client/use-live';
import { useState } from 'react';
import { Button } from '../ui/button';
import { Field, Input } from '../ui/field';
import { formatBoth, formatClock, formatInstant, formatOffset } from '../ui/format';
import { Kbd } from '../ui/kbd';
import { Popover } from '../ui/popover';
import { useKeys } from '../shortcuts/use-shortcut';
import { isZone, offsetMinutes, UTC } from '../ui/zone';
import styles from './clock.module.css';
import { useZoneChooser } from './zone';

const zones = (): string[] => ['UTC', ...Intl.supportedValuesOf('timeZone')];

type ChoiceProps = { name: string; zone: string; now: number };

function Choice({ name, zone, now }: ChoiceProps) {
  const chooser = useZoneChooser();
  return (
    <button
      type="button"
      className={styles.choice}
      aria-pressed={chooser.zone === zone}
      onClick={() => chooser.choose(zone)}
    >
      <span className={styles.choiceName}>{name}</span>
      <time className={styles.choiceTime}>{formatInstant(now, zone)}</time>
    </button>
  );
}

function Other() {
  const { choose } = useZoneChooser();
  const [text, setText] = useState('');
  const problem =
    text === '' || isZone(text) ? null : 'Not a zone: write one such as Europe/Berlin.';
  return (
    <form
      className={styles.other}
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== '' && problem === null) choose(text === UTC ? 'utc' : text);
      }}
    >
      <Field label="Another zone" error={problem}>
        {(wiring) => (
          <span className={styles.otherRow}>
            <Input
              {...wiring}
              list="recloser-zones"
              value={text}
              placeholder="Asia/Kathmandu"
              autoComplete="off"
              onChange={(event) => setText(event.target.value.trim())}
            />
            <Button type="submit" disabled={text === '' || problem !== null}>
              Use
            </Button>
          </span>
        )}
      </Field>
      <datalist id="recloser-zones">
        {zones().map((zone) => (
          <option key={zone} value={zone}>
            {zone}
          </option>
        ))}
      </datalist>
    </form>
  );
}

function Zones({ now }: { now: number }) {
  const { zone, browser } = useZoneChooser();
  const { keys } = useKeys('zone');
  return (
    <div className={styles.zones}>
      <Choice name="UTC" zone={UTC} now={now} />
      {browser !== UTC && <Choice name={`Here: ${browser}`} zone={browser} now={now} />}
      {zone !== UTC && zone !== browser && <Choice name={zone} zone={zone} now={now} />}
      <Other />
      <p className={styles.hint}>
        <Kbd caps={[keys]} /> goes through them. Exports are always in UTC; a link keeps the zone.
      </p>
    </div>
  );
}

const short = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** The server's time in the chosen zone; it stands still when the server is not heard. */
export function ServerClock() {
  const now = useServerNow();
  const { zone } = useZoneChooser();
  if (now === null) return <span className={styles.clock}>--:--:-- UTC</span>;
  const offset = offsetMinutes(zone, now);
  const text = formatClock(now, zone).slice(0, 8);
  return (
    <Popover
      title="Time zone"
      trigger={
        <button type="button" className={styles.clock} title={`Server time\n${formatBoth(now)}`}>
          <time dateTime={new Date(now).toISOString()}>
            {text.slice(0, 5)}
            <span className={styles.seconds}>{text.slice(5)}</span>
          </time>{' '}
          <span className={styles.zone}>
            {zone === UTC ? 'UTC' : formatOffset(offset)}
            {zone !== UTC && <span className={styles.place}> {short(zone)}</span>}
          </span>
          <span className="visually-hidden">{`. Server time in ${zone}. Change the time zone`}</span>
        </button>
      }
    >
      <Zones now={now} />
    </Popover>
  );
}
