import type { SparseHistogram } from '../stats';
import { bucketValueMs, OVERFLOW_INDEX } from '../stats';

/** Buckets of a sparse histogram as `[index, count, index, count, …]`: a tenth of the objects' memory. */
export type PackedHistogram = { readonly pairs: Int32Array; readonly maxMs: number };

const counts = new Float64Array(OVERFLOW_INDEX + 1);

export function packHistogram(sparse: SparseHistogram): PackedHistogram {
  const valid = sparse.buckets.filter(([index]) => index >= 0 && index <= OVERFLOW_INDEX);
  const pairs = new Int32Array(valid.length * 2);
  valid.forEach(([index, count], at) => {
    pairs[at * 2] = index;
    pairs[at * 2 + 1] = count;
  });
  return { pairs, maxMs: sparse.maxMs };
}

export type MergedLatency = {
  readonly count: number;
  readonly quantiles: readonly (number | null)[];
};

/**
 * Quantiles over the merged counts, never over averaged quantiles. When a rank falls among the
 * timeouts the largest finite value stands for it: a lower bound, since the true time is unknown.
 * Null without values.
 */
export function mergeLatency(
  histograms: Iterable<PackedHistogram>,
  quantiles: readonly number[],
): MergedLatency {
  let total = 0;
  let maxMs = 0;
  let low = counts.length;
  let high = -1;
  for (const { pairs, maxMs: largest } of histograms) {
    maxMs = Math.max(maxMs, largest);
    for (let at = 0; at < pairs.length; at += 2) {
      const index = pairs[at] ?? 0;
      const count = pairs[at + 1] ?? 0;
      counts[index] = (counts[index] ?? 0) + count;
      total += count;
      if (index < low) low = index;
      if (index > high) high = index;
    }
  }
  const values = quantiles.map((q) => (total === 0 ? null : valueAt(q * total, low, maxMs)));
  counts.fill(0, low, high + 1);
  return { count: total, quantiles: values };
}

function valueAt(exactRank: number, from: number, maxMs: number): number | null {
  const rank = Math.max(1, Math.ceil(exactRank));
  let seen = 0;
  for (let index = from; index < OVERFLOW_INDEX; index++) {
    seen += counts[index] ?? 0;
    if (seen >= rank) return round(Math.min(bucketValueMs(index), maxMs));
  }
  return maxMs > 0 ? round(maxMs) : null;
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000;
