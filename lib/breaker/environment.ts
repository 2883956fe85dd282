import type { BreakerTimer } from './types';

/** What the breaker takes from its surroundings. All of it can be injected. */
export type Environment = {
  /** Monotonic milliseconds, float. */
  readonly clock: () => number;
  /** Epoch milliseconds; for event stamps and snapshots. */
  readonly wallClock: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly timer: BreakerTimer;
  /** Worst delay of the own event loop lately, in ms; left out when nobody measures it. */
  readonly loopDelay?: () => number;
  readonly onProblem: (problem: unknown) => void;
};
