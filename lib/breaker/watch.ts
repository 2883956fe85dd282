import type { Environment } from './environment';

/** A call that must end at a known instant. The links belong to the watch. */
export type Watched = {
  readonly endsAt: number;
  before: Watched | null;
  after: Watched | null;
  onEnd(): void;
};

const soon = Promise.resolve();

/**
 * One timer for all calls that end after the same time: they end in the order in which they came,
 * so that only the oldest needs one. A timer per call would cost more than the rest of the call.
 */
export class Watch {
  readonly #environment: Environment;
  #first: Watched | null = null;
  #last: Watched | null = null;
  #timer: { cancel(): void } | null = null;
  #leaving = false;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  add(call: Watched, lifeMs: number): void {
    call.before = this.#last;
    if (this.#last === null) this.#first = call;
    else this.#last.after = call;
    this.#last = call;
    if (this.#timer === null) this.#arm(lifeMs);
  }

  remove(call: Watched): void {
    if (call.before === null && this.#first !== call) return;
    if (call.before === null) this.#first = call.after;
    else call.before.after = call.after;
    if (call.after === null) this.#last = call.before;
    else call.after.before = call.before;
    call.before = null;
    call.after = null;
    if (this.#first === null && this.#timer !== null && !this.#leaving) {
      this.#leaving = true;
      // A caller that awaits one call after the other starts the next before this runs.
      void soon.then(this.#leave);
    }
  }

  readonly #leave = (): void => {
    this.#leaving = false;
    if (this.#first !== null) return;
    this.#timer?.cancel();
    this.#timer = null;
  };

  #arm(delayMs: number): void {
    this.#timer = this.#environment.timer.after(delayMs, this.#fire);
  }

  readonly #fire = (): void => {
    this.#timer = null;
    const now = this.#environment.clock();
    for (let call = this.#first; call !== null && call.endsAt <= now; call = this.#first) {
      this.remove(call);
      call.onEnd();
    }
    // A host may fire a little early.
    if (this.#first !== null) this.#arm(Math.max(1, this.#first.endsAt - now));
  };
}
