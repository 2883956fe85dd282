import type { Sample } from '../protocol/samples';
import { admittedOf, failuresOf, successesOf } from './call-counts';
import { packHistogram, type PackedHistogram } from './latency';

export const RATE_WINDOW_MS = 10_000;
/** Samples come once a second and a moment late; the window ends at the newest one up to this age. */
const REPORT_LAG_MS = 2_000;

type Entry = {
  readonly at: number;
  /** Below 1 when a merged sample covers more than the window. */
  readonly weight: number;
  readonly admitted: number;
  readonly judged: number;
  readonly failures: number;
  readonly refused: number;
  readonly latency: PackedHistogram;
};

export type Rates = {
  readonly admitted: number;
  readonly judged: number;
  readonly failures: number;
  readonly refused: number;
  readonly latency: readonly PackedHistogram[];
};

const NOTHING: Rates = { admitted: 0, judged: 0, failures: 0, refused: 0, latency: [] };

/** The samples of one instance and breaker that still count for rates. */
export class RateWindow {
  readonly #entries: Entry[] = [];
  #newestAt = 0;

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  add(sample: Sample, at: number): void {
    const { calls } = sample;
    const failures = failuresOf(calls);
    this.#newestAt = Math.max(this.#newestAt, at);
    this.#entries.push({
      at,
      weight: Math.min(1, RATE_WINDOW_MS / Math.max(1, sample.periodMs)),
      admitted: admittedOf(calls),
      judged: failures + successesOf(calls),
      failures,
      refused: calls.not_permitted,
      latency: packHistogram(sample.latency),
    });
  }

  /** Drops what is too old to count again; true when something was dropped. */
  prune(now: number): boolean {
    const from = this.#from(now);
    const before = this.#entries.length;
    const kept = this.#entries.filter((entry) => entry.at > from);
    if (kept.length !== before) this.#entries.splice(0, before, ...kept);
    return kept.length !== before;
  }

  /** Sums over the last ten seconds. */
  sums(now: number): Rates {
    if (this.#entries.length === 0) return NOTHING;
    const from = this.#from(now);
    const inside = this.#entries.filter((entry) => entry.at > from);
    const sum = (pick: (entry: Entry) => number): number =>
      inside.reduce((total, entry) => total + pick(entry) * entry.weight, 0);
    return {
      admitted: sum((entry) => entry.admitted),
      judged: sum((entry) => entry.judged),
      failures: sum((entry) => entry.failures),
      refused: sum((entry) => entry.refused),
      latency: inside.map((entry) => entry.latency),
    };
  }

  #from(now: number): number {
    return Math.max(this.#newestAt, now - REPORT_LAG_MS) - RATE_WINDOW_MS;
  }
}

export function perSecond(sum: number): number {
  return Math.round((sum / RATE_WINDOW_MS) * 1_000_000) / 1000;
}

export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : null;
}
