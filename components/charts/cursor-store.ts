import { createContext, use, useSyncExternalStore } from 'react';

/**
 * The shared cursor, outside React state: moving it must not draw a chart again. It follows the
 * pointer; without one it stands where it was pinned. `anchor` is the other end of a marked span.
 */
export class CursorStore {
  readonly #listeners = new Set<() => void>();
  #hover: number | null = null;
  #pinned: number | null;
  #anchor: number | null = null;

  constructor(pinned: number | null = null) {
    this.#pinned = pinned;
  }

  readonly at = (): number | null => this.#hover ?? this.#pinned;
  readonly pinned = (): number | null => this.#pinned;
  readonly anchor = (): number | null => this.#anchor;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  hover(at: number | null): void {
    if (at === this.#hover) return;
    this.#hover = at;
    this.#tell();
  }

  /** Takes the pointer's place too: whoever uses keys wants to see where they are. */
  pin(at: number | null): void {
    if (at === this.#pinned && this.#hover === null) return;
    this.#pinned = at;
    this.#hover = null;
    this.#tell();
  }

  mark(anchor: number | null): void {
    if (anchor === this.#anchor) return;
    this.#anchor = anchor;
    this.#tell();
  }

  #tell(): void {
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

export function usePinnedAt(): number | null {
  const store = useCursorStore();
  return useSyncExternalStore(store.subscribe, store.pinned, nowhere);
}

/** Where a marked span begins, or null when none is being marked. */
export function useAnchor(): number | null {
  const store = useCursorStore();
  return useSyncExternalStore(store.subscribe, store.anchor, nowhere);
}
