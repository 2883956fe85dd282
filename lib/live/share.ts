/** Equality of plain JSON data; views hold nothing else. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  if (left.length !== Object.keys(b).length) return false;
  return left.every(
    ([key, value]) => Object.hasOwn(b, key) && sameValue(value, Reflect.get(b, key)),
  );
}

/** The old object when nothing in it differs, so that a row that did not change is the same row. */
export function share<T>(previous: T | undefined, next: T): T {
  return previous !== undefined && sameValue(previous, next) ? previous : next;
}

/** Merges the named fields; the same object comes back when none of them differs. */
export function mergeRow<T extends object>(previous: T, patch: Partial<T>): T {
  const next = { ...previous };
  let changed = false;
  for (const key of Object.keys(patch) as (keyof T)[]) {
    const value = patch[key];
    if (value === undefined || sameValue(previous[key], value)) continue;
    next[key] = value;
    changed = true;
  }
  return changed ? next : previous;
}

type Row = { id: string };

/** Upserts whole rows; the same map comes back when no row differs. */
export function upsertRows<T extends Row>(
  rows: ReadonlyMap<string, T>,
  changed: readonly T[] | undefined,
  removed: readonly string[] = [],
): ReadonlyMap<string, T> {
  let next: Map<string, T> | null = null;
  for (const row of changed ?? []) {
    if (share(rows.get(row.id), row) !== row) continue;
    next ??= new Map(rows);
    next.set(row.id, row);
  }
  for (const id of removed) {
    if (!rows.has(id)) continue;
    next ??= new Map(rows);
    next.delete(id);
  }
  return next ?? rows;
}

/** Replaces all rows, keeping the objects of those that are the same as before. */
export function replaceRows<T extends Row>(
  rows: ReadonlyMap<string, T>,
  next: readonly T[],
): ReadonlyMap<string, T> {
  return new Map(next.map((row) => [row.id, share(rows.get(row.id), row)]));
}
