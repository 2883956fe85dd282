'use client';

import { useState } from 'react';
import { usePreferences } from '../shell/providers';
import { Check } from '../ui/check';
import { Dialog } from '../ui/dialog';
import { Kbd } from '../ui/kbd';
import { keysOf, LIST_KEYS, SHORTCUTS, type Shortcut, type ShortcutGroup } from './catalogue';
import { isApple, isSingleKey, keycaps } from './chord';
import { KeyEditor } from './key-editor';
import styles from './help.module.css';
import { useActiveShortcuts, useShortcut } from './use-shortcut';

const GROUPS: readonly ShortcutGroup[] = ['Anywhere', 'Go to', 'Act', 'Look'];

function Row({ shortcut, isHere }: { shortcut: Shortcut; isHere: boolean }) {
  const { preferences } = usePreferences();
  const [editing, setEditing] = useState(false);
  const keys = keysOf(shortcut.id, preferences.keys);
  const caps = keycaps(keys, isApple());
  const isOff = isSingleKey(keys) && !preferences.singleKeys;
  return (
    <li className={styles.row} data-off={isOff || undefined}>
      <span className={styles.label}>
        {shortcut.label}
        {!isHere && <span className={styles.note}>not here</span>}
      </span>
      {editing ? (
        <KeyEditor id={shortcut.id} onDone={() => setEditing(false)} />
      ) : (
        <button
          type="button"
          className={styles.keys}
          aria-label={`${shortcut.label}: ${caps.join(' ')}. Change`}
          onClick={() => setEditing(true)}
        >
          <Kbd caps={caps} />
        </button>
      )}
    </li>
  );
}

function ListKeys() {
  return (
    <section>
      <h3 className={styles.group}>In a list</h3>
      <ul>
        {LIST_KEYS.map(({ keys, label }) => (
          <li key={label} className={styles.row}>
            <span className={styles.label}>{label}</span>
            <Kbd caps={keys} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Every key, as this person has it; a click on one changes it. */
export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { preferences, prefer } = usePreferences();
  const active = useActiveShortcuts();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      width="wide"
      title="Keys"
      description="Click a key to change it. None works while you type, or behind a dialog."
      footer={
        <Check checked={preferences.singleKeys} onChecked={(singleKeys) => prefer({ singleKeys })}>
          Keys without Ctrl or Cmd are on
        </Check>
      }
    >
      <div className={styles.groups}>
        {GROUPS.map((group) => (
          <section key={group}>
            <h3 className={styles.group}>{group}</h3>
            <ul>
              {SHORTCUTS.filter((shortcut) => shortcut.group === group).map((shortcut) => (
                <Row key={shortcut.id} shortcut={shortcut} isHere={active.includes(shortcut.id)} />
              ))}
            </ul>
          </section>
        ))}
        <ListKeys />
      </div>
    </Dialog>
  );
}

/** Opens on its key from any page. */
export function ShortcutHelpKey() {
  const [open, setOpen] = useState(false);
  useShortcut('help', () => setOpen(true));
  return <ShortcutHelp open={open} onClose={() => setOpen(false)} />;
}
