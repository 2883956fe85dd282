import type { BreakerEvent } from './types';

export type BreakerListener = (event: BreakerEvent) => void;

/**
 * Events wait here while an operation works and leave after its commit, in order. A listener may
 * call the breaker: what that causes queues behind.
 */
export class EventQueue {
  #seq = 0;
  #waiting: BreakerEvent[] = [];
  #delivering = false;
  #closing = false;
  readonly #listeners = new Set<BreakerListener>();
  readonly #onProblem: (problem: unknown) => void;

  constructor(onProblem: (problem: unknown) => void) {
    this.#onProblem = onProblem;
  }

  add(listener: BreakerListener): () => void {
    // A wrapper, so that one function registered twice is heard and removed twice.
    const entry: BreakerListener = (event) => listener(event);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  push(event: Omit<BreakerEvent, 'seq'>): void {
    this.#seq++;
    if (this.#listeners.size === 0) return;
    this.#waiting.push(
      Object.freeze({ seq: this.#seq, ...event, data: Object.freeze(event.data) }),
    );
  }

  flush(): void {
    if (this.#waiting.length > 0 && !this.#delivering) this.#deliverAll();
  }

  #deliverAll(): void {
    this.#delivering = true;
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
      for (const listener of Array.from(this.#listeners)) this.#deliver(listener, event);
    }
    this.#delivering = false;
    if (this.#closing) this.#listeners.clear();
  }

  /** Delivers what waits, then forgets the listeners. */
  close(): void {
    this.#closing = true;
    this.flush();
    if (!this.#delivering) this.#listeners.clear();
  }

  #deliver(listener: BreakerListener, event: BreakerEvent): void {
    if (!this.#listeners.has(listener)) return;
    try {
      listener(event);
    } catch (problem) {
      report(this.#onProblem, problem);
    }
  }
}

/** Nothing that a reporter does may reach the breaker. */
export function report(onProblem: (problem: unknown) => void, problem: unknown): void {
  try {
    onProblem(problem);
  } catch {
    // There is nobody left to tell.
  }
}
