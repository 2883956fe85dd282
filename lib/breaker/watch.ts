import type { Environment } from './environment';

/** A call that must end at a known instant. The links belong to the watch. */
export type Watched = {
  readonly endsAt: number;
  before: Watched | null;
  after: Watched | null;
  onEnd(): void;
};

/** While calls are under way the timer comes this often, and finds out by itself when none are left. */
const LOOK_EVERY_MS = 1_000;

/**
 * One timer for all calls that end after the same time: they end in the order in which they came,
 * so that only the oldest matters. A call neither starts nor cancels a timer, which would cost more
 * than the rest of it.
 */
export class Watch {
  readonly #environment: Environment;
  #first: Watched | null = null;
  #last: Watched | null = null;
  #timer: { cancel(): void } | null = null;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  add(call: Watched, lifeMs: number): void {
    const last = this.#last;
    call.before = last;
    if (last === null) this.#first = call;
    else last.after = call;
    this.#last = call;
    if (this.#timer === null) this.#arm(lifeMs);
  }

  remove(call: Watched): void {
    const { before, after } = call;
    if (before === null && this.#first !== call) return;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    call.before = null;
    call.after = null;
  }

  /** Calls still under way keep their limit. */
  close(): void {
    if (this.#first !== null) return;
    this.#timer?.cancel();
    this.#timer = null;
  }

  #arm(delayMs: number): void {
    const lookInMs = Math.min(delayMs, LOOK_EVERY_MS);
    this.#timer = this.#environment.timer.after(lookInMs, this.#look);
  }

  readonly #look = (): void => {
    this.#timer = null;
    const now = this.#environment.clock();
    for (let call = this.#first; call !== null && call.endsAt <= now; call = this.#first) {
      this.remove(call);
      call.onEnd();
    }
    // A host may fire a little early.
    if (this.#first !== null && this.#timer === null) {
      this.#arm(Math.max(1, this.#first.endsAt - now));
    }
  };
}
