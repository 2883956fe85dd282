/** Words of the option `recovery`. Durations in ms, shares as fractions. */

export type AdmissionOptions =
  | { readonly kind: 'fixed'; readonly calls: number; readonly periodMs: number }
  | { readonly kind: 'percent'; readonly share: number }
  | { readonly kind: 'ramp'; readonly steps: readonly number[] }
  | {
      readonly kind: 'adaptive';
      readonly low: number;
      readonly high: number;
      readonly evalEveryMs: number;
    }
  | { readonly kind: 'sticky'; readonly steps: readonly number[] };

export type DecisionOptions =
  | { readonly kind: 'all' }
  | { readonly kind: 'consecutive'; readonly successes: number }
  | { readonly kind: 'windowRate'; readonly successes: number; readonly of: number }
  | { readonly kind: 'latencyMultiple'; readonly multiple: number };

/** One value for every step, or one per step (a short list repeats its last value). */
export type PerStep<T> = T | readonly T[];

export type LatencyHoldOptions = {
  readonly holdMultiple?: number;
  readonly releaseMultiple?: number;
  readonly floorMs?: number;
  readonly maxHoldMs?: number;
  /**
   * Answers at the start of each step whose latency is not judged, because connections and caches
   * are cold: a count, or `'auto'` (default) for as many as may be under way at once, but so that
   * `minimumSuccesses` leaves enough to judge.
   */
  readonly skipFirst?: 'auto' | number;
};

export type RecoveryOptions = {
  readonly admission?: AdmissionOptions;
  readonly stepMs?: PerStep<number>;
  readonly minimumSuccesses?: PerStep<number>;
  readonly failureBudget?: 'strict' | 'statistical' | PerStep<number>;
  readonly decision?: DecisionOptions;
  readonly latency?: LatencyHoldOptions | null;
  readonly maxHalfOpenMs?: number;
  readonly then?: 'open' | 'closed';
  readonly maxInFlight?: 'auto' | PerStep<number>;
  readonly writesFromStep?: number;
  readonly idempotentWaitMs?: number;
  readonly allowWrites?: boolean;
  readonly hardRefused?: number;
  readonly pendingLimitMs?: number;
  readonly maxStepWaitMs?: number;
  readonly minProbeIntervalMs?: number;
  readonly maxInconclusive?: number;
  readonly probeFloorMs?: number;
  readonly softFallback?: boolean;
  readonly guardMs?: number;
  readonly guardFactor?: number;
};
