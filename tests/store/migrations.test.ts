import Database from 'better-sqlite3';
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { append, BREAKER, log, startRun } from '../contracts/fixtures';
import { startChild } from './children';
import { MIGRATIONS, openStore, temporaryFile } from './support';

type Journal = { entries: { idx: number; when: number; tag: string }[] };

/** The real migrations and one more, as a newer program would have them. */
function newerMigrations(file: string, sql: string): string {
  const folder = join(dirname(dirname(file)), 'newer');
  cpSync(MIGRATIONS, folder, { recursive: true });
  const path = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal;
  const last = journal.entries.at(-1);
  if (last === undefined) throw new Error('there is no migration');
  const next = { ...last, idx: last.idx + 1, when: last.when + 1, tag: 'next_step' };
  writeFileSync(path, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
  writeFileSync(join(folder, 'next_step.sql'), sql);
  return folder;
}

async function fill(file: string): Promise<void> {
  const store = openStore(file);
  await append(store, await startRun(store), { events: log(1, 50) });
  await store.close();
}

function read<T>(file: string, work: (client: Database.Database) => T): T {
  const client = new Database(file, { readonly: true });
  try {
    return work(client);
  } finally {
    client.close();
  }
}

const hasTable = (client: Database.Database, name: string): boolean =>
  client.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
const countEvents = (client: Database.Database): unknown =>
  client.prepare('SELECT count(*) FROM events').pluck().get();
const backupsOf = (file: string): string[] =>
  readdirSync(dirname(file)).filter((name) => name.endsWith('.backup'));

const GOOD = [
  'CREATE TABLE step_one (id integer PRIMARY KEY);',
  "UPDATE events SET type = 'renamed';",
  'CREATE TABLE step_three (id integer PRIMARY KEY);',
].join('\n--> statement-breakpoint\n');

describe('migrations', () => {
  it('run once, and need no backup on a new file', async () => {
    const file = temporaryFile();
    await fill(file);
    await fill(file);
    expect(backupsOf(file)).toEqual([]);
  });

  it('copy the file before they change it (R-32)', async () => {
    const file = temporaryFile();
    await fill(file);
    const said: Record<string, unknown>[] = [];
    const store = openSqliteStore({
      file,
      migrationsFolder: newerMigrations(file, GOOD),
      log: (fields) => said.push(fields),
    });
    await store.close();
    const [backup = '', ...more] = backupsOf(file);
    expect(more).toEqual([]);
    const path = join(dirname(file), backup);
    expect(said).toEqual([{ file, applied: 1, backup: path }]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(read(path, (client) => [hasTable(client, 'step_one'), countEvents(client)])).toEqual([
      false,
      50,
    ]);
    expect(read(file, (client) => [hasTable(client, 'step_one'), countEvents(client)])).toEqual([
      true,
      50,
    ]);
  });

  it('of a newer program make this one refuse to start (R-32)', async () => {
    const file = temporaryFile();
    await fill(file);
    await openSqliteStore({ file, migrationsFolder: newerMigrations(file, GOOD) }).close();
    expect(() => openStore(file)).toThrow(/start the newer program, or restore a backup/);
    expect(read(file, (client) => hasTable(client, 'step_one'))).toBe(true);
  });

  it('leave the old schema when one statement fails', async () => {
    const file = temporaryFile();
    await fill(file);
    const migrationsFolder = newerMigrations(file, `${GOOD}\n--> statement-breakpoint\nNONSENSE`);
    expect(() => openSqliteStore({ file, migrationsFolder })).toThrow(/a copy is in .*\.backup/);
    expect(read(file, (client) => hasTable(client, 'step_one'))).toBe(false);
    const store = openStore(file);
    expect(await store.listHistory({ breakerId: BREAKER.id, limit: 100 })).toHaveLength(50);
  });

  it.each(['step_one', "'renamed'", 'step_three', 'INSERT INTO __drizzle_migrations'])(
    'killed before %s leave the old schema, and then run (R-32)',
    async (marker) => {
      const file = temporaryFile();
      await fill(file);
      const folder = newerMigrations(file, GOOD);
      expect(await startChild('migrator', file, [marker], folder).ended).toBe('SIGKILL');
      const store = openStore(file);
      const rows = await store.listHistory({ breakerId: BREAKER.id, limit: 100 });
      expect(new Set(rows.map((row) => row.type))).toEqual(new Set(['transition']));
      await store.close();
      expect(read(file, (client) => hasTable(client, 'step_one'))).toBe(false);
      await openSqliteStore({ file, migrationsFolder: folder }).close();
      expect(read(file, (client) => hasTable(client, 'step_three'))).toBe(true);
    },
    30_000,
  );
});
