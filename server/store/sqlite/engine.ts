import Database from 'better-sqlite3';
import { StoreError } from './errors';

type Version = readonly [major: number, minor: number, patch: number];

function parseVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number);
  return [major, minor, patch];
}

/**
 * 3.51.3 repaired a way in which a WAL could be reset under a reader and damage the file; 3.44.6
 * and 3.50.7 carry the same repair.
 */
export function isSoundEngine(version: string): boolean {
  const [major, minor, patch] = parseVersion(version);
  if (major !== 3) return major > 3;
  if (minor === 44) return patch >= 6;
  if (minor === 50) return patch >= 7;
  if (minor === 51) return patch >= 3;
  return minor > 51;
}

/** The version of the SQLite that is compiled in. */
export function engineVersion(): string {
  const client = new Database(':memory:');
  try {
    return String(client.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    client.close();
  }
}

export function assertSoundEngine(version: string): void {
  if (isSoundEngine(version)) return;
  throw new StoreError(
    'engine_too_old',
    `SQLite ${version} can damage a database; install better-sqlite3 with SQLite 3.51.3 or newer (npm ci).`,
  );
}
