import type { EndpointSetConfig } from './options';

const BUCKETS = 10;

export type Rate = { readonly calls: number; readonly failures: number };

/** Counted calls of the last while, in ten buckets by absolute index. */
export class RateWindow {
  readonly #widthMs: number;
  readonly #calls: number[] = [];
  readonly #failures: number[] = [];
  #index = Number.NEGATIVE_INFINITY;

  constructor(durationMs: number) {
    this.#widthMs = durationMs / BUCKETS;
  }

  /** Returns whether this is the first call of its bucket. */
  record(at: number, failed: boolean): boolean {
    const first = this.#moveTo(at);
    const slot = slotOf(this.#index);
    this.#calls[slot] = (this.#calls[slot] ?? 0) + 1;
    if (failed) this.#failures[slot] = (this.#failures[slot] ?? 0) + 1;
    return first;
  }

  totals(at: number): Rate {
    this.#moveTo(at);
    return { calls: sum(this.#calls), failures: sum(this.#failures) };
  }

  clear(): void {
    this.#calls.fill(0);
    this.#failures.fill(0);
  }

  #moveTo(at: number): boolean {
    const index = Math.floor(at / this.#widthMs);
    if (index <= this.#index) return this.#calls[slotOf(this.#index)] === 0;
    const stale = Math.min(BUCKETS, index - this.#index);
    for (let i = 0; i < stale; i++) {
      this.#calls[slotOf(index - i)] = 0;
      this.#failures[slotOf(index - i)] = 0;
    }
    this.#index = index;
    return true;
  }
}

/** A monotonic clock may start below zero. */
function slotOf(index: number): number {
  return ((index % BUCKETS) + BUCKETS) % BUCKETS;
}

/**
 * Whether one endpoint is worse than its peers by more than chance. It is compared with the others
 * alone: within a small set its own failures would widen the spread that excuses them. What hits
 * all alike raises the mean of the others and so makes nobody an outlier.
 */
export function isOutlier(
  limits: NonNullable<EndpointSetConfig['outlier']>,
  own: Rate,
  peers: readonly Rate[],
): boolean {
  const { minimumCalls, minimumEndpoints, deviations, minimumGap } = limits;
  if (own.calls < minimumCalls) return false;
  const rates = peers.filter(({ calls }) => calls >= minimumCalls).map(rateOf);
  if (rates.length + 1 < minimumEndpoints) return false;
  const mean = sum(rates) / rates.length;
  const spread = sum(rates.map((rate) => (rate - mean) ** 2)) / rates.length;
  const chance = (mean * (1 - mean)) / own.calls;
  return rateOf(own) > mean + Math.max(minimumGap, deviations * Math.sqrt(spread + chance));
}

function rateOf({ calls, failures }: Rate): number {
  return failures / calls;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
