/**
 * `npm run screenshots` takes the pictures of the documentation: each page in both themes.
 * `npm run screenshots -- --all` takes them in three sizes, and the moments of an outage besides.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../examples/demo/browser';
import { openStage, type Stage, until } from '../examples/demo/stage';
import { pause } from '../examples/demo/service';
import { prepare } from './lib/bootstrap.mjs';
import { root } from './lib/paths.mjs';

const folder = join(root, 'docs/images');
/** Six pages at once on a busy machine take their time. */
const PATIENCE_MS = 120_000;
const all = process.argv.includes('--all');

const themes = ['dark', 'light'] as const;
const sizes = [
  { width: 1440, height: 900 },
  { width: 1366, height: 768 },
  { width: 360, height: 640 },
] as const;

type Look = { theme: (typeof themes)[number]; size: (typeof sizes)[number] };
type Shot = { name: string; path: string };

const SETTINGS: readonly Shot[] = [
  { name: 'people', path: '/settings/people' },
  { name: 'profile', path: '/settings/profile' },
];

function looks(): Look[] {
  const chosen = all ? sizes : [sizes[0]];
  return themes.flatMap((theme) => chosen.map((size) => ({ theme, size })));
}

function fileName({ name }: Shot, { theme, size }: Look): string {
  return all ? `${name}-${theme}-${size.width}x${size.height}.png` : `${name}-${theme}.png`;
}

/** Pages are opened first, so that all pictures of a moment are of that moment. */
async function openPages(browser: Browser, stage: Stage, shot: Shot) {
  return Promise.all(
    looks().map(async (look) => {
      const options = { viewport: look.size, colorScheme: look.theme };
      const page = await (await stage.enter(browser, 'admin', options)).newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      // The live socket keeps the page busy for good; the heading says that it is there.
      await page.goto(stage.url + shot.path, { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.getByText('Connecting').first().waitFor({ state: 'hidden' });
      return { page, look };
    }),
  );
}

async function take(pages: { page: Page; look: Look }[], shot: Shot): Promise<void> {
  for (const { page, look } of pages) {
    const name = fileName(shot, look);
    await page.screenshot({ path: join(folder, name), animations: 'disabled' });
    console.log(name);
  }
}

async function picture(browser: Browser, stage: Stage, shot: Shot): Promise<void> {
  const pages = await openPages(browser, stage, shot);
  await pause(1_500);
  await take(pages, shot);
  await Promise.all(pages.map(({ page }) => page.context().close()));
}

const ramp = (stage: Stage) => () => stage.breaker('inventory', 'inventory-db');

async function isExisting({ url, session }: Stage, path: string): Promise<boolean> {
  const answer = await fetch(url + path, { headers: session.headers });
  await answer.arrayBuffer();
  return answer.ok;
}

/** The fleet and the breaker page need the outage: open first, then in the middle of the ramp. */
async function outage(browser: Browser, stage: Stage): Promise<void> {
  const { id } = await ramp(stage)();
  const fleet: Shot = { name: 'fleet', path: '/' };
  // The stage is two minutes old; a longer range would be mostly empty.
  const breaker: Shot = { name: 'breaker', path: `/breakers/${encodeURIComponent(id)}?range=5m` };
  const fleetPages = await openPages(browser, stage, fleet);
  const breakerPages = await openPages(browser, stage, breaker);

  for (const service of ['inventory-db', 'inventory-db-classic']) {
    await stage.fault(service, { kind: 'restart_cold', downMs: 9_000 });
  }
  await until(ramp(stage), ({ state }) => state === 'open');
  if (all) {
    await pause(1_500);
    await take(fleetPages, { ...fleet, name: 'fleet-open' });
    await take(breakerPages, { ...breaker, name: 'breaker-open' });
  }

  await until(
    ramp(stage),
    ({ state, ramp }) => state === 'half_open' && (ramp?.step ?? 0) >= 1,
    60_000,
  );
  await take(fleetPages, fleet);
  if (all) await take(breakerPages, { ...breaker, name: 'breaker-half-open' });

  await until(ramp(stage), ({ state }) => state === 'closed', 60_000);
  await pause(3_000);
  await take(breakerPages, breaker);
  await Promise.all([...fleetPages, ...breakerPages].map(({ page }) => page.context().close()));
}

async function main(): Promise<void> {
  await prepare();
  await mkdir(folder, { recursive: true });
  const stage = await openStage();
  const browser = await openBrowser();
  try {
    // Long enough for baselines and for five minutes' charts to have something to show.
    await until(ramp(stage), ({ callsPerSecond }) => callsPerSecond > 1);
    await pause(45_000);
    const { id } = await stage.breaker('edge', 'pricing');
    await stage.forceOpen(id, 'Wrong prices since the deploy at noon, see ticket 4711');
    await outage(browser, stage);

    const { serviceId: service, target, environment } = await ramp(stage)();
    const ofTarget = `${encodeURIComponent(target)}?env=${encodeURIComponent(environment)}`;
    const rest: Shot[] = [
      { name: 'target', path: `/targets/${ofTarget}` },
      { name: 'wall', path: '/wall' },
      { name: 'services', path: '/services' },
      { name: 'service', path: `/services/${encodeURIComponent(service)}` },
      { name: 'overrides', path: '/overrides' },
      { name: 'audit', path: '/audit' },
      ...(all ? SETTINGS : []),
    ];
    for (const shot of rest) {
      if (await isExisting(stage, shot.path)) await picture(browser, stage, shot);
    }
  } finally {
    await browser.close();
    await stage.close();
  }
}

await main();
