import Database from 'better-sqlite3';
import { drizzle, type BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { StoreError } from './errors';

/** The only connection that writes. `client` for prepared hot statements, `db` for the rest. */
export type Connection = {
  readonly file: string;
  readonly client: Database.Database;
  readonly db: BetterSQLite3Database;
};

export const MEMORY = ':memory:';
const BUSY_TIMEOUT_MS = 5_000;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
/** 16 MB: pages that neighbouring commits change are copied into the file once, a sixth less to write. */
const CHECKPOINT_PAGES = 4_000;

/** Value that each pragma must read back as; a build that ignores one must not run unnoticed. */
function wantedPragmas(file: string): readonly (readonly [name: string, value: string | number])[] {
  return [
    ['journal_mode', file === MEMORY ? 'memory' : 'wal'],
    ['synchronous', 2],
    ['foreign_keys', 1],
    ['busy_timeout', BUSY_TIMEOUT_MS],
    ['journal_size_limit', WAL_LIMIT_BYTES],
    ['wal_autocheckpoint', CHECKPOINT_PAGES],
  ];
}

/** `synchronous` is FULL (2): an acknowledgement promises that the commit survives a power cut. */
function applyPragmas(client: Database.Database, file: string): void {
  for (const [name, value] of wantedPragmas(file)) {
    client.pragma(`${name} = ${value}`);
    const found: unknown = client.pragma(name, { simple: true });
    if (found === value) continue;
    throw new StoreError(
      'not_writable',
      `SQLite answers ${name} = ${String(found)} where ${value} was set; put ${file} on a local disk that supports it.`,
    );
  }
}

export function connect(file: string): Connection {
  const client = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    applyPragmas(client, file);
    return { file, client, db: drizzle({ client }) };
  } catch (thrown) {
    client.close();
    throw thrown;
  }
}

/** Takes the write lock at once, so that what is read inside is still so at the commit. */
export function inTransaction<T>(connection: Connection, work: () => T): T {
  return connection.client.transaction(work).immediate();
}

/** One view of the data for several reads. */
export function inSnapshot<T>(connection: Connection, work: () => T): T {
  return connection.client.transaction(work).deferred();
}
