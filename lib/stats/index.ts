export { bucketIndex, bucketLowerMs, bucketValueMs, OVERFLOW_INDEX } from './buckets';
export { LatencyHistogram } from './latency-histogram';
export { binomialTail, criticalCount } from './binomial';
export type { SparseHistogram } from './sparse';
export { mixtureQuantile } from './mixture';
