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
  readonly onProblem: (problem: unknown) => void;
};
