import type { Sample } from '../protocol/samples';
import type { SeriesPoint } from '../protocol/views';
import { admittedOf, failuresOf, successesOf } from './call-counts';
import { mergeLatency, packHistogram, type PackedHistogram } from './latency';
import { partOf, spread } from './spread';

export type InstanceSample = {
  readonly instanceId: string;
  readonly at: number;
  readonly sample: Sample;
};

type Told = {
  shareSum: number;
  reports: number;
  step: number | null;
  inFlight: number;
  inFlightAt: number;
};

type Bucket = {
  readonly instances: Map<string, Told>;
  readonly histograms: PackedHistogram[];
  readonly sums: Record<'admitted' | 'refused' | 'successes' | 'failures' | 'slow', number>;
  baseline: Sample['baseline'] | undefined;
};

/**
 * Samples of many instances to buckets of one width. Counts add, histograms merge, shares are the
 * mean over the reporting instances; a bucket that nobody reported in is left out.
 */
export class Aggregator {
  readonly resolutionMs: number;
  readonly #buckets = new Map<number, Bucket>();

  constructor(resolutionMs: number) {
    this.resolutionMs = resolutionMs;
  }

  /** The bucket starts that changed. */
  add({ instanceId, at, sample }: InstanceSample): number[] {
    const width = this.resolutionMs;
    const { first, pieces } = spread({ at, periodMs: sample.periodMs }, width);
    const histogram = packHistogram(sample.latency);
    return Array.from({ length: pieces }, (_, piece) => {
      const startsAt = first + piece * width;
      const cut = (total: number): number => partOf(total, piece, pieces);
      this.#addPiece(
        startsAt,
        instanceId,
        at,
        sample,
        cut,
        pieces === 1 ? histogram : scaled(histogram, cut),
      );
      return startsAt;
    });
  }

  points(): SeriesPoint[] {
    return [...this.#buckets.keys()].sort((a, b) => a - b).flatMap((at) => this.point(at) ?? []);
  }

  point(at: number): SeriesPoint | null {
    const bucket = this.#buckets.get(at);
    if (bucket === undefined) return null;
    const told = [...bucket.instances.values()];
    const steps = told.flatMap((one) => one.step ?? []);
    const latency = mergeLatency(bucket.histograms, [0.5, 0.95]);
    const shares = told.reduce((sum, one) => sum + one.shareSum / one.reports, 0);
    return {
      at,
      instances: told.length,
      share: Math.round((shares / told.length) * 10_000) / 10_000,
      step: steps.length > 0 ? Math.max(...steps) : null,
      ...bucket.sums,
      inFlight: told.reduce((sum, one) => sum + one.inFlight, 0),
      p50Ms: latency.quantiles[0] ?? null,
      p95Ms: latency.quantiles[1] ?? null,
      latencySamples: latency.count,
      baselineP50Ms: bucket.baseline?.p50 ?? null,
      baselineP90Ms: bucket.baseline?.p90 ?? null,
      baselineP95Ms: bucket.baseline?.p95 ?? null,
      baselineP99Ms: bucket.baseline?.p99 ?? null,
    };
  }

  /** Forgets buckets that start before `at`. */
  dropBefore(at: number): void {
    for (const start of this.#buckets.keys()) if (start < at) this.#buckets.delete(start);
  }

  #addPiece(
    startsAt: number,
    instanceId: string,
    at: number,
    sample: Sample,
    cut: (total: number) => number,
    histogram: PackedHistogram,
  ): void {
    const bucket = this.#buckets.get(startsAt) ?? emptyBucket();
    this.#buckets.set(startsAt, bucket);
    const { sums } = bucket;
    sums.admitted += cut(admittedOf(sample.calls));
    sums.refused += cut(sample.calls.not_permitted);
    sums.successes += cut(successesOf(sample.calls));
    sums.failures += cut(failuresOf(sample.calls));
    sums.slow += cut(sample.slow);
    bucket.histograms.push(histogram);
    const { baseline } = sample;
    if (baseline && baseline.samples >= (bucket.baseline?.samples ?? 0)) bucket.baseline = baseline;
    tell(bucket.instances, instanceId, sample, at);
  }
}

function tell(instances: Map<string, Told>, id: string, sample: Sample, at: number): void {
  const told = instances.get(id) ?? {
    shareSum: 0,
    reports: 0,
    step: null,
    inFlight: 0,
    inFlightAt: -1,
  };
  instances.set(id, told);
  told.shareSum += sample.share;
  told.reports++;
  if (sample.state === 'half_open' && sample.step !== null) {
    told.step = Math.max(told.step ?? 0, sample.step);
  }
  if (at >= told.inFlightAt) {
    told.inFlight = sample.inFlight;
    told.inFlightAt = at;
  }
}

function emptyBucket(): Bucket {
  return {
    instances: new Map(),
    histograms: [],
    sums: { admitted: 0, refused: 0, successes: 0, failures: 0, slow: 0 },
    baseline: undefined,
  };
}

function scaled(histogram: PackedHistogram, cut: (total: number) => number): PackedHistogram {
  const pairs = histogram.pairs.map((value, at) => (at % 2 === 0 ? value : cut(value)));
  return { pairs, maxMs: histogram.maxMs };
}
