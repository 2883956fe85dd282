import { report } from '../events';
import type { EndpointEvent, EndpointListener } from './types';

/** Delivers the set's events in order; what a listener causes queues behind. */
export class Announcer {
  #seq = 0;
  #waiting: EndpointEvent[] = [];
  #delivering = false;
  readonly #listeners = new Set<EndpointListener>();
  readonly #onProblem: (problem: unknown) => void;

  constructor(onProblem: (problem: unknown) => void) {
    this.#onProblem = onProblem;
  }

  add(listener: EndpointListener): () => void {
    // A wrapper, so that one function registered twice is heard and removed twice.
    const entry: EndpointListener = (event) => listener(event);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  push(event: Omit<EndpointEvent, 'seq'>): void {
    this.#waiting.push(Object.freeze({ seq: ++this.#seq, ...event }));
  }

  flush(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
      for (const listener of Array.from(this.#listeners)) {
        try {
          listener(event);
        } catch (problem) {
          report(this.#onProblem, problem);
        }
      }
    }
    this.#delivering = false;
  }

  close(): void {
    this.flush();
    this.#listeners.clear();
  }
}
