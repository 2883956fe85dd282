/** Wire form of a latency histogram: sparse, mergeable by adding counts of equal indexes. */
export type SparseHistogram = {
  /** Pairs of bucket index and count, index ascending, counts positive. */
  readonly buckets: readonly (readonly [number, number])[];
  readonly count: number;
  readonly sumMs: number;
  readonly maxMs: number;
};
