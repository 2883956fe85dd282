import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import { inTransaction, MEMORY, type Connection } from './connection';
import { copyInto } from './copy';
import { StoreError } from './errors';

// The table that drizzle's own tools read and write.
const LEDGER = '__drizzle_migrations';

type Applied = { readonly hash: string; readonly createdAt: number };

function appliedMigrations({ client }: Connection): readonly Applied[] {
  const exists = client.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  if (exists.get(LEDGER) === undefined) return [];
  return client
    .prepare<[], Applied>(`SELECT hash, created_at AS createdAt FROM ${LEDGER} ORDER BY created_at`)
    .all();
}

/** True when the file holds anything, so that a backup is worth making. */
function hasTables({ client }: Connection): boolean {
  return client.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}

function assertKnown(file: string, applied: readonly Applied[], known: readonly MigrationMeta[]) {
  const hashes = new Set(known.map((migration) => migration.hash));
  const foreign = applied.filter((row) => !hashes.has(row.hash));
  if (foreign.length === 0) return;
  throw new StoreError(
    'schema_too_new',
    `The database ${file} has ${foreign.length} schema change(s) that this program does not know; start the newer program, or restore a backup made before the upgrade.`,
  );
}

/** A whole copy beside the file, named by the number of migrations it has. */
function backUp(connection: Connection, version: number, now: Date): string {
  const stamp = now.toISOString().replaceAll(/[:.]/g, '-');
  const target = `${connection.file}.before-migration-${version}.${stamp}.backup`;
  copyInto(connection, target);
  return target;
}

function apply(connection: Connection, migration: MigrationMeta): void {
  const { client } = connection;
  inTransaction(connection, () => {
    for (const statement of migration.sql) client.exec(statement);
    const broken: unknown = client.pragma('foreign_key_check');
    if (Array.isArray(broken) && broken.length > 0) {
      throw new Error(`${broken.length} row(s) point at nothing after the migration`);
    }
    client
      .prepare(`INSERT INTO ${LEDGER} (hash, created_at) VALUES (?, ?)`)
      .run(migration.hash, migration.folderMillis);
  });
}

function applyAll(connection: Connection, pending: readonly MigrationMeta[]): void {
  const { client } = connection;
  client.exec(
    `CREATE TABLE IF NOT EXISTS ${LEDGER} (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)`,
  );
  // Rebuilding a table drops it for a moment; this pragma does nothing inside a transaction.
  client.pragma('foreign_keys = OFF');
  try {
    for (const migration of pending) apply(connection, migration);
  } finally {
    client.pragma('foreign_keys = ON');
  }
}

export type Migrated = { readonly applied: number; readonly backup: string | null };

/** Each pending migration in a transaction of its own, after a backup of a file that has data. */
export function migrate(connection: Connection, folder: string, now: Date): Migrated {
  const known = readMigrationFiles({ migrationsFolder: folder });
  const applied = appliedMigrations(connection);
  assertKnown(connection.file, applied, known);
  const done = new Set(applied.map((row) => row.hash));
  const pending = known.filter((migration) => !done.has(migration.hash));
  if (pending.length === 0) return { applied: 0, backup: null };
  const worthKeeping = connection.file !== MEMORY && hasTables(connection);
  const backup = worthKeeping ? backUp(connection, applied.length, now) : null;
  try {
    applyAll(connection, pending);
  } catch (thrown) {
    throw new StoreError(
      'migration_failed',
      `The database ${connection.file} could not be upgraded and was left at its last complete step${backup ? `; a copy is in ${backup}` : ''}.`,
      { cause: thrown },
    );
  }
  return { applied: pending.length, backup };
}
