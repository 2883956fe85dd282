import type { Baseline } from './baseline';
import type { Flights } from './flights';
import type { Ledger } from './ledger';
import type { Origin } from './permit';
import type { Judge } from './rules';
import type { AutomaticState, BreakerState, OverrideKind } from './types';

export type Closed = {
  readonly kind: 'closed';
  readonly closedAt: number;
  /** Entered from half-open, so that a trip soon after is a relapse. */
  readonly recovered: boolean;
  readonly guardUntil: number;
  readonly judge: Judge;
};

export type Open = {
  readonly kind: 'open';
  readonly openedAt: number;
  readonly retryAt: number;
  readonly timeoutMs: number;
  /** The earliest instant to which a good health check may move `retryAt`. */
  readonly earliestAt: number;
  /** A good health check has been used. */
  readonly hurried: boolean;
};

export type HalfOpen = {
  readonly kind: 'half_open';
  readonly enteredAt: number;
  readonly step: number;
  readonly ledger: Ledger;
  /** Frozen at the trip; null while too little is known. */
  readonly baseline: Baseline | null;
  /** Life of a probe, equal for all of this half-open time. */
  readonly probeMs: number;
  /** Across steps. */
  refusedInRow: number;
  lastAdmitAt: number;
  lastIdempotentAt: number;
  hintUntil: number;
};

export type Automatic = Closed | Open | HalfOpen;

export type Override = {
  readonly kind: OverrideKind;
  readonly id: string;
  readonly reason: string;
  readonly actor: string;
  readonly resume: AutomaticState;
  readonly expiresAt: number;
};

/** What hides the automatic machine: an override, or the shadow mode (`override` null). */
export type Mask = {
  readonly kind: OverrideKind;
  readonly override: Override | null;
  readonly judge: Judge;
};

/** Lengths of outages, for the adaptive open time. */
export type Outage = { readonly startedAt: number; readonly lastBadAt: number };

/**
 * The whole state, replaced in one assignment. What a permit needs to know of its admission is
 * `epoch` and `stepSeq`; `flights` belong to the epoch and are dropped with it.
 */
export type MachineRecord = {
  readonly auto: Automatic;
  readonly mask: Mask | null;
  readonly epoch: number;
  readonly stepSeq: number;
  readonly level: number;
  readonly flights: Flights;
};

/**
 * The everyday state, closed with nothing in force over it: what its calls need, looked up once.
 * Every change replaces the record, so that this holds for as long as `record` is the breaker's.
 */
export type Steady = {
  readonly record: MachineRecord;
  readonly origin: Origin;
  readonly flights: Flights;
  readonly judge: Judge;
  readonly learnsFrom: number;
  /** Nothing that an admission makes due comes earlier. */
  readonly soonestMs: number;
};

export function effectiveState(record: MachineRecord): BreakerState {
  return record.mask === null ? record.auto.kind : record.mask.kind;
}
