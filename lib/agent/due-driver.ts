import type { AgentTime, Cancel } from './ports';

/** Shortest wait, so that a due instant between two clock ticks cannot spin. */
const MIN_WAIT_MS = 1;

/** One timer for everything that becomes due in this process. */
export class DueDriver {
  readonly #time: AgentTime;
  readonly #nextDueAt: () => number | null;
  readonly #run: () => void;
  #cancel: Cancel | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #ranFor = Number.NEGATIVE_INFINITY;

  constructor(time: AgentTime, nextDueAt: () => number | null, run: () => void) {
    this.#time = time;
    this.#nextDueAt = nextDueAt;
    this.#run = run;
  }

  /** Looks again at what is next, over everything. */
  rearm(): void {
    this.#arm(this.#nextDueAt() ?? Number.POSITIVE_INFINITY);
  }

  /** One thing changed: costs the same however many others there are. */
  sooner(dueAt: number | null): void {
    if (dueAt !== null && dueAt < this.#armedFor) this.#arm(dueAt);
  }

  #arm(next: number): void {
    if (next === this.#armedFor) return;
    this.stop();
    if (next === Number.POSITIVE_INFINITY) return;
    // What is still due after it ran is left to the next rearm from outside, not spun on.
    if (next === this.#ranFor) return;
    this.#armedFor = next;
    const wait = Math.max(MIN_WAIT_MS, Math.min(next - this.#time.mono(), 2 ** 31 - 1));
    this.#cancel = this.#time.after(wait, () => {
      this.stop();
      if (next <= this.#time.mono()) this.#ranFor = next;
      this.#run();
      this.rearm();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#armedFor = Number.POSITIVE_INFINITY;
  }
}
