/**
 * Bucket layout of the latency histogram: each power of two is cut into 32 equal parts, so a
 * bucket's middle is within 1/65 (1.6 %) of every value in it. The index is read from the bits of
 * the double, without a logarithm.
 *
 * The layout is part of the wire format: indexes from different processes are added.
 */
const PARTS_BITS = 5;
const PARTS = 1 << PARTS_BITS;
const MIN_EXPONENT = -10;
const MAX_EXPONENT = 25;
const SHIFT = 20 - PARTS_BITS;
const EXPONENT_BIAS = 1023;
const OFFSET = ((MIN_EXPONENT + EXPONENT_BIAS) << PARTS_BITS) - 1;

/** Below 2^-10 ms: shorter than any clock here can tell. */
export const UNDERFLOW_INDEX = 0;
/** At or above 2^25 ms (9.3 hours), timeouts included. */
export const OVERFLOW_INDEX = (MAX_EXPONENT - MIN_EXPONENT) * PARTS + 1;

const MIN_MS = 2 ** MIN_EXPONENT;
const MAX_MS = 2 ** MAX_EXPONENT;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const HIGH_WORD = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0;

/** Total for every number but NaN, which the caller refuses. */
export function bucketIndex(ms: number): number {
  if (ms < MIN_MS) return UNDERFLOW_INDEX;
  if (ms >= MAX_MS) return OVERFLOW_INDEX;
  double[0] = ms;
  return ((words[HIGH_WORD] ?? 0) >>> SHIFT) - OFFSET;
}

/** The lower edge of a bucket, in ms. */
export function bucketLowerMs(index: number): number {
  if (index <= UNDERFLOW_INDEX) return 0;
  if (index >= OVERFLOW_INDEX) return MAX_MS;
  const position = index - 1;
  const exponent = Math.floor(position / PARTS) + MIN_EXPONENT;
  return 2 ** exponent * (1 + (position % PARTS) / PARTS);
}

/** The value that stands for a bucket: its middle; Infinity for the overflow. */
export function bucketValueMs(index: number): number {
  if (index <= UNDERFLOW_INDEX) return 0;
  if (index >= OVERFLOW_INDEX) return Infinity;
  return (bucketLowerMs(index) + bucketLowerMs(index + 1)) / 2;
}
