import { objectIn } from './backoff';
import type { CurrentAttempt } from './diagnose';
import { inOrder, numberIn, textIn } from './events';
import { holdLine, quantileFor, quantileOf, type Baseline } from './quantiles';
import type { EventLike, ProbeLike } from './types';

/** How a breaker judges the latency of its probes; null in its options means: not at all. */
export type LatencyRule = {
  readonly holdMultiple: number;
  readonly releaseMultiple: number;
  readonly floorMs: number;
};

type Plain = Readonly<Record<string, unknown>>;

export function latencyRule(config: Plain | null): LatencyRule | null {
  const recovery = config && objectIn(config, 'recovery');
  const latency = recovery && objectIn(recovery, 'latency');
  if (!latency) return null;
  return {
    holdMultiple: numberIn(latency, 'holdMultiple') ?? 3,
    releaseMultiple: numberIn(latency, 'releaseMultiple') ?? 2,
    floorMs: numberIn(latency, 'floorMs') ?? 20,
  };
}

/** The same quantile of the baseline; the two are compared with each other and with nothing else. */
export function baselineAt(baseline: Baseline, quantile: number | null): number | null {
  const by: Record<string, number | null> = {
    '0.5': baseline.p50Ms,
    '0.9': baseline.p90Ms,
    '0.95': baseline.p95Ms,
    '0.99': baseline.p99Ms,
  };
  return by[String(quantile)] ?? null;
}

/** From this many answers on there is a quantile to speak of. */
export const LEAST_ANSWERS = 5;

/**
 * `held` and `released` are the word of the instance; the others are counted here, from the probes
 * of the step it is on. `undecided` is a state of its own: it neither advances nor falls back.
 */
export type Verdict = {
  readonly kind: 'off' | 'undecided' | 'no_baseline' | 'within' | 'above' | 'held' | 'released';
  readonly quantile: number | null;
  readonly samples: number;
  readonly valueMs: number | null;
  readonly baselineMs: number | null;
  /** Above this it holds. */
  readonly limitMs: number | null;
  readonly cause: string | null;
  readonly since: number | null;
};

const NOTHING: Verdict = {
  kind: 'undecided',
  quantile: null,
  samples: 0,
  valueMs: null,
  baselineMs: null,
  limitMs: null,
  cause: null,
  since: null,
};

export type VerdictSource = {
  readonly events: readonly EventLike[];
  readonly probes: readonly ProbeLike[];
  readonly baseline: Baseline;
  readonly rule: LatencyRule | null;
};

/** What the latency of the step rests on that an attempt is on, or ended on. */
export function latencyVerdict(source: VerdictSource, shown: CurrentAttempt): Verdict {
  const { rule } = source;
  if (rule === null) return { ...NOTHING, kind: 'off' };
  return toldVerdict(source.events, shown, rule) ?? countedVerdict(source, shown, rule);
}

const within = (at: number, { attempt }: CurrentAttempt) =>
  at >= attempt.stepStartedAt && at <= (attempt.endedAt ?? Infinity);

/** The latest hold or release of this step, when it came with figures or still stands. */
function toldVerdict(
  events: readonly EventLike[],
  shown: CurrentAttempt,
  rule: LatencyRule,
): Verdict | null {
  const told = inOrder(events).findLast(
    ({ type, instanceId, at }) =>
      (type === 'hold' || type === 'release') &&
      instanceId === shown.instanceId &&
      within(at, shown),
  );
  if (told === undefined) return null;
  const valueMs = numberIn(told.data, 'valueMs');
  if (told.type === 'release' && valueMs === null) return null;
  const baselineMs = numberIn(told.data, 'baselineMs');
  return {
    kind: told.type === 'hold' ? 'held' : 'released',
    quantile: numberIn(told.data, 'quantile'),
    samples: numberIn(told.data, 'samples') ?? 0,
    valueMs,
    baselineMs,
    limitMs: holdLine(baselineMs, rule.holdMultiple, rule.floorMs),
    cause: textIn(told.data, 'cause'),
    since: told.at,
  };
}

function countedVerdict(
  { probes, baseline }: VerdictSource,
  shown: CurrentAttempt,
  rule: LatencyRule,
): Verdict {
  const answers = probes
    .filter(
      (probe) =>
        probe.instanceId === shown.instanceId &&
        probe.outcome === 'success' &&
        within(probe.at, shown),
    )
    .map((probe) => probe.latencyMs);
  const samples = answers.length;
  const quantile = quantileFor(samples);
  if (quantile === null) return { ...NOTHING, samples };
  const valueMs = quantileOf(answers, quantile);
  const baselineMs = baselineAt(baseline, quantile);
  const limitMs = holdLine(baselineMs, rule.holdMultiple, rule.floorMs);
  const kind =
    valueMs === null || limitMs === null
      ? ('no_baseline' as const)
      : valueMs > limitMs
        ? ('above' as const)
        : ('within' as const);
  return { ...NOTHING, kind, quantile, samples, valueMs, baselineMs, limitMs };
}
