import { LatencyHistogram } from '../stats/latency-histogram';
import { mixtureQuantile } from '../stats/mixture';
import type { BreakerConfig } from './config-types';
import { LearnedLatency } from './learned-latency';
import type { Quantiles, SavedLatency } from './learned-latency';

/** Calls that are safe to repeat are mostly cheap reads; like is compared with like. */
export type CallClass = 'idempotent' | 'other';

/** What is normal for one class. The histogram stands still while a recovery is judged by it. */
export type ClassBaseline = Quantiles & { readonly histogram: LatencyHistogram };

/** What was normal before the trip. The quantiles of its own are those of all calls. */
export type Baseline = Quantiles & {
  /** null: too little is known of this class. */
  readonly classes: Readonly<Record<CallClass, ClassBaseline | null>>;
  /** Of the slower class: no call may be given up before it could be told to be slow. */
  readonly slowestP99: number;
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
  endedAt: number;
  admitted: number;
  calls: number;
  failures: number;
  busyMs: number;
  latency: Record<CallClass, LatencyHistogram | null>;
};

/**
 * Learns from closed calls. The minutes before a trip are often slow already, so that a slice is
 * believed only when a whole window has passed after it.
 */
export class BaselineLearner {
  readonly #sliceMs: number;
  readonly #sliceCalls: number;
  readonly #classes: Record<CallClass, LearnedLatency>;
  /** Until something is learned, reading again costs nothing. */
  #known: Baseline | null | undefined = undefined;
  #callsPerMs = 0;
  #inFlight = 0;
  #calls = 0;
  #failures = 0;
  #measured = false;
  #recent: Slice[] = [];
  #current: Slice | null = null;

