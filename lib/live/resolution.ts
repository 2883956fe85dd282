const SECOND = 1_000;
const RESOLUTIONS_MS = [1, 2, 5, 10, 30, 60, 300, 900, 3600].map((seconds) => seconds * SECOND);
const WIDEST_MS = 3600 * SECOND;

/** The finest bucket width with which the range fits into `points`; whole hours beyond that. */
export function pickResolution(rangeMs: number, points: number): number {
  const fits = RESOLUTIONS_MS.find((width) => Math.ceil(rangeMs / width) <= points);
  return fits ?? Math.ceil(rangeMs / points / WIDEST_MS) * WIDEST_MS;
}
