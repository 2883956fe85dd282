'use client';

import { useEffect } from 'react';

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** Letters typed after the key and before the field has the focus belong to the field. */
export function useTypeAhead(isOpen: boolean, type: (letter: string) => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key.length !== 1 || ctrlKey || metaKey || altKey || isField(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      type(key);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isOpen, type]);
}
