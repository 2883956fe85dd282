'use client';

import { useRef } from 'react';
import { useShortcut } from '../shortcuts/use-shortcut';

/** A field that the search key goes to. */
export function useSearchKey() {
  const input = useRef<HTMLInputElement>(null);
  useShortcut('search', () => {
    input.current?.focus();
    input.current?.select();
  });
  return input;
}
