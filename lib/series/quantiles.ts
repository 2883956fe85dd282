import type { PointLike, ProbeLike } from './types';
import { probeShape } from './probes';

/** The ladder of the specification (3.2): the largest quantile that the sample supports. */
const LADDER = [
  { from: 300, quantile: 0.99 },
  { from: 59, quantile: 0.95 },
  { from: 20, quantile: 0.9 },
  { from: 5, quantile: 0.5 },
] as const;

/** Null means undecided: too few samples for any quantile. */
export function quantileFor(samples: number): number | null {
  return LADDER.find((rung) => samples >= rung.from)?.quantile ?? null;
}

/** Nearest rank over values in any order; null without values. */
export function quantileOf(values: readonly number[], quantile: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(quantile * sorted.length));
  return sorted[rank - 1] ?? null;
}

export type LatencyReading = {
  /** Null: undecided. */
  readonly quantile: number | null;
  readonly valueMs: number | null;
  readonly samples: number;
};

/**
 * Latency of the probes that succeeded, at the quantile their number supports. Fast failures would
 * pull it down and have their own rule; timeouts are shown beside it.
 */
export function probeLatency(
  probes: readonly Pick<ProbeLike, 'outcome' | 'latencyMs'>[],
): LatencyReading {
  const values = probes
    .filter((probe) => probeShape(probe.outcome) === 'success')
    .map((probe) => probe.latencyMs);
  const quantile = quantileFor(values.length);
  return {
    quantile,
    valueMs: quantile === null ? null : quantileOf(values, quantile),
    samples: values.length,
  };
}

/** P99 for the runbook: below 100 samples it is the maximum and must be called that. */
export function tailLatency(
  probes: readonly Pick<ProbeLike, 'outcome' | 'latencyMs'>[],
): { readonly kind: 'p99' | 'max'; readonly valueMs: number; readonly samples: number } | null {
  const values = probes
    .filter((probe) => probeShape(probe.outcome) === 'success')
    .map((probe) => probe.latencyMs);
  const kind = values.length < 100 ? 'max' : 'p99';
  const valueMs = quantileOf(values, kind === 'max' ? 1 : 0.99);
  return valueMs === null ? null : { kind, valueMs, samples: values.length };
}

export type QuantileRow = {
  readonly at: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly samples: number;
};

/**
 * The two measured quantiles per bucket, at the middle of the bucket. A bucket with fewer than five
 * samples is undecided and draws nothing; a missing bucket breaks the line.
 */
export function quantileSeries(points: readonly PointLike[], resolutionMs: number): QuantileRow[] {
  const rows: QuantileRow[] = [];
  let previous: number | null = null;
  for (const point of points) {
    if (point.instances === 0) continue;
    if (previous !== null && point.at - previous > resolutionMs * 1.5) {
      rows.push({ at: previous + resolutionMs, p50Ms: null, p95Ms: null, samples: 0 });
    }
    const decided = quantileFor(point.latencySamples) !== null;
    rows.push({
      at: point.at + resolutionMs / 2,
      p50Ms: decided ? point.p50Ms : null,
      p95Ms: decided ? point.p95Ms : null,
      samples: point.latencySamples,
    });
    previous = point.at;
  }
  return rows;
}

export type Baseline = {
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
};

type BaselineKey = Extract<keyof PointLike, `baseline${string}`>;

/** The latest baseline that a bucket carried; frozen while the breaker is not closed. */
export function baselineOf(points: readonly PointLike[]): Baseline {
  const latest = (key: BaselineKey) =>
    points.findLast((point) => point[key] !== null)?.[key] ?? null;
  return {
    p50Ms: latest('baselineP50Ms'),
    p90Ms: latest('baselineP90Ms'),
    p95Ms: latest('baselineP95Ms'),
    p99Ms: latest('baselineP99Ms'),
  };
}

/** Above this the ramp is held: a multiple of the baseline, never below the absolute floor. */
export function holdLine(
  baselineMs: number | null,
  holdMultiple: number | null,
  floorMs = 0,
): number | null {
  if (baselineMs === null || holdMultiple === null) return null;
  return Math.max(baselineMs * holdMultiple, floorMs);
}
