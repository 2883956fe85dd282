import { byInstance } from './events';
import { attempts } from './steps';
import type { Attempt } from './steps';
import { quantileOf } from './quantiles';
import type { EventLike, PointLike, ProbeLike, TimeDomain } from './types';

export type RecoveryFigures = {
  /** Stays in half-open, over all instances. */
  readonly attempts: number;
  readonly recovered: number;
  readonly fellBack: number;
  /** Of the attempts that ended by themselves; null when none has. */
  readonly fellBackShare: number | null;
  readonly probesPerRecovery: number | null;
  /** Median from entering half-open to closed. */
  readonly timeToCloseMs: number | null;
};

/** How the breaker recovered in this range: the figures one tunes its steps and timeouts with. */
export function recoveryFigures(
  events: readonly EventLike[],
  probes: readonly ProbeLike[],
  instanceId?: string,
): RecoveryFigures {
  const groups = byInstance(events);
  const probesOf = byInstance(probes);
  const ids = instanceId === undefined ? [...groups.keys()] : [instanceId];
  const runs = ids.flatMap((id) =>
    attempts(groups.get(id) ?? []).map((attempt) => ({ id, attempt })),
  );
  const recovered = runs.filter((run) => run.attempt.outcome === 'recovered');
  const fellBack = runs.filter((run) => run.attempt.outcome === 'fell_back').length;
  const ended = recovered.length + fellBack;
  const probeCount = recovered.reduce(
    (sum, { id, attempt }) => sum + probesIn(probesOf.get(id) ?? [], attempt),
    0,
  );
  return {
    attempts: runs.length,
    recovered: recovered.length,
    fellBack,
    fellBackShare: ended === 0 ? null : fellBack / ended,
    probesPerRecovery: recovered.length === 0 ? null : probeCount / recovered.length,
    timeToCloseMs: quantileOf(
      recovered.map(({ attempt }) => (attempt.endedAt ?? attempt.startedAt) - attempt.startedAt),
      0.5,
    ),
  };
}

function probesIn(probes: readonly ProbeLike[], attempt: Attempt): number {
  const end = attempt.endedAt ?? Infinity;
  return probes.filter((probe) => probe.at >= attempt.startedAt && probe.at <= end).length;
}

export type AfterClose = {
  readonly closedAt: number;
  readonly instances: readonly string[];
  readonly calls: number;
  readonly failureShare: number | null;
  readonly p95Ms: number | null;
  readonly baselineP95Ms: number | null;
  readonly settled: boolean;
};

const FIRST_CALLS = 100;
const FIRST_MS = 60_000;

/**
 * The first 100 calls or the first minute after a close, whichever ends sooner, against the
 * baseline. Percentiles of buckets cannot be averaged, so the worst bucket stands for the stretch.
 */
export function afterClose(
  points: readonly PointLike[],
  close: Close,
  known: TimeDomain,
): AfterClose {
  const closedAt = close.at;
  const window = points.filter((point) => point.at >= closedAt && point.at < closedAt + FIRST_MS);
  let calls = 0;
  let failures = 0;
  let worst: number | null = null;
  let baseline: number | null = null;
  for (const point of window) {
    if (calls >= FIRST_CALLS) break;
    calls += point.successes + point.failures;
    failures += point.failures;
    if (point.p95Ms !== null) worst = Math.max(worst ?? 0, point.p95Ms);
    baseline = point.baselineP95Ms ?? baseline;
  }
  return {
    closedAt,
    instances: close.instances,
    calls,
    failureShare: calls === 0 ? null : failures / calls,
    p95Ms: worst,
    baselineP95Ms: baseline,
    settled: calls >= FIRST_CALLS || known.to >= closedAt + FIRST_MS,
  };
}

/** Closes nearer than this are one recovery: the copies of a breaker close together. */
const TOGETHER_MS = 15_000;

export type Close = { readonly at: number; readonly instances: readonly string[] };

/** When the breaker went from half-open to closed, newest first; with whom. */
export function closes(events: readonly EventLike[], instanceId?: string): Close[] {
  const single = [...byInstance(events)]
    .filter(([id]) => instanceId === undefined || id === instanceId)
    .flatMap(([, list]) =>
      attempts(list).flatMap((attempt) =>
        attempt.outcome === 'recovered' && attempt.endedAt !== null
          ? [{ at: attempt.endedAt, instance: list[0]?.instance ?? '' }]
          : [],
      ),
    )
    .sort((a, b) => a.at - b.at);
  const groups: Close[] = [];
  for (const { at, instance } of single) {
    const last = groups.at(-1);
    if (last === undefined || at - last.at > TOGETHER_MS)
      groups.push({ at, instances: [instance] });
    else groups[groups.length - 1] = { ...last, instances: [...last.instances, instance] };
  }
  return groups.toReversed();
}
