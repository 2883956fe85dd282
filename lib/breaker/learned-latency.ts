import { LatencyHistogram } from '../stats/latency-histogram';
import type { SparseHistogram } from '../stats/sparse';

/** Latencies in ms at four quantiles, and of how many samples they are. */
export type Quantiles = {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly samples: number;
};

type Anchor = Omit<Quantiles, 'samples'> & { readonly at: number };

export type SavedLatency = {
  readonly latency: SparseHistogram;
  /** What a day's drift is measured from; null while too little is known. */
  readonly anchor: (Omit<Quantiles, 'samples'> & { readonly ageMs: number }) | null;
};

const DAY_MS = 86_400_000;
/** Fewer samples are no normal to measure a drift from: their P99 is a guess. */
const ANCHOR_SAMPLES = 1_000;
/** A clock that counts whole milliseconds calls a fast target 0; a factor of that is nothing. */
const LEAST_DRIFT_MS = 1;

/**
 * The latencies of one class of calls. What is read may differ from what was seen: within a day it
 * moves by a bounded factor, so that a slow decay does not become the normal that it is held to.
 */
export class LearnedLatency {
  readonly #driftPerDay: number;
  #histogram = new LatencyHistogram();
  #anchor: Anchor | null = null;

  constructor(driftPerDay: number) {
    this.#driftPerDay = driftPerDay;
  }

  get histogram(): LatencyHistogram {
    return this.#histogram;
  }

  merge(other: LatencyHistogram, at: number): void {
    this.#histogram.merge(other);
    if (this.#histogram.count < ANCHOR_SAMPLES) return;
    if (this.#anchor !== null && at - this.#anchor.at < DAY_MS) return;
    const { samples: _samples, ...values } = this.read();
    if (Number.isFinite(values.p99)) this.#anchor = { ...values, at };
  }

  halve(): void {
    this.#histogram.halve();
  }

  read(): Quantiles {
    return {
      p50: this.#capped('p50', 0.5),
      p90: this.#capped('p90', 0.9),
      p95: this.#capped('p95', 0.95),
      p99: this.#capped('p99', 0.99),
      samples: this.#histogram.count,
    };
  }

  save(now: number): SavedLatency {
    const latency = this.#histogram.toSparse();
    if (this.#anchor === null) return { latency, anchor: null };
    const { at, ...values } = this.#anchor;
    return { latency, anchor: { ...values, ageMs: now - at } };
  }

  load({ latency, anchor }: SavedLatency, at: number): void {
    this.#histogram = LatencyHistogram.fromSparse(latency);
    if (anchor === null) return;
    const { ageMs, ...values } = anchor;
    this.#anchor = { ...values, at: at - ageMs };
  }

  #capped(name: 'p50' | 'p90' | 'p95' | 'p99', q: number): number {
    const seen = this.#histogram.quantile(q);
    if (this.#anchor === null) return seen;
    const from = this.#anchor[name];
    const most = Math.max(from * this.#driftPerDay, from + LEAST_DRIFT_MS);
    const least = Math.min(from / this.#driftPerDay, from - LEAST_DRIFT_MS);
    return Math.min(most, Math.max(least, seen));
  }
}
