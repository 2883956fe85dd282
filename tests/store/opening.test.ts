import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect, MEMORY } from '@/server/store/sqlite/connection';
import { isSoundEngine } from '@/server/store/sqlite/engine';
import { StoreError, type StoreErrorCode } from '@/server/store/sqlite/errors';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { SqliteStore } from '@/server/store/sqlite/store';
import { append, batch, log, registration, startRun } from '../contracts/fixtures';
import { MIGRATIONS, openStore, temporaryFile } from './support';

function failure(open: () => unknown): StoreError {
  try {
    open();
  } catch (thrown) {
    if (thrown instanceof StoreError) return thrown;
    throw thrown;
  }
  throw new Error('it opened');
}

/** A refusal with this code, in one line that says this. */
function refusal(code: StoreErrorCode, words: RegExp): unknown {
  const message: unknown = expect.stringMatching(new RegExp(`^[^\\n]*${words.source}[^\\n]*$`));
  return expect.objectContaining({ code, message });
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('opening', () => {
  it('commits durably: WAL, synchronous FULL, foreign keys (R-01)', () => {
    const file = temporaryFile();
    mkdirSync(dirname(file));
    const { client } = connect(file);
    onTestFinished(() => void client.close());
    const pragma = (name: string): unknown => client.pragma(name, { simple: true });
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('busy_timeout')).toBe(5_000);
    expect(pragma('journal_size_limit')).toBe(64 * 1024 * 1024);
    expect(pragma('wal_autocheckpoint')).toBe(4_000);
  });

  it('keeps the data to its owner', async () => {
    const file = temporaryFile();
    const store = openStore(file);
    await startRun(store);
    expect(modeOf(dirname(file))).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm', '.lock', '.owner']) {
      expect(modeOf(file + suffix)).toBe(0o600);
    }
  });

  it('opens in memory, without a file', async () => {
    const store = openStore(MEMORY);
    const run = await startRun(store);
    expect(await append(store, run, { events: log(1, 3) })).toMatchObject({ ackedSeq: 3 });
    expect(await store.checkIntegrity()).toBeNull();
  });

  it.each([
    ['3.44.5', false],
    ['3.44.6', true],
    ['3.45.1', false],
    ['3.50.6', false],
    ['3.50.7', true],
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.53.2', true],
    ['4.0.0', true],
  ])('engine %s is sound: %s (R-29)', (version, sound) => {
    expect(isSoundEngine(version)).toBe(sound);
  });

  it('refuses an engine that is too old and says which one to install (R-29)', () => {
    const options = { file: temporaryFile(), migrationsFolder: MIGRATIONS, engine: '3.51.2' };
    const words = /SQLite 3\.51\.2 .* install better-sqlite3 with SQLite 3\.51\.3 or newer/;
    expect(failure(() => openSqliteStore(options))).toEqual(refusal('engine_too_old', words));
  });

  it('refuses a file that is not a database, and leaves it alone', () => {
    const file = temporaryFile();
    mkdirSync(dirname(file));
    const text = 'a letter, not a database. '.repeat(500);
    writeFileSync(file, text);
    expect(failure(() => openStore(file))).toEqual(
      refusal('corrupt', /restore the newest good backup/),
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('refuses a path it cannot write', () => {
    const file = temporaryFile();
    writeFileSync(dirname(file), 'in the way');
    expect(failure(() => openStore(file))).toEqual(refusal('not_writable', /check the owner/));
  });

  it('frees the file when it could not open', () => {
    const file = temporaryFile();
    const migrationsFolder = join(dirname(file), 'nowhere');
    expect(() => openSqliteStore({ file, migrationsFolder })).toThrow(/_journal\.json/);
    openStore(file);
  });
});

describe('integrity', () => {
  it('finds damaged pages', async () => {
    const file = temporaryFile();
    const store = openStore(file);
    const { run } = await store.registerRun(registration());
    await store.appendBatches([batch(run.id, { events: log(1, 2_000) })]);
    expect(await store.checkIntegrity()).toBeNull();
    await store.close();

    const bytes = readFileSync(file);
    const pages = bytes.length / 4_096;
    for (let page = pages - 20; page < pages; page++) {
      bytes.fill(0xa5, page * 4_096 + 8, page * 4_096 + 40);
    }
    writeFileSync(file, bytes);
    const damaged = openStore(file);
    expect(await damaged.checkIntegrity()).toMatch(/./);
  });

  it('is given up when the store closes', async () => {
    const store = openStore(temporaryFile());
    const check = store.checkIntegrity();
    await store.close();
    expect([null, 'the check was stopped']).toContain(await check);
  });
});

describe('a full disk', () => {
  it('fails the commit as a whole and passes when there is space again', async () => {
    const file = temporaryFile();
    await openStore(file).close();
    const connection = connect(file);
    const store = new SqliteStore(connection, null);
    onTestFinished(() => store.close());
    const run = await startRun(store);
    const pages = Number(connection.client.pragma('page_count', { simple: true }));
    connection.client.pragma(`max_page_count = ${pages + 3}`);
    await expect(append(store, run, { events: log(1, 2_000) })).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringMatching(/free some space/),
    });
    connection.client.pragma(`max_page_count = ${pages + 10_000}`);
    const result = await append(store, run, { events: log(1, 2_000) });
    expect(result).toMatchObject({ ackedSeq: 2_000, accepted: 2_000, duplicate: 0 });
  });
});
