'use client';

import { useCallback, useSyncExternalStore } from 'react';
import { readViews, type SavedView } from './views';

const KEY = 'recloser-views';
const NONE: readonly SavedView[] = [];
const listeners = new Set<() => void>();
let known: { text: string | null; views: readonly SavedView[] } = { text: null, views: NONE };

function read(): readonly SavedView[] {
  const text = window.localStorage.getItem(KEY);
  if (text !== known.text) known = { text, views: readViews(text) };
  return known.views;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab of this browser.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** The views that somebody saved in this browser. */
export function useViews() {
  const views = useSyncExternalStore(subscribe, read, () => NONE);
  const save = useCallback((next: readonly SavedView[]) => {
    window.localStorage.setItem(KEY, JSON.stringify(next));
    for (const listener of listeners) listener();
  }, []);
  return { views, save };
}
