/**
 * Joins what HTTP answered with what the live topic sends. Every item has a key, an item that comes
 * twice replaces itself, and the order of arrival does not matter.
 */
export function upsert<T>(
  held: readonly T[],
  incoming: readonly T[],
  key: (item: T) => number | string,
  at: (item: T) => number,
): readonly T[] {
  if (incoming.length === 0) return held;
  const byKey = new Map<number | string, T>();
  for (const item of held) byKey.set(key(item), item);
  for (const item of incoming) byKey.set(key(item), item);
  return [...byKey.values()].sort((a, b) => at(a) - at(b) || compare(key(a), key(b)));
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b));
}

/** Forgets what is older than `from`, so that a page left open for days does not grow. */
export function keepFrom<T>(
  items: readonly T[],
  from: number,
  at: (item: T) => number,
): readonly T[] {
  const first = items.findIndex((item) => at(item) >= from);
  if (first === 0) return items;
  return first === -1 ? [] : items.slice(first);
}

type Bucket = { readonly at: number };

/** What one answer covers: its buckets, their width, and the instant it was made. */
export type Fetched<T extends Bucket> = {
  readonly points: readonly T[];
  readonly resolutionMs: number;
  readonly now: number;
};

/** Buckets that ended this long before the answer was made are complete in it. */
const SETTLED_MS = 3_000;

/**
 * Fetched buckets and live ones on one grid. A settled bucket stays as fetched; a later one is taken
 * from the live points when they cover it from its start, so that nothing is counted twice or halved.
 */
export function joinBuckets<T extends Bucket>(
  fetched: Fetched<T>,
  live: readonly T[],
  regrid: (points: readonly T[], resolutionMs: number) => readonly T[],
): readonly T[] {
  const firstLive = live[0]?.at ?? Infinity;
  const fresh = regrid(live, fetched.resolutionMs).filter(
    (bucket) =>
      bucket.at >= firstLive && bucket.at + fetched.resolutionMs > fetched.now - SETTLED_MS,
  );
  const byStart = (bucket: T) => bucket.at;
  return upsert(fetched.points, fresh, byStart, byStart);
}
