/**
 * The words of the breaker, shared by the core, the agent, the wire and the console.
 * Behaviour is specified, rule by rule, in `lib/breaker/SPEC.md`.
 */

import type { RecoveryOptions } from './recovery-options';

export type {
  AdmissionOptions,
  DecisionOptions,
  PerStep,
  LatencyHoldOptions,
  RecoveryOptions,
} from './recovery-options';

export const breakerStates = [
  'closed',
  'open',
  'half_open',
  'forced_open',
  'forced_closed',
  'metrics_only',
  'disabled',
] as const;

/** Effective state: the override if one is in force, else the automatic state. */
export type BreakerState = (typeof breakerStates)[number];

export const automaticStates = ['closed', 'open', 'half_open'] as const;
export type AutomaticState = (typeof automaticStates)[number];

export const overrideKinds = ['forced_open', 'forced_closed', 'metrics_only', 'disabled'] as const;
export type OverrideKind = (typeof overrideKinds)[number];

/** What became of a call. `success` and `client_error` mean that the target answered. */
export const outcomes = [
  'success',
  'client_error',
  'timeout',
  'server_error',
  'overload',
  'refused',
  'rejected_local',
  'cancelled',
  'ignored',
] as const;
export type Outcome = (typeof outcomes)[number];

/** Outcomes that a caller may report through `permit.failure`. */
export type FailureKind = Exclude<Outcome, 'success'>;

/** An overload answer may carry the wait the target asked for, in ms. */
export type Failure = FailureKind | { readonly kind: FailureKind; readonly retryAfterMs?: number };

