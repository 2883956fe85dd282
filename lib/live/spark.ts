import type { Sample } from '../protocol/samples';
import { failuresOf, successesOf } from './call-counts';
import { shareOf } from './rate-window';

export const SPARK_BUCKET_MS = 5_000;
export const SPARK_BUCKETS = 60;
const MINUTE_BUCKETS = 12;

type SparkView = { readonly spark: (number | null)[]; readonly sparkEndsAt: number };

/** Five minutes of one logical breaker: the share of its calls that failed or were turned away. */
export class Spark {
  readonly #bad = new Float64Array(SPARK_BUCKETS);
  readonly #all = new Float64Array(SPARK_BUCKETS);
  /** Number of the newest bucket, counted from the epoch. */
  #newest = -1;
  /** The same list is given until something changes: most readers only compare it. */
  #read: SparkView | null = null;

  add(sample: Sample, at: number): void {
    const bucket = Math.floor((at - sample.periodMs / 2) / SPARK_BUCKET_MS);
    this.#moveTo(bucket);
    if (bucket <= this.#newest - SPARK_BUCKETS || bucket < 0) return;
    const failures = failuresOf(sample.calls);
    const refused = sample.calls.not_permitted;
    const slot = bucket % SPARK_BUCKETS;
    this.#read = null;
    this.#bad[slot] = (this.#bad[slot] ?? 0) + failures + refused;
    this.#all[slot] = (this.#all[slot] ?? 0) + failures + successesOf(sample.calls) + refused;
  }

  hasData(now: number): boolean {
    this.#moveTo(Math.floor(now / SPARK_BUCKET_MS));
    return this.#all.some((calls) => calls > 0);
  }

  /** Calls that arrived in the last minute, admitted or not, per second. */
  callsPerSecond(now: number): number {
    this.#moveTo(Math.floor(now / SPARK_BUCKET_MS));
    const first = this.#newest - MINUTE_BUCKETS;
    let calls = 0;
    for (let bucket = Math.max(0, first); bucket <= this.#newest; bucket++) {
      calls += this.#all[bucket % SPARK_BUCKETS] ?? 0;
    }
    // The newest bucket has only just begun.
    const spanMs = Math.max(SPARK_BUCKET_MS, now - first * SPARK_BUCKET_MS);
    return Math.round((calls * 1_000_000) / spanMs) / 1_000;
  }

  /** Oldest first, the last bucket holding `now`. */
  read(now: number): SparkView {
    this.#moveTo(Math.floor(now / SPARK_BUCKET_MS));
    this.#read ??= this.#compute();
    return this.#read;
  }

  #compute(): SparkView {
    const oldest = this.#newest - SPARK_BUCKETS + 1;
    const spark = Array.from({ length: SPARK_BUCKETS }, (_, at) => {
      const slot = (((oldest + at) % SPARK_BUCKETS) + SPARK_BUCKETS) % SPARK_BUCKETS;
      return shareOf(this.#bad[slot] ?? 0, this.#all[slot] ?? 0);
    });
    return { spark, sparkEndsAt: (this.#newest + 1) * SPARK_BUCKET_MS };
  }

  #moveTo(bucket: number): void {
    if (bucket > this.#newest) this.#read = null;
    const first = Math.max(this.#newest + 1, bucket - SPARK_BUCKETS + 1);
    for (let next = first; next <= bucket; next++) {
      this.#bad[next % SPARK_BUCKETS] = 0;
      this.#all[next % SPARK_BUCKETS] = 0;
    }
    this.#newest = Math.max(this.#newest, bucket);
  }
}
