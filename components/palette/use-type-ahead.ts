'use client';

import { useEffect, useEffectEvent } from 'react';

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

type Ahead = { type: (letter: string) => void; close: () => void };

/**
 * Keys pressed after the key of the palette and before its field has the focus are for the palette:
 * letters belong to the field, and Escape takes it back.
 */
export function useTypeAhead(isOpen: boolean, { type, close }: Ahead): void {
  const onLetter = useEffectEvent(type);
  const onEscape = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const isLetter = key.length === 1 && !ctrlKey && !metaKey && !altKey;
      if (isField(event.target) || !(isLetter || key === 'Escape')) return;
      event.preventDefault();
      event.stopPropagation();
      if (isLetter) onLetter(key);
      else onEscape();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen]);
}
