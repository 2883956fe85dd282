/**
 * Thins a line to about `limit` items and keeps the lowest and the highest of every stretch, so that
 * a spike survives. Breaks (null values) survive too: a thinned line must not close a gap.
 */
export function downsample<T>(
  items: readonly T[],
  limit: number,
  value: (item: T) => number | null,
): readonly T[] {
  if (items.length <= limit || limit < 4) return items;
  const size = Math.ceil(items.length / Math.floor(limit / 3));
  const kept: T[] = [];
  for (let start = 0; start < items.length; start += size) {
    const chunk = items.slice(start, start + size);
    kept.push(...extremes(chunk, value));
  }
  return kept;
}

function extremes<T>(chunk: readonly T[], value: (item: T) => number | null): T[] {
  let low = -1;
  let high = -1;
  let hole = -1;
  chunk.forEach((item, index) => {
    const current = value(item);
    if (current === null) {
      hole = index;
      return;
    }
    if (low === -1 || current < valueAt(chunk, low, value)) low = index;
    if (high === -1 || current >= valueAt(chunk, high, value)) high = index;
  });
  return [...new Set([low, high, hole])]
    .filter((index) => index >= 0)
    .sort((a, b) => a - b)
    .flatMap((index) => chunk[index] ?? []);
}

function valueAt<T>(chunk: readonly T[], index: number, value: (item: T) => number | null): number {
  const item = chunk[index];
  return item === undefined ? Number.NaN : (value(item) ?? Number.NaN);
}
