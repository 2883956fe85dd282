import type { BreakerDetailPatch } from '../protocol/live-frames';

export type DetailListener = (detail: BreakerDetailPatch) => void;

/** `fleet` is always wanted; the rest while somebody looks at it. The protocol allows 16. */
const ALWAYS = 'fleet';
const MAX_TOPICS = 16;

/** Counts who wants which topic and passes detail on to them. */
export class Topics {
  readonly #counts = new Map<string, number>();
  readonly #listeners = new Map<string, Set<DetailListener>>();

  constructor(private readonly changed: () => void) {}

  list(): string[] {
    return [ALWAYS, ...this.#counts.keys()].slice(0, MAX_TOPICS);
  }

  add(topic: string, listener?: DetailListener): () => void {
    const count = this.#counts.get(topic) ?? 0;
    this.#counts.set(topic, count + 1);
    if (listener) {
      const listeners = this.#listeners.get(topic) ?? new Set();
      this.#listeners.set(topic, listeners.add(listener));
    }
    if (count === 0) this.changed();
    return () => this.#remove(topic, listener);
  }

  tell(topic: string, detail: BreakerDetailPatch): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener(detail);
  }

  #remove(topic: string, listener?: DetailListener): void {
    if (listener) this.#listeners.get(topic)?.delete(listener);
    const count = this.#counts.get(topic) ?? 0;
    if (count > 1) {
      this.#counts.set(topic, count - 1);
      return;
    }
    this.#counts.delete(topic);
    this.#listeners.delete(topic);
    this.changed();
  }
}
