import type { PointLike } from './types';

/**
 * Buckets of `resolutionMs` from finer ones: sums are added, shares weighted by the instances that
 * reported. A quantile cannot be averaged; the slowest of the merged buckets stands for them, and
 * `latencySamples` says over how many.
 */
export function regrid(points: readonly PointLike[], resolutionMs: number): PointLike[] {
  const buckets = new Map<number, PointLike>();
  for (const point of points) {
    const at = Math.floor(point.at / resolutionMs) * resolutionMs;
    const before = buckets.get(at);
    buckets.set(at, before ? join(before, point) : { ...point, at });
  }
  return [...buckets.values()].sort((a, b) => a.at - b.at);
}

function join(a: PointLike, b: PointLike): PointLike {
  const weight = a.instances + b.instances;
  return {
    at: a.at,
    instances: Math.max(a.instances, b.instances),
    share: weight === 0 ? 0 : (a.share * a.instances + b.share * b.instances) / weight,
    step: larger(a.step, b.step),
    admitted: a.admitted + b.admitted,
    refused: a.refused + b.refused,
    successes: a.successes + b.successes,
    failures: a.failures + b.failures,
    slow: a.slow + b.slow,
    inFlight: Math.max(a.inFlight, b.inFlight),
    p50Ms: larger(a.p50Ms, b.p50Ms),
    p95Ms: larger(a.p95Ms, b.p95Ms),
    latencySamples: a.latencySamples + b.latencySamples,
    baselineP50Ms: b.baselineP50Ms ?? a.baselineP50Ms,
    baselineP90Ms: b.baselineP90Ms ?? a.baselineP90Ms,
    baselineP95Ms: b.baselineP95Ms ?? a.baselineP95Ms,
    baselineP99Ms: b.baselineP99Ms ?? a.baselineP99Ms,
  };
}

function larger(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.max(a, b);
}
