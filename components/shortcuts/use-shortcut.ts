'use client';

import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { usePreferences } from '../shell/providers';
import { keysOf, type ShortcutId } from './catalogue';
import { ariaKeys, chordOf } from './chord';
import { ShortcutRegistry } from './registry';

/** One for the page, outside React, like the live connection. */
const registry = new ShortcutRegistry();

const OWN_KEYS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="combobox"], [role="menu"], [role="listbox"]';
const MODAL = 'dialog[open], [role="dialog"], [role="alertdialog"]';

/**
 * Gives a key of the catalogue its meaning while mounted: `useShortcut('override', open)`.
 * It never fires in a field, a menu or behind a dialog. `when: false` gives it up for a while.
 */
export function useShortcut(id: ShortcutId, run: () => void, when = true): void {
  const latest = useEffectEvent(run);
  useEffect(() => (when ? registry.add(id, () => latest()) : undefined), [id, when]);
}

/** The keys as this person has them, for a hint beside a control, and for `aria-keyshortcuts`. */
export function useKeys(id: ShortcutId): { keys: string; aria: string } {
  const { preferences } = usePreferences();
  const keys = keysOf(id, preferences.keys);
  return { keys, aria: ariaKeys(keys) };
}

const NOTHING: readonly ShortcutId[] = [];

/** Those that do something on the page as it is. */
export function useActiveShortcuts(): readonly ShortcutId[] {
  return useSyncExternalStore(registry.watch, registry.active, () => NOTHING);
}

export const runShortcut = (id: ShortcutId): boolean => registry.run(id);

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat || event.isComposing) return;
  const chord = chordOf(event);
  if (chord === null) return;
  const target = event.target instanceof Element ? event.target : null;
  const isOurs = registry.press({
    chord,
    isTyping: target?.closest(OWN_KEYS) != null,
    isModal: document.querySelector(MODAL) !== null,
    now: event.timeStamp,
  });
  if (isOurs) event.preventDefault();
}

/** The one listener of the page. */
export function useShortcutListener(): void {
  const { preferences } = usePreferences();
  const { keys, singleKeys } = preferences;
  useEffect(() => registry.prefer(keys, singleKeys), [keys, singleKeys]);
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
