import { useCallback, useSyncExternalStore } from 'react';

const KEY = 'recloser.actor';
const listeners = new Set<() => void>();

function read(): string {
  try {
    return window.localStorage.getItem(KEY) ?? '';
  } catch {
    // Storage may be off; the name is then typed each time.
    return '';
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export function rememberActor(name: string): void {
  try {
    window.localStorage.setItem(KEY, name.trim());
  } catch {
    return;
  }
  for (const listener of listeners) listener();
}

/** Who acts from this browser, until the console knows its users. */
export function useActor(): string {
  return useSyncExternalStore(
    subscribe,
    read,
    useCallback(() => '', []),
  );
}

/** The way back to automatic never asks for anything, not even a name. */
export const UNNAMED = 'unnamed operator';
