import type { Clock, Timer } from './clock';

/** Calls back once the page has been painted. */
export type Painted = (then: () => void) => void;

/** What the browser itself calls a long task. */
const LONG_MS = 50;
const MOST_MS = 250;

/**
 * Keeps a slow page usable in a storm: a drawing that was a long task is followed by a rest as long
 * as it took, in which hands are answered. What comes meanwhile is drawn together after it.
 */
export class Breather {
  #resting: Timer | null = null;
  #wanted: (() => void) | null = null;
  #isSlow = false;

  /** Without `painted` nothing ever rests. */
  constructor(
    private readonly clock: Clock,
    private readonly painted: Painted | undefined,
  ) {}

  /** The drawing before this one was a long task. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  /** Draws now, or after the rest; then only what was asked for last. */
  draw(run: () => void): void {
    if (this.#resting === null) this.#draw(run);
    else this.#wanted = run;
  }

  #draw(run: () => void): void {
    if (this.painted === undefined) return run();
    const start = this.clock.now();
    // A page that is hidden in this moment is never painted.
    const guard = this.#rest(MOST_MS);
    run();
    this.painted(() => {
      if (this.#resting !== guard) return;
      const tookMs = this.clock.now() - start;
      guard.cancel();
      this.#isSlow = tookMs > LONG_MS;
      if (this.#isSlow) this.#rest(Math.min(tookMs, MOST_MS));
      else this.#end();
    });
  }

  #rest(ms: number): Timer {
    const timer = this.clock.after(ms, () => this.#end());
    this.#resting = timer;
    return timer;
  }

  #end(): void {
    this.#resting = null;
    const run = this.#wanted;
    this.#wanted = null;
    if (run !== null) this.#draw(run);
  }
}

/** A hidden page is not painted, and its timers come late: its title and icon must not wait for either. */
export const browserPainted: Painted = (then) => {
  if (document.visibilityState === 'hidden') return then();
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      then();
    });
    port1.start();
    port2.postMessage(null);
  });
};
