/**
 * [U-40] Why a page has nothing to show, or may not change what it shows: each reason by its real
 * fault, in words of its own, and with the next step that they promise.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '@/examples/demo/browser';
import { Recloser } from '@/lib/agent';
import { startConsole } from '@/scripts/lib/console-process.mjs';
import { createToken, freePort } from '../support/server-process';
import { person, root, seedPeople } from '../support/sign-in';
import { enter } from './support/stage';

const PATIENCE = { timeout: 30_000, interval: 50 };
const viewer = person('vera', [{ role: 'viewer', environment: '*', service: '*' }]);

let dataDir: string;
let port: number;
let server: Awaited<ReturnType<typeof startConsole>>;
let browser: Browser;
let page: Page;
let recloser: Recloser;
/** While true, no live socket comes through. */
let isCut = false;
/** The words of each reason, as they were met. */
const said: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'recloser-empty-'));
  port = await freePort();
  await seedPeople(dataDir, [viewer]);
  server = await startConsole({ port, dataDir });
  browser = await openBrowser();
  page = await enter({ browser, url: server.url }, root);
  await page.routeWebSocket(/\/ws\/live/, (socket) => {
    if (isCut) void socket.close();
    else socket.connectToServer();
  });
});

afterAll(async () => {
  await recloser?.close();
  await browser?.close();
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const open = (path: string) => page.goto(server.url + path);
const row = () => page.getByRole('grid').getByRole('row').filter({ hasText: 'inventory' });

/** Where the next step led. */
const isShown = async (what: Locator) => {
  await what.waitFor();
  return what.isVisible();
};

/** The heading or the first words of a banner, which no other reason may share. */
async function meet(words: string, where: Page = page): Promise<void> {
  await where.getByText(words, { exact: true }).first().waitFor();
  expect(said).not.toContain(words);
  said.push(words);
}

const health = () =>
  fetch(`${server.url}/healthz`)
    .then((answer) => answer.status)
    .catch(() => 0);

/** Every write of this process beyond its first byte fails, as on a disk without space. */
const limitFiles = (limit: '1' | 'unlimited') =>
  promisify(execFile)('prlimit', ['--pid', String(server.pid), `--fsize=${limit}:`]);

/** Overwrites the first page of a table that nothing reads at the start. */
async function damage(table: string): Promise<void> {
  const file = join(dataDir, 'recloser.db');
  const database = new Database(file, { readonly: true });
  const pageBytes = Number(database.pragma('page_size', { simple: true }));
  const number = database
    .prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .pluck()
    .get(table);
  database.close();
  if (number === undefined) throw new Error(`no table ${table}`);
  const bytes = await readFile(file);
  bytes.fill(0xa5, (number - 1) * pageBytes, (number - 1) * pageBytes + 40);
  await writeFile(file, bytes);
}

describe('[U-40] a page that has nothing to show says why, and what to do next:', () => {
  it('no agents yet', async () => {
    await open('/');
    await meet('No service reports here yet');
    await page.getByRole('main').getByRole('link', { name: 'Create an agent token' }).click();
    expect(await isShown(page.getByRole('button', { name: 'Create token' }))).toBe(true);
  });

  it('agents but no breakers', async () => {
    recloser = new Recloser({
      service: 'checkout',
      environment: 'test',
      instance: 'checkout-1',
      url: server.url,
      token: await createToken(server.url),
      logger: { info: () => undefined, error: () => undefined },
    });
    await open('/');
    await meet('Services are connected, none has a breaker');
    await page.getByRole('link', { name: 'Look at the services' }).click();
    const link = page.getByRole('main').getByRole('link', { name: 'checkout' });
    expect(await isShown(link)).toBe(true);
  });

  it('a filter that hides all', async () => {
    const guarded = recloser.breaker('inventory');
    await guarded.run(() => Promise.resolve());
    await open('/?q=nothing-like-it');
    await meet('The filter hides every breaker');
    await page.getByRole('button', { name: 'Show all 1' }).click();
    expect(await isShown(row())).toBe(true);
  });

  it('no permission', async () => {
    const other = await enter({ browser, url: server.url }, viewer);
    await other.goto(`${server.url}/settings/people`);
    await meet('The people: your role does not cover this', other);
    await other.getByRole('link', { name: 'See your roles' }).click();
    expect(await isShown(other.getByRole('heading', { name: 'Preferences' }))).toBe(true);
    await other.context().close();
  });

  it('a server that cannot be reached, before anything came of it', async () => {
    isCut = true;
    await open('/');
    await server.stop();
    await meet('The Recloser server does not answer');
    server = await startConsole({ port, dataDir });
    isCut = false;
    await page.getByRole('button', { name: 'Try again now' }).click();
    expect(await isShown(row())).toBe(true);
  });
});

describe('[U-40] a console that takes no changes says why, and what to do next:', () => {
  it.skipIf(process.platform !== 'linux')('a disk that takes no writes', async () => {
    await limitFiles('1');
    await expect.poll(health, PATIENCE).toBe(503);
    await page.reload();
    await meet('Read only: the disk of this server takes no writes.');
    await page.getByText(/Free space in the data folder/).waitFor();
    await row().waitFor();
    await limitFiles('unlimited');
    await expect.poll(health, PATIENCE).toBe(200);
    await page.reload();
    await row().waitFor();
    await page.getByText('Read only:').waitFor({ state: 'detached' });
  });

  it('[R-31] a file that is damaged', async () => {
    await server.stop();
    await damage('probes');
    server = await startConsole({ port, dataDir, awaits: 'degraded' });
    await page.reload();
    await meet('Read only: the data of this server is damaged.');
    await page.getByText(/Stop the server and restore the last backup/).waitFor();
    // What is known can be read.
    expect(await isShown(row())).toBe(true);
  });

  it('no two of them share their words', () => {
    expect(new Set(said).size).toBe(said.length);
    expect(said.length).toBeGreaterThanOrEqual(6);
  });
});
