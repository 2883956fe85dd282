import { summarize, type FleetSummary } from '@/lib/client/summary';
import type { BreakerView } from '@/lib/protocol/views';
import { isFolded, type FleetAddress, type Grouping } from './address';

export type Group = {
  readonly key: string;
  readonly by: Grouping;
  readonly title: string;
  readonly environment: string | null;
  readonly summary: FleetSummary;
  readonly folded: boolean;
};

/** One line on the screen: the head of a group, or breakers side by side (one in the table). */
export type Line =
  | { readonly kind: 'group'; readonly key: string; readonly group: Group }
  | { readonly kind: 'rows'; readonly key: string; readonly ids: readonly string[] };

const GROUP = 'group ';

/** No id of a breaker has a space in it. */
export const isGroupKey = (lineKey: string): boolean => lineKey.startsWith(GROUP);
export const groupOf = (lineKey: string): string => lineKey.slice(GROUP.length);

/** Names of two environments never share a group; the key is stable and may stand in an address. */
export function groupKey(row: BreakerView, by: Grouping): string {
  const environment = encodeURIComponent(row.environment);
  if (by === 'environment') return environment;
  return `${environment}/${by === 'service' ? row.service : row.target}`;
}

function titleOf(row: BreakerView, by: Grouping): Pick<Group, 'title' | 'environment'> {
  if (by === 'environment') return { title: row.environment, environment: null };
  return { title: by === 'service' ? row.service : row.target, environment: row.environment };
}

function inLines(ids: readonly string[], columns: number): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < ids.length; from += columns) {
    const some = ids.slice(from, from + columns);
    lines.push({ kind: 'rows', key: some[0] ?? '', ids: some });
  }
  return lines;
}

type Look = { readonly address: FleetAddress; readonly columns: number };

/** Groups come in the order of their first breaker, so that the worst one is on top. */
export function linesOf(
  ids: readonly string[],
  rowOf: (id: string) => BreakerView | null,
  { address, columns }: Look,
): Line[] {
  const by = address.group;
  if (by === null) return inLines(ids, columns);
  const groups = new Map<string, BreakerView[]>();
  for (const id of ids) {
    const row = rowOf(id);
    if (row === null) continue;
    const key = groupKey(row, by);
    const rows = groups.get(key);
    if (rows) rows.push(row);
    else groups.set(key, [row]);
  }
  return [...groups].flatMap(([key, rows]): Line[] => {
    const [first] = rows;
    if (first === undefined) return [];
    const folded = isFolded(address, key);
    const group: Group = { key, by, ...titleOf(first, by), summary: summarize(rows), folded };
    const members = folded
      ? []
      : inLines(
          rows.map(({ id }) => id),
          columns,
        );
    return [{ kind: 'group', key: GROUP + key, group }, ...members];
  });
}
