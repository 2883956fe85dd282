import { basisPoints } from './checks';
import type { BreakerConfig, TripConfig } from './config-types';
import type { Flights } from './flights';
import { createWindow, SLOW } from './window';
import type { OutcomeWindow } from './window';
import { unreachable } from './unreachable';

/** What a run of outcomes adds up to; a new one whenever counting starts afresh. */
export type Judge = {
  readonly window: OutcomeWindow;
  failuresInRow: number;
  refusedInRow: number;
  /** Until when the target asked to be left alone. */
  hintUntil: number;
  /** Until when a failure belongs to the one before. */
  lumpUntil: number;
  /** Bit per policy that holds; kept while watching, where the crossing is the event. */
  tripped: number;
};

/** A trip policy with whole-number limits. Fields that do not apply never decide. */
export type Rule = {
  readonly kind: TripConfig['kind'];
  readonly failures: number;
  readonly rate: number;
  readonly minimumCalls: number;
  readonly slow: number;
  readonly age: number;
};

export type RuleBook = {
  readonly normal: readonly Rule[];
  /** The same policies, stricter, for the time after a recovery. */
  readonly guarded: readonly Rule[];
  readonly slowLimits: readonly number[];
  /** Below it an answer is slow for nobody. */
  readonly lowestSlowMs: number;
  readonly ages: readonly number[];
};

export function ruleBook(config: BreakerConfig): RuleBook {
  const slow = config.trip.flatMap((policy) => (policy.kind === 'slow' ? [policy] : []));
  const slowLimits = [...new Set([config.slowMs, ...slow.map((policy) => policy.slowMs)])];
  const ages = [...new Set(slow.flatMap((policy) => (policy.pending ? [policy.slowMs] : [])))];
  const compile = (factor: number) =>
    config.trip.map((policy) => compileRule(policy, factor, slowLimits, ages));
  return {
    normal: compile(1),
    guarded: compile(config.recovery.guardFactor),
    slowLimits,
    lowestSlowMs: Math.min(...slowLimits),
    ages,
  };
}

function compileRule(
  policy: TripConfig,
  factor: number,
  slowLimits: readonly number[],
  ages: readonly number[],
): Rule {
  const scaled = (value: number) => Math.max(1, Math.ceil(value * factor));
  return {
    kind: policy.kind,
    failures: 'failures' in policy ? scaled(policy.failures) : 0,
    rate: 'rate' in policy ? Math.max(1, Math.round(basisPoints(policy.rate) * factor)) : 0,
    minimumCalls: 'minimumCalls' in policy ? scaled(policy.minimumCalls) : 0,
    slow: policy.kind === 'slow' ? slowLimits.indexOf(policy.slowMs) : -1,
    age: policy.kind === 'slow' && policy.pending ? ages.indexOf(policy.slowMs) : -1,
  };
}

export function newJudge(config: BreakerConfig, book: RuleBook): Judge {
  return {
    window: createWindow(config.window, book.slowLimits.length),
    failuresInRow: 0,
    refusedInRow: 0,
    hintUntil: Number.NEGATIVE_INFINITY,
    lumpUntil: Number.NEGATIVE_INFINITY,
    tripped: 0,
  };
}

/** The slow bits of an answer that took `latencyMs`. */
export function slowBits(book: RuleBook, latencyMs: number): number {
  return latencyMs < book.lowestSlowMs ? 0 : reachedBits(book, latencyMs);
}

function reachedBits(book: RuleBook, latencyMs: number): number {
  let bits = 0;
  for (let k = 0; k < book.slowLimits.length; k++) {
    if (latencyMs >= (book.slowLimits[k] ?? Infinity)) bits |= SLOW << k;
  }
  return bits;
}

/**
 * After a success no policy can hold, so that none has to be asked: each wants a failure just now,
 * a marked outcome in the window or a call that is pending.
 */
export function isQuiet(judge: Judge, flights: Flights): boolean {
  return judge.window.totals.marked === 0 && flights.thresholds === 0;
}

export function holds(rule: Rule, judge: Judge, flights: Flights): boolean {
  const { totals } = judge.window;
  switch (rule.kind) {
    case 'consecutive':
      return judge.failuresInRow >= rule.failures;
    case 'count':
    case 'ratio':
    case 'mixed':
      return (
        totals.failures >= rule.failures &&
        totals.calls >= rule.minimumCalls &&
        totals.failures * 10_000 >= rule.rate * totals.calls
      );
    case 'slow': {
      const extra = totals.uncounted + flights.pending(rule.age);
      const calls = totals.calls + extra;
      const slow = (totals.slow[rule.slow] ?? 0) + flights.pending(rule.age);
      return calls >= rule.minimumCalls && slow * 10_000 >= rule.rate * calls;
    }
    case 'refused':
      return judge.refusedInRow >= rule.failures;
    default:
      return unreachable(rule.kind);
  }
}

/** Null when none holds. */
export function firstHolding(rules: readonly Rule[], judge: Judge, flights: Flights): Rule | null {
  for (const rule of rules) if (holds(rule, judge, flights)) return rule;
  return null;
}
