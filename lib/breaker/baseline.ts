import { LatencyHistogram } from '../stats/latency-histogram';
import type { BreakerConfig } from './config-types';

/** What was normal before the trip. */
export type Baseline = {
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly samples: number;
  readonly callsPerMs: number;
  readonly inFlight: number;
  readonly errorRate: number;
};

const MINIMUM_SAMPLES = 20;
/** Above it old samples are halved, so that the baseline follows the service. */
const MAXIMUM_SAMPLES = 20_000;
/** A window is cut into this many slices; the youngest ones are dropped at a trip. */
const SLICES = 4;
const WEIGHT = 0.2;

type Slice = {
  startedAt: number;
  admitted: number;
  calls: number;
  failures: number;
  busyMs: number;
  latency: LatencyHistogram;
};

/**
 * Learns from closed calls. The minutes before a trip are often slow already, so that a slice is
 * believed only when a whole window has passed after it.
 */
export class BaselineLearner {
  readonly #sliceMs: number;
  readonly #sliceCalls: number;
  #latency = new LatencyHistogram();
  #callsPerMs = 0;
  #inFlight = 0;
  #calls = 0;
  #failures = 0;
  #measured = false;
  #recent: Slice[] = [];
  #current: Slice | null = null;

  constructor(config: BreakerConfig) {
    const { window } = config;
    this.#sliceMs = window.kind === 'count' ? Infinity : window.durationMs / SLICES;
    this.#sliceCalls = window.kind === 'count' ? Math.ceil(window.size / SLICES) : Infinity;
  }

  admitted(now: number): void {
    this.#slice(now).admitted++;
  }

  settled(now: number, latencyMs: number, failed: boolean, measured: boolean): void {
    const slice = this.#slice(now);
    slice.calls++;
    slice.busyMs += latencyMs;
    if (failed) slice.failures++;
    if (measured) slice.latency.record(latencyMs);
  }

  /** At a trip: forgets what has not stood the test of one window. */
  discardRecent(): void {
    this.#recent = [];
    this.#current = null;
  }

  read(): Baseline | null {
    const samples = this.#latency.count;
    if (samples < MINIMUM_SAMPLES) return null;
    return {
      p50: this.#latency.quantile(0.5),
      p90: this.#latency.quantile(0.9),
      p95: this.#latency.quantile(0.95),
      p99: this.#latency.quantile(0.99),
      samples,
      callsPerMs: this.#callsPerMs,
      inFlight: this.#inFlight,
      errorRate: this.#calls === 0 ? 0 : this.#failures / this.#calls,
    };
  }

  save(): SavedBaseline {
    return {
      latency: this.#latency.toSparse(),
      callsPerMs: this.#callsPerMs,
      inFlight: this.#inFlight,
      calls: this.#calls,
      failures: this.#failures,
    };
  }

  load(saved: SavedBaseline): void {
    this.#latency = LatencyHistogram.fromSparse(saved.latency);
    this.#callsPerMs = saved.callsPerMs;
    this.#inFlight = saved.inFlight;
    this.#calls = saved.calls;
    this.#failures = saved.failures;
    this.#measured = saved.callsPerMs > 0;
  }

  #slice(now: number): Slice {
    const current = this.#current;
    return current !== null &&
      now - current.startedAt < this.#sliceMs &&
      current.calls < this.#sliceCalls
      ? current
      : this.#nextSlice(current, now);
  }

  #nextSlice(current: Slice | null, now: number): Slice {
    if (current !== null) this.#retire(current, now);
    const slice = {
      startedAt: now,
      admitted: 0,
      calls: 0,
      failures: 0,
      busyMs: 0,
      latency: new LatencyHistogram(),
    };
    this.#current = slice;
    return slice;
  }

  #retire(slice: Slice, now: number): void {
    const elapsedMs = now - slice.startedAt;
    this.#recent.push(slice);
    if (elapsedMs > 0) {
      slice.admitted /= elapsedMs;
      slice.busyMs /= elapsedMs;
    } else slice.admitted = Number.NaN;
    if (this.#recent.length > SLICES) {
      const oldest = this.#recent.shift();
      if (oldest !== undefined) this.#believe(oldest);
    }
  }

  /** A retired slice holds rates in `admitted` and `busyMs`; by Little's law the latter is L. */
  #believe(slice: Slice): void {
    this.#latency.merge(slice.latency);
    if (this.#latency.count > MAXIMUM_SAMPLES) this.#latency.halve();
    this.#calls += slice.calls;
    this.#failures += slice.failures;
    if (this.#calls > MAXIMUM_SAMPLES) {
      this.#calls /= 2;
      this.#failures /= 2;
    }
    if (Number.isNaN(slice.admitted)) return;
    const weight = this.#measured ? WEIGHT : 1;
    this.#callsPerMs += weight * (slice.admitted - this.#callsPerMs);
    this.#inFlight += weight * (slice.busyMs - this.#inFlight);
    this.#measured = true;
  }
}

export type SavedBaseline = {
  readonly latency: ReturnType<LatencyHistogram['toSparse']>;
  readonly callsPerMs: number;
  readonly inFlight: number;
  readonly calls: number;
  readonly failures: number;
};
