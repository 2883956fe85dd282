import { BaselineLearner } from './baseline';
import { breakerConfig, environmentOf } from './config';
import type { BreakerConfig } from './config-types';
import type { Environment } from './environment';
import { EventQueue } from './events';
import { Flights } from './flights';
import type { IssuedPermit } from './permit';
import { effectiveState } from './record';
import type { Quota } from './quota';
import type { Automatic, Closed, MachineRecord, Mask, Outage, Override, Steady } from './record';
import { newJudge, ruleBook } from './rules';
import type { RuleBook } from './rules';
import type {
  BreakerEventType,
  BreakerOptions,
  EventData,
  Outcome,
  Receipt,
  RejectionReason,
} from './types';
import { Watch } from './watch';

export type Counters = {
  admitted: number;
  readonly rejected: Record<RejectionReason, number>;
  readonly settled: Record<Outcome, number>;
  slow: number;
  late: number;
  expired: number;
  probes: number;
  readonly healthChecks: { issued: number; passed: number; failed: number; refused: number };
};

/** What became of one permit, for whoever keeps the books outside. */
export type Settlement = {
  readonly outcome: Outcome;
  readonly receipt: Receipt;
  /** It is in the books of the present: settled or expired in its own time. */
  readonly counted: boolean;
  readonly latencyMs: number;
  readonly slow: boolean;
  readonly probe: boolean;
  /** Ramp step in which the permit was issued; null unless it is a probe. */
  readonly step: number | null;
  readonly idempotent: boolean;
  /** Calls under way after this one. */
  readonly inFlight: number;
};

export type SettlementListener = (settlement: Settlement) => void;

/** What the parts of one breaker share. The state proper is in `record`. */
export type Core = {
  readonly name: string;
  readonly options: BreakerOptions;
  readonly config: BreakerConfig;
  readonly rules: RuleBook;
  readonly environment: Environment;
  readonly events: EventQueue;
  readonly counters: Counters;
  /** Ends calls of `run` that outlive their permit. */
  readonly watch: Watch;
  readonly learner: BaselineLearner;
  /** Live overrides, oldest first; the last one is in force. */
  readonly overrides: Override[];
  /** The latest health check; it may have ended. */
  check: IssuedPermit | null;
  record: MachineRecord;
  /** Instant of the operation in progress; never goes back. */
  now: number;
  /** Nothing becomes due before it. May be early, never late. */
  nextDue: number;
  /** Shortcuts of the closed state; of use only while their record is in force. */
  steady: Steady | null;
  /** What was agreed with other breakers of the same target; null where there are none. */
  quota: Quota | null;
  outage: Outage | null;
  /** Learned length of outages, for the adaptive open time. */
  outageMs: number | null;
  loopDelayed: boolean;
  /** When the last note of the loop's delay came. */
  loopNotedAt: number;
  disposed: boolean;
  overrideIds: number;
  settlements: SettlementListener[];
};

export function createCore(name: string, options: BreakerOptions): Core {
  const config = breakerConfig(options);
  const rules = ruleBook(config);
  const environment = environmentOf(options);
  const now = firstReading(environment.clock());
  const closed: Closed = {
    kind: 'closed',
    closedAt: now,
    recovered: false,
    guardUntil: Number.NEGATIVE_INFINITY,
    judge: newJudge(config, rules),
  };
  return {
    name,
    options,
    config,
    rules,
    environment,
    events: new EventQueue(environment.onProblem),
    counters: newCounters(),
    watch: new Watch(environment),
    learner: new BaselineLearner(config),
    overrides: [],
    check: null,
    record: {
      auto: closed,
      mask: config.mode === 'shadow' ? shadowMask(closed) : null,
      epoch: 0,
      stepSeq: 0,
      level: 0,
      flights: new Flights(rules.ages),
    },
    now,
    nextDue: Infinity,
    steady: null,
    quota: null,
    outage: null,
    outageMs: null,
    loopDelayed: false,
    loopNotedAt: now,
    disposed: false,
    overrideIds: 0,
    settlements: [],
  };
}

export function shadowMask(closed: Closed): Mask {
  return { kind: 'metrics_only', override: null, judge: closed.judge };
}

/** A monotonic clock may begin anywhere, below zero too. */
export function firstReading(reading: number): number {
  return reading > Number.NEGATIVE_INFINITY ? reading : 0;
}

/** A clock that stands still or lies must not move the breaker back. */
export function monotonic(reading: number, last: number): number {
  return reading > last ? reading : last;
}

export function random(core: Core): number {
  return drawn(core.environment.random);
}

/** A generator that answers nonsense must not decide nonsense. */
export function drawn(generator: () => number): number {
  const value = generator();
  return value >= 0 && value < 1 ? value : 0.5;
}

export type Change = {
  readonly auto?: Automatic;
  readonly mask?: Mask | null;
  readonly level?: number;
  readonly flights?: Flights;
  /** A new epoch makes every permit under way late. */
  readonly epoch?: 'next';
  readonly step?: 'next';
};

/** The one place where the record is replaced. The event follows from what it was and what it is. */
export function commit(
  core: Core,
  change: Change,
  event: { type: BreakerEventType; at: number; reason: string; data: EventData },
): void {
  const before = core.record;
  core.record = {
    auto: change.auto ?? before.auto,
    mask: change.mask === undefined ? before.mask : change.mask,
    epoch: before.epoch + (change.epoch === 'next' ? 1 : 0),
    stepSeq: before.stepSeq + (change.step === 'next' ? 1 : 0),
    level: change.level ?? before.level,
    flights: change.flights ?? before.flights,
  };
  core.nextDue = Number.NEGATIVE_INFINITY;
  emit(core, event.type, event.at, event.reason, event.data, before);
}

export function emit(
  core: Core,
  type: BreakerEventType,
  at: number,
  reason: string,
  data: EventData,
  before: MachineRecord = core.record,
): void {
  const { record } = core;
  core.events.push({
    type,
    from: effectiveState(before),
    to: effectiveState(record),
    automatic: record.auto.kind,
    reason,
    epoch: record.epoch,
    step: record.auto.kind === 'half_open' ? record.auto.step : null,
    stepSeq: record.stepSeq,
    monoMs: at,
    wallMs: core.environment.wallClock() - (core.now - at),
    data,
  });
}

function newCounters(): Counters {
  return {
    admitted: 0,
    rejected: { open: 0, in_flight: 0, share: 0, rate: 0, kind: 0, forced_open: 0, disposed: 0 },
    settled: {
      success: 0,
      client_error: 0,
      timeout: 0,
      server_error: 0,
      overload: 0,
      refused: 0,
      rejected_local: 0,
      cancelled: 0,
      ignored: 0,
    },
    slow: 0,
    late: 0,
    expired: 0,
    probes: 0,
    healthChecks: { issued: 0, passed: 0, failed: 0, refused: 0 },
  };
}
