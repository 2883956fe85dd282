/** [S-26] The key of stored secrets: changed, lost, and another than the one they are under. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { keyIdOf } from '@/server/auth/secret';
import { runCli } from '@/server/cli/run';
import { systemClock } from '@/server/clock';
import { startServer } from '@/server/start';
import type { AuthRow } from '@/server/store/port/people';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { recordingLog } from '@/tests/server/fakes/log';
import { testConfig } from '@/tests/server/fakes/server';
import { seedPeople } from '@/tests/support/sign-in';
import { addTotp, root, totpOf, Visitor } from './console';

const OWN = 'a-key-of-their-own-that-is-long-enough';
const NEXT = 'the-key-after-it-that-is-long-enough-too';

let dataDir: string;

async function start(environment: Record<string, string> = {}) {
  const server = await startServer(testConfig({ RECLOSER_DATA_DIR: dataDir, ...environment }), {
    log: recordingLog(),
    clock: systemClock,
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await server.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { port: server.port, url: `http://localhost:${server.port}`, close };
}

async function cli(words: string, environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const code = await runCli(words.split(' '), {
    environment: { RECLOSER_DATA_DIR: dataDir, ...environment },
    out: (line) => lines.push(line),
    error: (line) => lines.push(line),
    ask: null,
    now: Date.now,
    wait: async () => undefined,
    fetch,
    newKey: () => 'key',
    readFile: () => '',
    rootDir: process.cwd(),
  });
  return { code, text: lines.join('\n') };
}

/** What the file holds, while no server runs. */
async function inStore<T>(work: (store: ReturnType<typeof openSqliteStore>) => Promise<T>) {
  const file = join(dataDir, 'recloser.db');
  const store = openSqliteStore({ file, migrationsFolder: 'drizzle' });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const sealed = (): Promise<AuthRow | undefined> =>
  inStore(async ({ people }) => (await people.auth.find({ model: 'twoFactor', where: [] }))[0]);

const audited = (action: string) =>
  inStore(async (store) => store.listAudit({ action, limit: 10 }));

/** Root has an app; the server is stopped again. The address of the app. */
async function appOf(environment: Record<string, string> = {}): Promise<string> {
  const server = await start(environment);
  const visitor = new Visitor(server);
  await visitor.signIn(root);
  const uri = await addTotp(visitor, root);
  await server.close();
  return uri;
}

/** With the password and the code of a step from now: each code is good once. */
async function signInWith(server: Awaited<ReturnType<typeof start>>, uri: string, step = 0) {
  const visitor = new Visitor(server);
  expect((await visitor.signIn(root)).json()).toEqual({ state: 'second_factor' });
  return (await visitor.post('/api/sign-in/totp', { code: totpOf(uri, step) })).status;
}

const isUnder = (row: AuthRow | undefined, key: string): boolean =>
  [row?.['secret'], row?.['backupCodes']].every((text) =>
    String(text).startsWith(`$ba$${keyIdOf(key)}$`),
  );

describe('[S-26] the key of stored secrets', () => {
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'recloser-secret-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    await seedPeople(dataDir);
  });

  it('is changed by a command: apps move over at the next start, and go on', async () => {
    const uri = await appOf();
    const path = join(dataDir, 'auth-secret');
    const before = readFileSync(path, 'utf8').trim();
    expect(isUnder(await sealed(), before)).toBe(true);

    expect(await cli('secret rotate')).toMatchObject({ code: 0 });
    const [current = '', ...older] = readFileSync(path, 'utf8').trim().split('\n');
    expect(older).toEqual([before]);
    expect(current).not.toBe(before);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await audited('secret.rotated')).toMatchObject([
      { who: { kind: 'local' }, details: { from: keyIdOf(before), to: keyIdOf(current) } },
    ]);

    const server = await start();
    expect(await signInWith(server, uri)).toBe(200);
    await server.close();
    expect(isUnder(await sealed(), current)).toBe(true);
    expect(await audited('factor.sealed_anew')).toMatchObject([{ who: { kind: 'system' } }]);

    writeFileSync(path, `${current}\n`);
    expect(await signInWith(await start(), uri, 1)).toBe(200);
  });

  it('is changed by the environment, with the old one behind the new one', async () => {
    const uri = await appOf({ RECLOSER_SECRET: OWN });
    const both = await start({ RECLOSER_SECRET: `${NEXT},${OWN}` });
    expect(await signInWith(both, uri)).toBe(200);
    await both.close();
    expect(isUnder(await sealed(), NEXT)).toBe(true);
    expect(await signInWith(await start({ RECLOSER_SECRET: NEXT }), uri, 1)).toBe(200);
    expect((await cli('secret rotate')).text).toMatch(/RECLOSER_SECRET/);
  });

  it('is noticed at the start when it is another one, and nothing is changed', async () => {
    const uri = await appOf({ RECLOSER_SECRET: OWN });
    const before = await sealed();
    await expect(start({ RECLOSER_SECRET: NEXT })).rejects.toThrow(
      new RegExp(`another key \\(${keyIdOf(OWN)}\\) than the one given \\(${keyIdOf(NEXT)}\\)`),
    );
    expect(await sealed()).toEqual(before);
    expect(await signInWith(await start({ RECLOSER_SECRET: OWN }), uri)).toBe(200);
  });

  it('takes the apps away that it opened, once it is lost and somebody says so', async () => {
    const environment = { RECLOSER_SECRET: NEXT };
    await appOf({ RECLOSER_SECRET: OWN });
    expect(await cli('secret lost', environment)).toMatchObject({ code: 2 });
    const kept = await cli('secret lost --yes', { RECLOSER_SECRET: OWN });
    expect(kept).toMatchObject({ code: 0, text: expect.stringMatching(/nothing was taken away/) });

    const { code, text } = await cli('secret lost --yes', environment);
    expect(code).toBe(0);
    expect(text).toContain(root.email);
    expect(await audited('factor.lost')).toMatchObject([{ who: { kind: 'local' } }]);
    const server = await start(environment);
    expect((await new Visitor(server).signIn(root)).json()).toMatchObject({ state: 'signed_in' });
  });

  it('goes on without its file once somebody says that it is lost', async () => {
    await appOf();
    rmSync(join(dataDir, 'auth-secret'));
    await expect(start()).rejects.toThrow(/auth-secret is missing/);
    expect(await cli('secret lost --yes')).toMatchObject({ code: 0 });
    const server = await start();
    expect((await new Visitor(server).signIn(root)).json()).toMatchObject({ state: 'signed_in' });
  });

  it('opens what was encrypted before keys had ids', async () => {
    const uri = await appOf({ RECLOSER_SECRET: OWN });
    await inStore(async ({ people }) => {
      const [row] = await people.auth.find({ model: 'twoFactor', where: [] });
      const key = { keys: new Map([[keyIdOf(OWN), OWN]]), currentVersion: keyIdOf(OWN) };
      const bare = async (data: unknown) =>
        symmetricEncrypt({ key: OWN, data: await symmetricDecrypt({ key, data: String(data) }) });
      await people.auth.change({
        model: 'twoFactor',
        where: [{ field: 'id', operator: 'eq', value: row?.['id'], connector: 'AND' }],
        set: {
          secret: await bare(row?.['secret']),
          backupCodes: await bare(row?.['backupCodes']),
        },
        audit: null,
      });
    });
    await expect(start({ RECLOSER_SECRET: NEXT })).rejects.toThrow(/without an id/);
    expect(await signInWith(await start({ RECLOSER_SECRET: OWN }), uri)).toBe(200);
  });
});
