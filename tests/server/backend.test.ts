import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { keyIdOf } from '@/server/auth/secret';
import { openBackend } from '@/server/backend';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { fakeServerClock, WALL_START } from './fakes/clock';
import { recordingLog } from './fakes/log';
import { testConfig } from './fakes/server';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recloser-'));
  folders.push(folder);
  return folder;
}

const DAY_MS = 86_400_000;

async function storeWithSamples(folder: string, daysOld: readonly number[]) {
  const store = openSqliteStore({
    file: join(folder, 'recloser.db'),
    migrationsFolder: 'drizzle',
  });
  const service = {
    id: 'svc_1',
    environment: 'test',
    name: 'checkout',
    owner: null,
    firstSeenAt: 1,
  };
  const { run } = await store.registerRun({
    service,
    instance: {
      id: 'ins_1',
      serviceId: 'svc_1',
      instance: 'one',
      host: null,
      pid: null,
      replica: null,
      version: null,
      sdk: 'test',
      accepts: { kinds: [], maxLeaseMs: 0 },
      tokenId: null,
      startedAt: 1,
      lastSeenAt: 1,
    },
    epoch: 'a'.repeat(32),
  });
  await store.appendBatches([
    {
      runId: run.id,
      receivedAt: WALL_START,
      breakers: [
        { id: 'br_1', serviceId: 'svc_1', name: 'payments', target: 'payments', firstSeenAt: 1 },
      ],
      configs: [],
      gaps: [],
      events: [],
      samples: [],
      probes: daysOld.map((days, index) => ({
        breakerId: 'br_1',
        seq: index + 1,
        at: WALL_START - days * DAY_MS,
        step: 1,
        outcome: 'success',
        latencyMs: 1,
        idempotent: true,
      })),
      states: [],
      samplesSeq: daysOld.length,
      droppedSamples: 0,
    },
  ]);
  return store;
}

const range = { breakerId: 'br_1', from: 0, to: WALL_START + 1, limit: 10 };

describe('the backend', () => {
  it('[R-34] keeps samples as long as it is told to', async () => {
    const folder = dataDir();
    const before = await storeWithSamples(folder, [1, 8, 40]);
    await before.close();
    const clock = fakeServerClock();
    const config = testConfig({
      RECLOSER_DATA_DIR: folder,
      RECLOSER_SAMPLE_RETENTION_DAYS: '30',
    });
    const backend = await openBackend(config, clock, recordingLog());
    for (let minute = 0; minute < 20; minute += 1) {
      clock.advance(60_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await backend.close();
    const after = openSqliteStore({
      file: join(folder, 'recloser.db'),
      migrationsFolder: 'drizzle',
    });
    expect(await after.readProbes(range)).toHaveLength(2);
    await after.close();
  });

  it('[S-46] leaves the file to its owner alone', async () => {
    const folder = join(dataDir(), 'made');
    const backend = await openBackend(
      testConfig({ RECLOSER_DATA_DIR: folder }),
      fakeServerClock(),
      recordingLog(),
    );
    await backend.close();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'recloser.db')).mode & 0o777).toBe(0o600);
  });

  it('[S-26] does not start without the key of the secrets that it holds, and makes no other', async () => {
    const folder = dataDir();
    const open = (environment = {}) =>
      openBackend(
        testConfig({ RECLOSER_DATA_DIR: folder, ...environment }),
        fakeServerClock(),
        recordingLog(),
      );
    await (await open()).close();
    const key = join(folder, 'auth-secret');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    rmSync(key);
    // Nothing is encrypted under it yet.
    await (await open()).close();

    const store = openSqliteStore({
      file: join(folder, 'recloser.db'),
      migrationsFolder: 'drizzle',
    });
    const audit = {
      at: 1,
      actor: 'x',
      action: 'x',
      subject: 'x',
      outcome: 'done',
      details: {},
    } as const;
    const kim = {
      id: 'usr_1',
      name: 'Kim',
      email: 'kim@example.test',
      passwordHash: null,
      grants: [],
    };
    await store.people.addPerson(kim, 1, audit);
    const app = {
      id: 'app_1',
      userId: 'usr_1',
      secret: `$ba$${keyIdOf(readFileSync(key, 'utf8').trim())}$encrypted`,
      backupCodes: '',
      verified: true,
    };
    await store.people.auth.insert('twoFactor', app, null);
    await store.close();
    await (await open()).close();
    rmSync(key);
    await expect(open()).rejects.toThrow(/auth-secret is missing.* "recloser secret lost"/);
    expect(existsSync(key)).toBe(false);
    await expect(open({ RECLOSER_SECRET: 'k'.repeat(32) })).rejects.toThrow(/another key/);
  });
});
