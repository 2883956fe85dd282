import type {
  AdmissionOptions,
  DecisionOptions,
  LatencyHoldOptions,
  OpenOptions,
  TripPolicy,
  WindowOptions,
} from './types';

type Complete<T> = T extends unknown ? Required<T> : never;

export type OpenConfig = Complete<OpenOptions>;
export type WindowConfig = Complete<WindowOptions>;
export type TripConfig = Complete<TripPolicy>;

export type RecoveryConfig = {
  readonly admission: AdmissionOptions;
  /** Lists have one entry per step. */
  readonly stepMs: readonly number[];
  readonly minimumSuccesses: readonly number[];
  readonly failureBudget: 'strict' | 'statistical' | readonly number[];
  readonly decision: DecisionOptions;
  readonly latency: Required<LatencyHoldOptions> | null;
  readonly maxHalfOpenMs: number;
  readonly then: 'open' | 'closed';
  readonly maxInFlight: 'auto' | readonly number[];
  readonly writesFromStep: number;
  readonly idempotentWaitMs: readonly number[];
  readonly allowWrites: boolean;
  readonly hardRefused: number;
  readonly pendingLimitMs: readonly number[];
  readonly maxStepWaitMs: number;
  readonly minProbeIntervalMs: number;
  readonly maxInconclusive: number;
  readonly probeFloorMs: number;
  readonly softFallback: boolean;
  readonly guardMs: number;
  readonly guardFactor: number;
};

/** Every option with its default filled in; plain data, so that it can be sent and hashed. */
export type BreakerConfig = {
  readonly window: WindowConfig;
  readonly trip: readonly TripConfig[];
  readonly open: OpenConfig;
  readonly recovery: RecoveryConfig;
  readonly callTimeoutMs: number;
  readonly probeTimeoutFraction: number;
  readonly permitGraceMs: number;
  readonly slowMs: number;
  readonly mode: 'enforce' | 'shadow';
  readonly cancelledCountsAsSlow: boolean;
  readonly maxLoopDelayMs: number;
  readonly onDisposed: 'pass' | 'reject';
  /** null: learned from the calls themselves. */
  readonly normalErrorRate: number | null;
  readonly errorStacks: boolean;
  /** 0: every failure counts. */
  readonly failureLumpMs: number;
  readonly baselineDriftPerDay: number;
};
