'use client';

import { useState } from 'react';
import { usePreferences } from '../shell/providers';
import { Button } from '../ui/button';
import { Input } from '../ui/field';
import { keysOf, SHORTCUTS, type KeyChanges, type ShortcutId } from './catalogue';
import { keysProblem } from './chord';
import styles from './help.module.css';

/** What is kept: nothing for a key that is as the table has it. */
export function withKeys(changes: KeyChanges, id: ShortcutId, keys: string): KeyChanges {
  const { [id]: _before, ...rest } = changes;
  return keys === keysOf(id) ? rest : { ...rest, [id]: keys };
}

/** The key is written, not pressed: a screen reader would take the press for itself. */
export function KeyEditor({ id, onDone }: { id: ShortcutId; onDone: () => void }) {
  const { preferences, prefer } = usePreferences();
  const [text, setText] = useState(keysOf(id, preferences.keys));
  const keys = text.trim().replace(/\s+/g, ' ');
  const others = SHORTCUTS.filter((other) => other.id !== id).map((other) =>
    keysOf(other.id, preferences.keys),
  );
  const problem = keysProblem(keys, others);
  const save = () => {
    if (problem !== null) return;
    prefer({ keys: withKeys(preferences.keys, id, keys) });
    onDone();
  };
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Input
        // The person has just asked for this field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label="New key"
        className={styles.input ?? ''}
        value={text}
        aria-invalid={problem !== null || undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onDone();
        }}
      />
      <Button size="small" type="submit" disabled={problem !== null}>
        Keep
      </Button>
      <Button size="small" kind="quiet" onClick={() => setText(keysOf(id))}>
        Default
      </Button>
      {problem !== null && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </form>
  );
}