export const rejectionReasons = [
  'open',
  'in_flight',
  'share',
  'rate',
  'kind',
  'forced_open',
  'disposed',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

/** What a settlement did. Only `counted` may move the state. */
export type Receipt = 'counted' | 'late' | 'expired' | 'duplicate' | 'inconclusive' | 'bypassed';

export type WindowOptions =
  | { readonly kind: 'time'; readonly durationMs: number; readonly buckets?: number }
  | { readonly kind: 'count'; readonly size: number }
  | { readonly kind: 'hybrid'; readonly size: number; readonly durationMs: number };

/** Rates are fractions, 0 to 1. */
export type TripPolicy =
  | { readonly kind: 'consecutive'; readonly failures: number }
  | { readonly kind: 'count'; readonly failures: number }
  | { readonly kind: 'ratio'; readonly rate: number; readonly minimumCalls: number }
  | {
      readonly kind: 'mixed';
      readonly failures: number;
      readonly rate: number;
      readonly minimumCalls: number;
    }
  | {
      readonly kind: 'slow';
      readonly slowMs: number;
      readonly rate: number;
      readonly minimumCalls: number;
      readonly pending?: boolean;
    }
  | { readonly kind: 'refused'; readonly failures: number };

type OpenCommon = {
  /** Half width of the jitter band as a fraction of the delay, 0 to 1. */
  readonly jitter?: number;
  readonly minMs?: number;
  /** A trip within this time after a recovery is a relapse and raises the level. */
  readonly stableForMs?: number;
  readonly decayEveryMs?: number;
  readonly maxHintMs?: number;
};

export type OpenOptions = OpenCommon &
  (
    | { readonly kind: 'fixed'; readonly baseMs: number }
    | {
        readonly kind: 'exponential';
        readonly baseMs: number;
        readonly multiplier?: number;
        readonly maxMs?: number;
      }
    | {
        readonly kind: 'adaptive';
        readonly baseMs: number;
        readonly maxMs?: number;
        readonly factor?: number;
      }
  );

/** Every duration is in milliseconds, every rate and share a fraction 0 to 1. */
export type BreakerOptions = {
  readonly window?: WindowOptions;
  readonly trip?: readonly TripPolicy[];
  readonly open?: OpenOptions;
  readonly recovery?: RecoveryOptions;
  readonly callTimeoutMs?: number;
  readonly probeTimeoutFraction?: number;
  readonly permitGraceMs?: number;
  readonly slowMs?: number;
  readonly mode?: 'enforce' | 'shadow';
  readonly ignore?: (error: unknown) => boolean;
  readonly classify?: (error: unknown) => Failure | undefined;
  readonly cancelledCountsAsSlow?: boolean;
  readonly maxLoopDelayMs?: number;
  readonly onDisposed?: 'pass' | 'reject';
  readonly normalErrorRate?: number;
  /** Failures this long after one that counted are the same failure, in ms; 0, the default, is off. */
  readonly failureLumpMs?: number;
  /**
   * The largest factor by which the learned latencies may rise or fall within 24 h, at least 1;
   * default 1.5.
   */
  readonly baselineDriftPerDay?: number;
  /** Monotonic milliseconds, float. */
  readonly clock?: () => number;
  /** Epoch milliseconds; used for event stamps only. */
  readonly wallClock?: () => number;
  /** Uniform in [0, 1). */
  readonly random?: () => number;
  /** One-shot timers for the timeouts of `run`; nothing else waits. */
  readonly timer?: BreakerTimer;
  /**
   * How late the own event loop ran at worst in the last second or two, in ms. Asked while a recovery
   * is judged, so that an own pause is not taken for a slow target. `noteLoopDelay` says the same
   * from outside.
   */
  readonly loopDelay?: () => number;
  /** Hears what the breaker survives: a listener that threw, a snapshot it could not read. */
  readonly onProblem?: (problem: unknown) => void;
  /** Lets `BreakerOpenError` carry a stack trace; off, because it is most of a rejection's cost. */
  readonly errorStacks?: boolean;
};

/** Runs `fn` once after `ms`, unless it is cancelled before. Must not keep the process alive. */
export type BreakerTimer = {
  after(ms: number, fn: () => void): { cancel(): void };
};

export const eventTypes = [
  'opened',
  'half_open',
  'step',
  'hold',
  'release',
  'starved',
  'closed',
  'forced',
  'resumed',
  'reset',
  'would_trip',
  'would_recover',
  'probe_expired',
  'late_result',
  'disposed',
] as const;
export type BreakerEventType = (typeof eventTypes)[number];

/** Why a transition happened. */
export const transitionCauses = [
  'trip',
  'retry_due',
  'advance',
  'fallback',
  'half_open_limit',
  'hold_limit',
  'soft_fallback',
  'override',
  'override_ended',
  'reset',
  'restore',
] as const;
export type TransitionCause = (typeof transitionCauses)[number];

/** The numbers behind a verdict, as far as they apply. Rates and shares are fractions. */
export type EventData = {
  readonly cause?: TransitionCause;
  readonly calls?: number;
  readonly failures?: number;
  readonly slow?: number;
  readonly successes?: number;
  readonly rate?: number;
  readonly threshold?: number;
  readonly openTimeoutMs?: number;
  readonly retryInMs?: number;
  readonly level?: number;
  readonly share?: number;
  readonly tookMs?: number;
  readonly quantile?: number;
  readonly samples?: number;
  readonly valueMs?: number;
  readonly baselineMs?: number;
  readonly overrideId?: string;
  readonly actor?: string;
  readonly outcome?: Outcome;
  readonly latencyMs?: number;
};

/**
 * Delivered in `seq` order after the commit. `from` and `to` are effective states; `automatic` is
 * what the machine would be in. `monoMs` is the instant at which it became due, not the instant
 * at which somebody looked.
 */
export type BreakerEvent = {
  readonly seq: number;
  readonly type: BreakerEventType;
  readonly from: BreakerState;
  readonly to: BreakerState;
  readonly automatic: AutomaticState;
  readonly reason: string;
  readonly epoch: number;
  readonly step: number | null;
  readonly stepSeq: number;
  readonly monoMs: number;
  readonly wallMs: number;
  readonly data: EventData;
};

export type OverrideRequest = {
  readonly expiresInMs?: number;
  readonly reason: string;
  readonly actor: string;
  readonly id?: string;
  /** Where the breaker resumes when no override is left. */
  readonly resume?: AutomaticState;
};

export type OverrideHandle = {
  readonly kind: OverrideKind;
  readonly id: string;
  /** Ends this handle only; the next older live one resumes. Returns false when it had ended. */
  release(): boolean;
};

export type ClassBaselineStatus = Omit<BaselineStatus, 'classes'>;

/** Latencies in ms before the trip, of all calls. */
export type BaselineStatus = {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly samples: number;
  /** The same for each class of calls; null while too little is known of it. */
  readonly classes: {
    readonly idempotent: ClassBaselineStatus | null;
    readonly other: ClassBaselineStatus | null;
  };
};

/** A plain object for reading; every call makes a new one. */
export type BreakerStatus = {
  readonly name: string;
  readonly state: BreakerState;
  readonly automatic: AutomaticState;
  /** Index of the ramp step, null unless half-open. */
  readonly step: number | null;
  readonly steps: number;
  /** Share of traffic admitted now, 0 to 1. */
  readonly share: number;
  readonly level: number;
  readonly epoch: number;
  readonly stepSeq: number;
  readonly openedAt: number | null;
  readonly retryAt: number | null;
  readonly retryInMs: number | null;
  readonly openTimeoutMs: number | null;
  readonly hold: { readonly sinceMs: number; readonly cause: string } | null;
  readonly ledger: {
    readonly admitted: number;
    readonly successes: number;
    readonly failures: number;
    readonly minimumSuccesses: number;
    readonly budget: number;
    readonly firstAdmitAt: number | null;
  } | null;
  readonly window: { readonly calls: number; readonly failures: number; readonly slow: number };
  readonly baseline: BaselineStatus | null;
  readonly inFlight: number;
  readonly override: {
    readonly kind: OverrideKind;
    readonly id: string;
    readonly reason: string;
    readonly actor: string;
    readonly remainingMs: number | null;
  } | null;
  readonly counters: {
    readonly admitted: number;
    readonly rejected: Readonly<Record<RejectionReason, number>>;
    readonly settled: Readonly<Record<Outcome, number>>;
    readonly slow: number;
    readonly late: number;
    readonly expired: number;
    readonly probes: number;
    /** Synthetic calls, which are in no other figure. */
    readonly healthChecks: {
      readonly issued: number;
      readonly passed: number;
      readonly failed: number;
      /** Asked for while another was under way. */
      readonly refused: number;
    };
  };
};
