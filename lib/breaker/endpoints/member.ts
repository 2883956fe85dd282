import type { CircuitBreaker } from '../breaker';
import type { Settlement } from '../core';
import { weightOf } from '../outcome';
import type { BreakerEvent, BreakerState } from '../types';
import { RateWindow } from './outliers';
import type { EndpointPhase } from './types';

/** How far the recovery of an endpoint has come. */
type Evidence = { readonly since: number; readonly step: number; readonly successes: number };

const none: Evidence = { since: Infinity, step: -1, successes: 0 };

/** One endpoint: its breaker, and what the set knows of it beside. */
export class Member {
  readonly name: string;
  readonly breaker: CircuitBreaker;
  /** null where endpoints are not compared. */
  readonly rates: RateWindow | null;
  phase: EndpointPhase;
  evidence = none;
  /** A new look at its failure rate is due. */
  suspect = false;
  removed = false;

  constructor(name: string, breaker: CircuitBreaker, windowMs: number | null) {
    this.name = name;
    this.breaker = breaker;
    this.phase = phaseOf(breaker.state);
    this.rates = windowMs === null ? null : new RateWindow(windowMs);
  }

  /** An operator has forced it open; not even panic overrules that. */
  get forcedOut(): boolean {
    return this.breaker.state === 'forced_open';
  }

  follow({ to, step, monoMs }: BreakerEvent): void {
    if (to !== 'half_open' || step === null) this.evidence = none;
    else if (this.evidence.step !== step) {
      this.evidence = { since: Math.min(this.evidence.since, monoMs), step, successes: 0 };
    }
  }

  /** Only calls of an endpoint in full service can be compared. */
  settled({ outcome, counted, probe }: Settlement, at: number): void {
    if (!counted) return;
    const bad = weightOf(outcome) === 'bad';
    if (!probe) {
      if (this.rates?.record(at, bad) === true) this.suspect = true;
    } else if (!bad) {
      this.evidence = { ...this.evidence, successes: this.evidence.successes + 1 };
    }
  }

  /** Further along, with more answers, or earlier on its way. */
  isAheadOf(other: Member): boolean {
    const mine = this.evidence;
    const theirs = other.evidence;
    if (mine.step !== theirs.step) return mine.step > theirs.step;
    if (mine.successes !== theirs.successes) return mine.successes > theirs.successes;
    return mine.since < theirs.since;
  }
}

export function phaseOf(state: BreakerState): EndpointPhase {
  if (state === 'open' || state === 'forced_open') return 'out';
  return state === 'half_open' ? 'recovering' : 'in';
}
