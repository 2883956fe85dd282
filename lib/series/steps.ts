import { inOrder, numberIn, readTransition } from './events';
import { objectIn } from './backoff';
import type { EventLike } from './types';

export type StepRow = {
  readonly step: number;
  readonly share: number;
  readonly minimum: number;
  readonly successes: number | null;
  readonly failures: number | null;
  readonly tookMs: number | null;
  readonly status: 'done' | 'now' | 'ahead' | 'failed';
};

export type RampRule = {
  readonly shares: readonly number[];
  readonly minimums: readonly number[];
  readonly stepMs: readonly number[];
};

type Plain = Readonly<Record<string, unknown>>;

const DEFAULT_SHARES = [0.1, 0.3, 0.6, 1];
const DEFAULT_MINIMUMS = [5, 10, 20, 20];

/** A number or a list under `key`; a list shorter than the steps repeats its last value. */
function perStep(data: Plain, key: string, steps: number, fallback: readonly number[]): number[] {
  const value = data[key];
  const list = typeof value === 'number' ? [value] : Array.isArray(value) ? value : fallback;
  const numbers = list.filter((item): item is number => typeof item === 'number');
  return Array.from(
    { length: steps },
    (_, index) => numbers[index] ?? numbers.at(-1) ?? fallback.at(-1) ?? 0,
  );
}

/** The recovery steps out of the reported options; an admission without steps is one step. */
export function rampRule(config: Plain): RampRule | null {
  const recovery = objectIn(config, 'recovery');
  if (recovery === null) return null;
  const admission = objectIn(recovery, 'admission') ?? {};
  const shares = stepShares(admission);
  return {
    shares,
    minimums: perStep(recovery, 'minimumSuccesses', shares.length, DEFAULT_MINIMUMS),
    stepMs: perStep(recovery, 'stepMs', shares.length, [5_000]),
  };
}

function stepShares(admission: Plain): readonly number[] {
  const kind = admission['kind'] ?? 'ramp';
  if (kind === 'ramp' || kind === 'sticky') {
    const steps = admission['steps'];
    if (!Array.isArray(steps)) return DEFAULT_SHARES;
    return steps.filter((item): item is number => typeof item === 'number');
  }
  return [numberIn(admission, kind === 'percent' ? 'share' : 'low') ?? 1];
}

export type Attempt = {
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Index of the step it is on, or ended on. */
  readonly step: number;
  readonly outcome: 'running' | 'recovered' | 'fell_back' | 'overridden';
  readonly done: readonly {
    readonly successes: number;
    readonly failures: number;
    readonly tookMs: number;
  }[];
  readonly stepStartedAt: number;
  /** Counted failures of the step that fell back, when the report had them. */
  readonly failures: number | null;
};

/** Every stay in half-open of one instance, oldest first. */
export function attempts(events: readonly EventLike[]): Attempt[] {
  const list: Attempt[] = [];
  let run: Attempt | null = null;
  for (const event of inOrder(events)) {
    const change = readTransition(event);
    const stays = change?.from === 'half_open' && change.to === 'half_open';
    if (run !== null && (stays || event.type === 'step')) {
      run = advance(run, event);
    } else if (change !== null) {
      if (run !== null && change.from === 'half_open') {
        list.push(finish(run, change.at, change.to, change.failures));
        run = null;
      }
      if (change.to === 'half_open') run = begin(event.at);
    }
  }
  return run === null ? list : [...list, run];
}

function begin(at: number): Attempt {
  return {
    startedAt: at,
    endedAt: null,
    step: 0,
    outcome: 'running',
    done: [],
    stepStartedAt: at,
    failures: null,
  };
}

function advance(run: Attempt, event: EventLike): Attempt {
  const step = numberIn(event.data, 'step') ?? run.step + 1;
  const ended = {
    successes: numberIn(event.data, 'successes') ?? 0,
    failures: numberIn(event.data, 'failures') ?? 0,
    tookMs: numberIn(event.data, 'tookMs') ?? event.at - run.stepStartedAt,
  };
  // A soft fallback goes one step back: what was done from there on has to be done again.
  const done = step > run.step ? [...run.done, ended] : run.done.slice(0, step);
  return { ...run, step, done, stepStartedAt: event.at };
}

function finish(run: Attempt, at: number, to: string, failures: number | null): Attempt {
  return { ...run, endedAt: at, failures, outcome: outcomeOf(to) };
}

function outcomeOf(to: string): Attempt['outcome'] {
  if (to === 'closed') return 'recovered';
  return to === 'open' ? 'fell_back' : 'overridden';
}

/** Counts of the step that runs now, from the probes since it began. */
export type Running = { readonly successes: number; readonly failures: number };

/** One row for every configured step of the given attempt; `ahead` where it has not come yet. */
export function stepTable(
  rule: RampRule,
  attempt: Attempt | null,
  now: number,
  running: Running | null,
): StepRow[] {
  return rule.shares.map((share, step) => {
    const minimum = rule.minimums[step] ?? 0;
    const done = attempt?.done[step];
    const blank = { step, share, minimum, successes: null, failures: null, tookMs: null };
    if (attempt === null) return { ...blank, status: 'ahead' };
    if (done !== undefined) return { ...blank, ...done, status: 'done' };
    if (step !== attempt.step) return { ...blank, status: 'ahead' };
    return {
      ...blank,
      successes: running?.successes ?? null,
      failures: running?.failures ?? attempt.failures,
      tookMs: (attempt.endedAt ?? now) - attempt.stepStartedAt,
      status: statusOf(attempt.outcome),
    };
  });
}

function statusOf(outcome: Attempt['outcome']): StepRow['status'] {
  if (outcome === 'running') return 'now';
  return outcome === 'recovered' ? 'done' : 'failed';
}

/** Time to full traffic if nothing fails: the dwell left of this step and of all after it. */
export function timeToFull(rule: RampRule, attempt: Attempt, now: number): number {
  return rule.stepMs.reduce((sum, dwell, step) => {
    if (step < attempt.step) return sum;
    if (step > attempt.step) return sum + dwell;
    return sum + Math.max(0, dwell - (now - attempt.stepStartedAt));
  }, 0);
}
