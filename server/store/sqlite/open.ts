import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Store } from '../port';
import { connect, MEMORY, type Connection } from './connection';
import { assertSoundEngine, engineVersion } from './engine';
import { toStoreError } from './errors';
import { lockFile, type FileLock } from './lock';
import { migrate } from './migrate';
import { SqliteStore } from './store';

export type OpenOptions = {
  /** `:memory:` keeps nothing; for tests. */
  readonly file: string;
  readonly migrationsFolder: string;
  readonly log?: (fields: Record<string, unknown>, message: string) => void;
  /** The version of SQLite, asked of the driver unless a test says otherwise. */
  readonly engine?: string;
  /** Beside the server that may hold the file: without its lock. */
  readonly isBeside?: boolean;
};

/** The history names services and people, so that only the owner may read it. */
function preparePaths(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  for (const path of [file, `${file}.lock`]) {
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  }
  chmodSync(file, 0o600);
}

function openConnection(options: OpenOptions): Connection {
  const { file, migrationsFolder, log } = options;
  const connection = connect(file);
  try {
    const { applied, backup } = migrate(connection, migrationsFolder, new Date());
    if (applied > 0) log?.({ file, applied, backup }, 'database schema upgraded');
    return connection;
  } catch (thrown) {
    connection.client.close();
    throw thrown;
  }
}

/**
 * Opens the one store of this process, alone on its file. Throws a `StoreError` whose message is
 * fit to be the last line of a refused start.
 */
export function openSqliteStore(options: OpenOptions): Store {
  assertSoundEngine(options.engine ?? engineVersion());
  let lock: FileLock | null = null;
  try {
    if (options.file !== MEMORY) {
      preparePaths(options.file);
      if (options.isBeside !== true) lock = lockFile(options.file, new Date());
    }
    return new SqliteStore(openConnection(options), lock);
  } catch (thrown) {
    lock?.release();
    throw toStoreError(thrown, options.file);
  }
}