  constructor(config: BreakerConfig) {
    const { window, baselineDriftPerDay } = config;
    this.#classes = {
      idempotent: new LearnedLatency(baselineDriftPerDay),
      other: new LearnedLatency(baselineDriftPerDay),
    };
    this.#sliceMs = window.kind === 'count' ? Infinity : window.durationMs / SLICES;
    this.#sliceCalls = window.kind === 'count' ? Math.ceil(window.size / SLICES) : Infinity;
  }

  admitted(now: number): void {
    this.#slice(now).admitted++;
  }

  settled(
    now: number,
    latencyMs: number,
    failed: boolean,
    measured: boolean,
    idempotent: boolean,
  ): void {
    const slice = this.#slice(now);
    slice.calls++;
    slice.busyMs += latencyMs;
    if (failed) slice.failures++;
    if (!measured) return;
    const name = idempotent ? 'idempotent' : 'other';
    (slice.latency[name] ??= new LatencyHistogram()).record(latencyMs);
  }

  /** At a trip: forgets what has not stood the test of one window. */
  discardRecent(): void {
    this.#recent = [];
    this.#current = null;
  }

  /** Forgets what was measured after `since` and is not believed yet. */
  discardSince(since: number): void {
    this.#current = null;
    this.#recent = this.#recent.filter(({ endedAt }) => endedAt <= since);
  }

  read(): Baseline | null {
    if (this.#known === undefined) this.#known = this.#read();
    return this.#known;
  }

  #read(): Baseline | null {
    const idempotent = classOf(this.#classes.idempotent);
    const other = classOf(this.#classes.other);
    const samples = idempotent.samples + other.samples;
    if (samples < MINIMUM_SAMPLES) return null;
    const all = (q: Quantile) =>
      mixedQuantile(idempotent, other, idempotent.samples, other.samples, q);
    const known = [idempotent, other].filter((one) => one.samples >= MINIMUM_SAMPLES);
    return {
      p50: all(0.5),
      p90: all(0.9),
      p95: all(0.95),
      p99: all(0.99),
      samples,
      classes: {
        idempotent: known.includes(idempotent) ? idempotent : null,
        other: known.includes(other) ? other : null,
      },
      slowestP99: known.length === 0 ? all(0.99) : Math.max(...known.map(({ p99 }) => p99)),
      callsPerMs: this.#callsPerMs,
      inFlight: this.#inFlight,
      errorRate: this.#failures / Math.max(1, this.#calls),
    };
  }

  save(now: number): SavedBaseline {
    const whole = new LatencyHistogram();
    whole.merge(this.#classes.idempotent.histogram);
    whole.merge(this.#classes.other.histogram);
    return {
      latency: whole.toSparse(),
      classes: {
        idempotent: this.#classes.idempotent.save(now),
        other: this.#classes.other.save(now),
      },
      callsPerMs: this.#callsPerMs,
      inFlight: this.#inFlight,
      calls: this.#calls,
      failures: this.#failures,
    };
  }

  /** `at`: when it was saved, by the clock of now. */
  load(saved: SavedBaseline, at: number): void {
    // Older snapshots know no classes; calls that did not say were idempotent then, too.
    const { classes, latency } = saved;
    this.#classes.idempotent.load(classes?.idempotent ?? { latency, anchor: null }, at);
    if (classes !== null) this.#classes.other.load(classes.other, at);
    this.#known = undefined;
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
      endedAt: now,
      admitted: 0,
      calls: 0,
      failures: 0,
      busyMs: 0,
      latency: { idempotent: null, other: null },
    };
    this.#current = slice;
    return slice;
  }

  #retire(slice: Slice, now: number): void {
    const elapsedMs = now - slice.startedAt;
    slice.endedAt = now;
    this.#recent.push(slice);
    if (elapsedMs > 0) {
      slice.admitted /= elapsedMs;
      slice.busyMs /= elapsedMs;
    } else slice.admitted = Number.NaN;
    if (this.#recent.length > SLICES) {
      const oldest = this.#recent.shift();
      if (oldest !== undefined) this.#believe(oldest, now);
    }
  }

  /** A retired slice holds rates in `admitted` and `busyMs`; by Little's law the latter is L. */
  #believe(slice: Slice, now: number): void {
    this.#known = undefined;
    const { idempotent, other } = this.#classes;
    if (slice.latency.idempotent !== null) idempotent.merge(slice.latency.idempotent, now);
    if (slice.latency.other !== null) other.merge(slice.latency.other, now);
    if (idempotent.histogram.count + other.histogram.count > MAXIMUM_SAMPLES) {
      idempotent.halve();
      other.halve();
    }
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

function classOf(learned: LearnedLatency): ClassBaseline {
  return { ...learned.read(), histogram: learned.histogram };
}

export type Quantile = 0.5 | 0.9 | 0.95 | 0.99;

export function quantileOf(known: Quantiles, q: Quantile): number {
  if (q === 0.5) return known.p50;
  if (q === 0.9) return known.p90;
  return q === 0.95 ? known.p95 : known.p99;
}

/** What is normal for a mix of so many idempotent and other calls. */
export function mixedQuantile(
  idempotent: ClassBaseline | null,
  other: ClassBaseline | null,
  idempotentCalls: number,
  otherCalls: number,
  q: Quantile,
): number {
  if (other === null || otherCalls === 0)
    return idempotent === null ? 0 : quantileOf(idempotent, q);
  if (idempotent === null || idempotentCalls === 0) return quantileOf(other, q);
  return mixtureQuantile([part(idempotent, idempotentCalls, q), part(other, otherCalls, q)], q);
}

/** A class whose drift is capped lies beside its histogram; the scale brings it back. */
function part(known: ClassBaseline, weight: number, q: Quantile) {
  const { histogram } = known;
  const seen = histogram.quantile(q);
  const scale = seen > 0 && seen < Infinity ? quantileOf(known, q) / seen : 1;
  return { histogram, weight, scale };
}

export type SavedBaseline = {
  /** Of all calls, for readers that know no classes. */
  readonly latency: SavedLatency['latency'];
  /** null in snapshots of older versions. */
  readonly classes: Readonly<Record<CallClass, SavedLatency>> | null;
  readonly callsPerMs: number;
  readonly inFlight: number;
  readonly calls: number;
  readonly failures: number;
};
