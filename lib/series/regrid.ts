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
    baselineP95Ms: b.baselineP95Ms ?? a.baselineP95Ms,
  };
}

function larger(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.max(a, b);
}

/** The resolution that keeps a span under `limit` buckets, from the steps the server uses. */
const RESOLUTIONS_MS = [1, 2, 5, 10, 30, 60, 300, 600, 1800, 3600, 21_600].map((s) => s * 1000);

export function resolutionFor(spanMs: number, limit: number): number {
  return (
    RESOLUTIONS_MS.find((step) => spanMs / step <= limit) ?? Math.ceil(spanMs / limit / 1000) * 1000
  );
}
