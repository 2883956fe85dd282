import { bucketValueMs } from './buckets';
import type { LatencyHistogram } from './latency-histogram';

export type MixturePart = {
  readonly histogram: LatencyHistogram;
  /** Share of this part in the whole, in any unit. */
  readonly weight: number;
  /** Its values are multiplied by this. */
  readonly scale: number;
};

/** Nearest rank over several histograms in given proportions, whatever their own sizes. 0 when empty. */
export function mixtureQuantile(parts: readonly MixturePart[], q: number): number {
  const values = parts.flatMap(({ histogram, weight, scale }) => {
    const { buckets, count, maxMs } = histogram.toSparse();
    return buckets.map(([index, n]) => {
      // As `quantile` has it: no bucket stands for more than was seen; timeouts are endless.
      const ms = bucketValueMs(index);
      const valueMs = ms === Infinity ? ms : Math.min(ms, maxMs) * scale;
      return { valueMs, weight: (weight * n) / count };
    });
  });
  values.sort((a, b) => a.valueMs - b.valueMs);
  const total = values.reduce((sum, value) => sum + value.weight, 0);
  const rank = Math.min(1, Math.max(0, q)) * total;
  let seen = 0;
  for (const { valueMs, weight } of values) {
    seen += weight;
    // Sums of fractions miss the rank by a rounding error.
    if (seen >= rank - total * 1e-12) return valueMs;
  }
  return values.at(-1)?.valueMs ?? 0;
}
