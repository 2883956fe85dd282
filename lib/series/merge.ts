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
