import type { PruneResult } from '../port';
import { inTransaction, type Connection } from './connection';

/*
 * Both tables are in order of (breaker, at) and have no index on time alone, which would cost every
 * insert. A pass asks each breaker for its old rows: one seek for a breaker that has none.
 */
const STALE = {
  samples: `SELECT b.id FROM breakers b
    WHERE EXISTS (SELECT 1 FROM samples s WHERE s.breaker = b.id AND s.at < ?)`,
  probes: `SELECT b.id FROM breakers b
    WHERE EXISTS (SELECT 1 FROM probes p WHERE p.breaker = b.id AND p.at < ?)`,
};

const DELETE = {
  samples: `DELETE FROM samples WHERE (breaker, at, run, seq) IN (
    SELECT breaker, at, run, seq FROM samples WHERE breaker = ? AND at < ? ORDER BY at LIMIT ?)`,
  probes: `DELETE FROM probes WHERE id IN (
    SELECT id FROM probes WHERE breaker = ? AND at < ? ORDER BY at LIMIT ?)`,
};

type Prunable = keyof typeof DELETE;

export const pruneQueries: readonly string[] = [...Object.values(STALE), ...Object.values(DELETE)];

function pruneTable(
  { client }: Connection,
  table: Prunable,
  before: number,
  limit: number,
): number {
  if (limit <= 0) return 0;
  const remove = client.prepare<[number, number, number]>(DELETE[table]);
  let removed = 0;
  for (const breaker of client.prepare<[number], number>(STALE[table]).pluck().all(before)) {
    removed += remove.run(breaker, before, limit - removed).changes;
    if (removed >= limit) break;
  }
  return removed;
}

export function prune(connection: Connection, before: number, limit: number): PruneResult {
  return inTransaction(connection, () => {
    const samples = pruneTable(connection, 'samples', before, limit);
    return { samples, probes: pruneTable(connection, 'probes', before, limit - samples) };
  });
}
