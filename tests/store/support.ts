import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Store } from '@/server/store/port';
import { openSqliteStore } from '@/server/store/sqlite/open';

export const MIGRATIONS = fileURLToPath(new URL('../../drizzle', import.meta.url));

export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'recloser-store-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A path for a database in a folder of its own, gone when the test ends. */
export function temporaryFile(): string {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  return join(folder, 'data', 'recloser.sqlite');
}

/** Closed when the test ends, before its folder goes. */
export function openStore(file: string): Store {
  const store = openSqliteStore({ file, migrationsFolder: MIGRATIONS });
  onTestFinished(() => store.close());
  return store;
}
