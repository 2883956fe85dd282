type Listener = () => void;

/** Listeners by name; `add` returns its undo. */
export class Channels {
  readonly #byName = new Map<string, Set<Listener>>();

  add(name: string, listener: Listener): () => void {
    const listeners = this.#byName.get(name) ?? new Set();
    this.#byName.set(name, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byName.get(name) === listeners) this.#byName.delete(name);
    };
  }

  emit(name: string): void {
    for (const listener of this.#byName.get(name) ?? []) listener();
  }

  /** A copy: listeners come and go while one walks it. */
  names(): string[] {
    return [...this.#byName.keys()];
  }
}
