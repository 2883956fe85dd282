import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StoreError } from './errors';

export type FileLock = { release(): void };

/** Keeps locks reachable: a connection that nobody refers to is collected, and its lock with it. */
const held = new Set<Database.Database>();

/** `pid` and time of the process that holds the lock, for people; the lock itself is elsewhere. */
function ownerFile(file: string): string {
  return `${file}.owner`;
}

function describeOwner(file: string): string {
  try {
    const [pid, since] = readFileSync(ownerFile(file), 'utf8').trim().split(' ');
    if (pid && /^\d+$/.test(pid)) return `process ${pid}${since ? ` since ${since}` : ''}`;
  } catch {
    // The holder has not written it yet, or somebody removed it: the lock alone counts.
  }
  return 'another process';
}

/**
 * Holds `<file>.lock` exclusively through a connection of its own. The operating system frees it
 * when the process ends, however it ends, so no lock is ever left behind.
 */
export function lockFile(file: string, now: Date): FileLock {
  const client = new Database(`${file}.lock`, { timeout: 0 });
  try {
    client.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    client.close();
    if (!(thrown instanceof Database.SqliteError && thrown.code.startsWith('SQLITE_BUSY'))) {
      throw thrown;
    }
    throw new StoreError(
      'in_use',
      `The database ${file} is in use by ${describeOwner(file)}; stop it or choose another file.`,
      { cause: thrown },
    );
  }
  writeFileSync(ownerFile(file), `${process.pid} ${now.toISOString()}\n`, { mode: 0o600 });
  held.add(client);
  return {
    release: () => {
      held.delete(client);
      rmSync(ownerFile(file), { force: true });
      client.close();
    },
  };
}
