import { bucketIndex, bucketValueMs, OVERFLOW_INDEX } from './buckets';
import type { SparseHistogram } from './sparse';

/** Counts grow in runs of one power of two of latency. */
const CHUNK = 32;

/**
 * Mergeable latency histogram with a relative error below 2 %. Memory follows the range of values
 * seen, not their number. A timeout is recorded as Infinity: it weighs in every quantile, but not
 * in the sum or the maximum.
 */
export class LatencyHistogram {
  /** Two bytes a bucket until a count needs more: there are several histograms in a breaker. */
  #counts: Uint16Array | Uint32Array = new Uint16Array(0);
  /** Bucket index of `#counts[0]`. */
  #base = 0;
  #overflow = 0;
  #count = 0;
  #sumMs = 0;
  #maxMs = 0;

  get count(): number {
    return this.#count;
  }

  /** Sum of the finite values. */
  get sumMs(): number {
    return this.#sumMs;
  }

  /** Largest finite value. */
  get maxMs(): number {
    return this.#maxMs;
  }

  /** Total: NaN is left out, a negative value counts as 0. */
  record(ms: number): void {
    if (ms >= 0 && ms < Infinity) {
      this.#add(bucketIndex(ms), 1);
      this.#sumMs += ms;
      if (ms > this.#maxMs) this.#maxMs = ms;
    } else if (!Number.isNaN(ms)) this.#add(bucketIndex(ms), 1);
  }

  /** Nearest rank: 0 when empty, Infinity when the rank falls among the timeouts. */
  quantile(q: number): number {
    if (this.#count === 0) return 0;
    const rank = Math.max(1, Math.ceil(Math.min(1, Math.max(0, q)) * this.#count));
    let seen = 0;
    for (let i = 0; i < this.#counts.length; i++) {
      seen += this.#counts[i] ?? 0;
      if (seen >= rank) return Math.min(bucketValueMs(this.#base + i), this.#maxMs);
    }
    return Infinity;
  }

  merge(other: LatencyHistogram): void {
    other.#eachBucket((index, count) => this.#add(index, count));
    this.#sumMs += other.#sumMs;
    this.#maxMs = Math.max(this.#maxMs, other.#maxMs);
  }

  /**
   * Halves the counts, so that old values weigh less than new ones. What one bucket loses to rounding
   * the next one gets, or a thin tail would vanish.
   */
  halve(): void {
    let count = 0;
    let carry = 0;
    for (let i = 0; i < this.#counts.length; i++) {
      const whole = (this.#counts[i] ?? 0) + carry;
      const half = whole >>> 1;
      carry = whole & 1;
      this.#counts[i] = half;
      count += half;
    }
    this.#overflow = (this.#overflow + carry) >>> 1;
    this.#count = count + this.#overflow;
    this.#sumMs /= 2;
  }

  reset(): void {
    this.#counts.fill(0);
    this.#overflow = 0;
    this.#count = 0;
    this.#sumMs = 0;
    this.#maxMs = 0;
  }

  toSparse(): SparseHistogram {
    const buckets: [number, number][] = [];
    this.#eachBucket((index, count) => buckets.push([index, count]));
    return { buckets, count: this.#count, sumMs: this.#sumMs, maxMs: this.#maxMs };
  }

  /** Total: pairs that no histogram could have written are left out. */
  static fromSparse(sparse: SparseHistogram): LatencyHistogram {
    const histogram = new LatencyHistogram();
    for (const [index, count] of sparse.buckets) {
      if (!Number.isInteger(index) || index < 0 || index > OVERFLOW_INDEX) continue;
      if (!Number.isInteger(count) || count <= 0) continue;
      histogram.#add(index, count);
    }
    histogram.#sumMs = finite(sparse.sumMs);
    histogram.#maxMs = finite(sparse.maxMs);
    return histogram;
  }

  #add(index: number, count: number): void {
    this.#count += count;
    const at = index - this.#base;
    if (at >= 0 && at < this.#counts.length) this.#put(at, count);
    else this.#addOutside(index, count);
  }

  #put(at: number, count: number): void {
    const sum = (this.#counts[at] ?? 0) + count;
    this.#counts[at] = sum;
    if (this.#counts[at] !== sum) this.#widen(at, sum);
  }

  /** The count did not fit. */
  #widen(at: number, count: number): void {
    this.#counts = Uint32Array.from(this.#counts);
    this.#counts[at] = count;
  }

  #addOutside(index: number, count: number): void {
    if (index === OVERFLOW_INDEX) {
      this.#overflow += count;
      return;
    }
    this.#grow(index);
    this.#put(index - this.#base, count);
  }

  #grow(index: number): void {
    const chunk = Math.floor(index / CHUNK) * CHUNK;
    const empty = this.#counts.length === 0;
    const low = empty ? chunk : Math.min(this.#base, chunk);
    const end = empty ? 0 : this.#base + this.#counts.length;
    // The overflow is counted by itself.
    const high = Math.min(Math.max(end, chunk + CHUNK), OVERFLOW_INDEX);
    const wide = this.#counts instanceof Uint32Array;
    const counts = wide ? new Uint32Array(high - low) : new Uint16Array(high - low);
    counts.set(this.#counts, empty ? 0 : this.#base - low);
    this.#counts = counts;
    this.#base = low;
  }

  #eachBucket(visit: (index: number, count: number) => void): void {
    for (let i = 0; i < this.#counts.length; i++) {
      const count = this.#counts[i] ?? 0;
      if (count > 0) visit(this.#base + i, count);
    }
    if (this.#overflow > 0) visit(OVERFLOW_INDEX, this.#overflow);
  }
}

function finite(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0;
}
