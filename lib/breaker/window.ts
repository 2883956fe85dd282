import type { WindowConfig } from './config-types';
import { unreachable } from './unreachable';

/** Bits of one outcome. Bit `SLOW << k` says that it reached latency threshold `k`. */
export const FAILURE = 1;
/** Weighs in the slow count only: a call that its caller gave up after it had become slow. */
export const UNCOUNTED = 2;
export const SLOW = 4;

/** Running totals over the outcomes that a window holds. */
export class Totals {
  calls = 0;
  /** Outcomes with any bit. While there are none, no policy over the window holds. */
  marked = 0;
  failures = 0;
  uncounted = 0;
  readonly slow: number[];

  constructor(thresholds: number) {
    this.slow = Array.from({ length: thresholds }, () => 0);
  }

  add(bits: number, sign: 1 | -1): void {
    if (bits === 0) this.calls += sign;
    else this.#addMarked(bits, sign);
  }

  #addMarked(bits: number, sign: 1 | -1): void {
    this.marked += sign;
    if ((bits & UNCOUNTED) === 0) {
      this.calls += sign;
      this.failures += (bits & FAILURE) * sign;
    } else this.uncounted += sign;
    if (bits < SLOW) return;
    for (let k = 0; k < this.slow.length; k++) {
      if ((bits & (SLOW << k)) !== 0) this.slow[k] = (this.slow[k] ?? 0) + sign;
    }
  }

  subtract(other: Totals): void {
    this.calls -= other.calls;
    this.marked -= other.marked;
    this.failures -= other.failures;
    this.uncounted -= other.uncounted;
    for (let k = 0; k < this.slow.length; k++) {
      this.slow[k] = (this.slow[k] ?? 0) - (other.slow[k] ?? 0);
    }
  }

  clear(): void {
    this.calls = 0;
    this.marked = 0;
    this.failures = 0;
    this.uncounted = 0;
    this.slow.fill(0);
  }
}

export type OutcomeWindow = {
  readonly totals: Totals;
  /** Purges, then records. */
  add(now: number, bits: number): void;
  /** Drops what is too old at `now`; totals are right only after it. */
  purge(now: number): void;
};

/** The last outcomes, and with `maxAgeMs` only those that are not older. */
class RingWindow implements OutcomeWindow {
  readonly totals: Totals;
  readonly #bits: Uint8Array;
  readonly #times: Float64Array | null;
  readonly #maxAgeMs: number;
  #first = 0;
  #length = 0;

  constructor(size: number, maxAgeMs: number | null, thresholds: number) {
    this.totals = new Totals(thresholds);
    this.#bits = new Uint8Array(size);
    this.#times = maxAgeMs === null ? null : new Float64Array(size);
    this.#maxAgeMs = maxAgeMs ?? 0;
  }

  add(now: number, bits: number): void {
    this.purge(now);
    const size = this.#bits.length;
    if (this.#length === size) this.#drop();
    const at = (this.#first + this.#length) % size;
    this.#bits[at] = bits;
    if (this.#times !== null) this.#times[at] = now;
    this.#length++;
    this.totals.add(bits, 1);
  }

  purge(now: number): void {
    if (this.#times === null) return;
    while (this.#length > 0 && now - (this.#times[this.#first] ?? 0) > this.#maxAgeMs) this.#drop();
  }

  #drop(): void {
    this.totals.add(this.#bits[this.#first] ?? 0, -1);
    this.#first = (this.#first + 1) % this.#bits.length;
    this.#length--;
  }
}

/** Buckets by absolute index, so that an idle stretch drops all of them at once. */
class TimeWindow implements OutcomeWindow {
  readonly totals: Totals;
  readonly #buckets: readonly Totals[];
  readonly #widthMs: number;
  #latest = Number.NEGATIVE_INFINITY;
  #bucket: Totals;

  constructor(durationMs: number, buckets: number, thresholds: number) {
    this.totals = new Totals(thresholds);
    this.#bucket = new Totals(thresholds);
    this.#buckets = [
      this.#bucket,
      ...Array.from({ length: buckets - 1 }, () => new Totals(thresholds)),
    ];
    this.#widthMs = durationMs / buckets;
  }

  add(now: number, bits: number): void {
    this.purge(now);
    this.#bucket.add(bits, 1);
    this.totals.add(bits, 1);
  }

  purge(now: number): void {
    const index = Math.floor(now / this.#widthMs);
    if (index > this.#latest) this.#turn(index);
  }

  #turn(index: number): void {
    const size = this.#buckets.length;
    for (let i = Math.max(this.#latest + 1, index - size + 1); i <= index; i++) {
      const bucket = this.#buckets[((i % size) + size) % size];
      if (bucket === undefined) continue;
      this.totals.subtract(bucket);
      bucket.clear();
      this.#bucket = bucket;
    }
    this.#latest = index;
  }
}

export function createWindow(config: WindowConfig, thresholds: number): OutcomeWindow {
  switch (config.kind) {
    case 'time':
      return new TimeWindow(config.durationMs, config.buckets, thresholds);
    case 'count':
      return new RingWindow(config.size, null, thresholds);
    case 'hybrid':
      return new RingWindow(config.size, config.durationMs, thresholds);
    default:
      return unreachable(config);
  }
}
