export type FakeTimer = { cancel(): void };

type Scheduled = { dueAt: number; order: number; run: () => void };

/** A clock that moves only when told to, and fires due timers in due order. */
export class FakeClock {
  #now: number;
  #order = 0;
  readonly #scheduled = new Set<Scheduled>();

  constructor(startAt = 0) {
    this.#now = startAt;
  }

  /** Bound, so that it can be handed over as a plain function. */
  readonly now = (): number => this.#now;

  after(ms: number, run: () => void): FakeTimer {
    const entry = { dueAt: this.#now + Math.max(0, ms), order: this.#order++, run };
    this.#scheduled.add(entry);
    return { cancel: () => void this.#scheduled.delete(entry) };
  }

  /** Moves to the target instant, stopping at every timer on the way. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (let next = this.#nextDue(target); next; next = this.#nextDue(target)) {
      this.#scheduled.delete(next);
      this.#now = Math.max(this.#now, next.dueAt);
      next.run();
    }
    this.#now = target;
  }

  /** Moves without firing anything: a host that drops its timers. */
  jump(ms: number): void {
    this.#now += ms;
  }

  get pending(): number {
    return this.#scheduled.size;
  }

  #nextDue(target: number): Scheduled | undefined {
    return [...this.#scheduled]
      .filter((entry) => entry.dueAt <= target)
      .sort((a, b) => a.dueAt - b.dueAt || a.order - b.order)[0];
  }
}
