import { admittedShare } from './ramp';
import { stateAt } from './bands';
import type { Band } from './bands';
import type { GapMark } from './marks';
import type { Opening } from './openings';
import type { PointLike, ProbeLike } from './types';

/** The bucket that covers `at`, or null: between buckets nothing is known. */
export function bucketAt(
  points: readonly PointLike[],
  resolutionMs: number,
  at: number,
): PointLike | null {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  const point = points[low - 1];
  if (point === undefined || point.instances === 0) return null;
  return at < point.at + resolutionMs ? point : null;
}

export type Reading = {
  readonly at: number;
  readonly state: string;
  /** Null where nothing was reported. */
  readonly allowed: number | null;
  readonly admitted: number | null;
  readonly refusedPerSecond: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly samples: number;
  readonly probes: number;
  readonly failedProbes: number;
  readonly opening: Opening | null;
  /** Why something is missing here. */
  readonly missing: readonly string[];
};

export type ReadingSource = {
  readonly points: readonly PointLike[];
  readonly probes: readonly ProbeLike[];
  readonly bands: readonly Band[];
  readonly openings: readonly Opening[];
  readonly gaps: readonly GapMark[];
  readonly resolutionMs: number;
};

/** Everything the three charts show at one instant; hover and keyboard both read this. */
export function readAt(source: ReadingSource, at: number): Reading {
  const { resolutionMs } = source;
  const point = bucketAt(source.points, resolutionMs, at);
  const from = point?.at ?? Math.floor(at / resolutionMs) * resolutionMs;
  const near = source.probes.filter((probe) => probe.at >= from && probe.at < from + resolutionMs);
  return {
    at,
    state: stateAt(source.bands, at),
    allowed: point?.share ?? null,
    admitted: point === null ? null : admittedShare(point),
    refusedPerSecond: point === null ? null : point.refused / (resolutionMs / 1000),
    p50Ms: point?.p50Ms ?? null,
    p95Ms: point?.p95Ms ?? null,
    samples: point?.latencySamples ?? 0,
    probes: near.length,
    failedProbes: near.filter((probe) => !isAnswer(probe.outcome)).length,
    opening: source.openings.find((one) => at >= one.openedAt && at < one.retryAt) ?? null,
    missing: source.gaps.find((gap) => at >= gap.from && at < gap.to)?.reasons ?? [],
  };
}

function isAnswer(outcome: string): boolean {
  return outcome === 'success' || outcome === 'client_error';
}
