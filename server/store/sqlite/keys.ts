import type { Database } from 'better-sqlite3';
import { StoreError } from './errors';

export type KeyedTable = 'services' | 'breakers' | 'instances';

/** The row key of a text id; a unit of work that names something unknown fails as a whole. */
export function requireKey(client: Database, table: KeyedTable, uid: string): number {
  const key = findKey(client, table, uid);
  if (key !== null) return key;
  throw new StoreError('unknown_id', `There is no row "${uid}" in ${table}; register it first.`);
}

const lookups = {
  services: 'SELECT id FROM services WHERE uid = ?',
  breakers: 'SELECT id FROM breakers WHERE uid = ?',
  instances: 'SELECT id FROM instances WHERE uid = ?',
} as const satisfies Record<KeyedTable, string>;

export function findKey(client: Database, table: KeyedTable, uid: string): number | null {
  const row = client.prepare<[string], { id: number }>(lookups[table]).get(uid);
  return row?.id ?? null;
}
