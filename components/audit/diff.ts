import type { AuditRow } from '@/lib/protocol/views';

type Json = AuditRow['details'][string];

export type DiffLine = {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly changed: boolean;
};

const MAX_DEPTH = 4;

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Leaves by their path, such as "limits.lease"; lists count as one value. */
function leaves(value: Json, path: string, into: Map<string, string>, depth: number): void {
  if (!isObject(value) || depth === 0 || Object.keys(value).length === 0) {
    into.set(path, textOf(value));
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    leaves(item, path === '' ? key : `${path}.${key}`, into, depth - 1);
  }
}

function leavesOf(value: Json): Map<string, string> {
  const found = new Map<string, string>();
  if (value !== null) leaves(value, '', found, MAX_DEPTH);
  return found;
}

/** Null when the row does not say what was before and after. Changed fields come first. */
export function diffOf({ details }: Pick<AuditRow, 'details'>): DiffLine[] | null {
  const { before, after } = details;
  if (before === undefined && after === undefined) return null;
  const old = leavesOf(before ?? null);
  const fresh = leavesOf(after ?? null);
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((field) => {
      const lines = { before: old.get(field) ?? null, after: fresh.get(field) ?? null };
      return {
        field: field === '' ? 'value' : field,
        ...lines,
        changed: lines.before !== lines.after,
      };
    })
    .sort((a, b) => Number(b.changed) - Number(a.changed));
}
