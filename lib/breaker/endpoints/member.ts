import type { CircuitBreaker } from '../breaker';
import type { Settlement } from '../core';
import { weightOf } from '../outcome';
import type { BreakerEvent, BreakerState } from '../types';
import { RateWindow } from './outliers';
import type { EndpointPhase } from './types';

/** How far the recovery of an endpoint has come. */
type Evidence = { readonly since: number; step: number; successes: number };

/** One endpoint: its breaker, and what the set knows of it beside. */
export class Member {
  readonly name: string;
  readonly breaker: CircuitBreaker;
  /** null where endpoints are not compared. */
  readonly rates: RateWindow | null;
  phase: EndpointPhase = 'in';
  evidence: Evidence | null = null;
  /** A new look at its failure rate is due. */
  suspect = false;
  removed = false;

  constructor(name: string, breaker: CircuitBreaker, windowMs: number | null) {
    this.name = name;
    this.breaker = breaker;
    this.rates = windowMs === null ? null : new RateWindow(windowMs);
  }

  /** An operator has forced it open; not even panic overrules that. */
  get forcedOut(): boolean {
    return this.breaker.state === 'forced_open';
  }

  follow({ to, step, monoMs }: BreakerEvent): void {
    if (to !== 'half_open' || step === null) this.evidence = null;
    else if (this.evidence === null) this.evidence = { since: monoMs, step, successes: 0 };
    else if (this.evidence.step !== step) this.evidence = { ...this.evidence, step, successes: 0 };
  }

  /** Only calls of an endpoint in full service can be compared. */
  settled({ outcome, receipt, probe, step }: Settlement, at: number): void {
    if (receipt !== 'counted') return;
    const bad = weightOf(outcome) === 'bad';
    if (!probe) {
      if (this.rates?.record(at, bad) === true) this.suspect = true;
    } else if (!bad && this.evidence !== null && this.evidence.step === step) {
      this.evidence.successes++;
    }
  }

  /** Further along, with more answers, or earlier on its way. */
  isAheadOf(other: Member): boolean {
    const mine = this.evidence;
    const theirs = other.evidence;
    if (mine === null || theirs === null) return mine !== null;
    if (mine.step !== theirs.step) return mine.step > theirs.step;
    if (mine.successes !== theirs.successes) return mine.successes > theirs.successes;
    return mine.since < theirs.since;
  }
}

export function phaseOf(state: BreakerState): EndpointPhase {
  if (state === 'open' || state === 'forced_open') return 'out';
  return state === 'half_open' ? 'recovering' : 'in';
}
