import { createContext, use, useSyncExternalStore } from 'react';

/** The shared cursor, outside React state: moving it must not draw a chart again. */
export class CursorStore {
  readonly #listeners = new Set<() => void>();
  #at: number | null = null;

  readonly at = (): number | null => this.#at;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  move(at: number | null): void {
    if (at === this.#at) return;
    this.#at = at;
    for (const listener of this.#listeners) listener();
  }
}

export const CursorContext = createContext(new CursorStore());

export function useCursorStore(): CursorStore {
  return use(CursorContext);
}

const nowhere = () => null;

/** The instant under the cursor, or null. */
export function useCursorAt(): number | null {
  const store = useCursorStore();
  return useSyncExternalStore(store.subscribe, store.at, nowhere);
}
