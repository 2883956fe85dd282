/**
 * The page of a breaker that has just been through an outage: everything above the fold, one axis and
 * one cursor for mouse and keys, the numbers, the address, the files.
 */
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '@/examples/demo/browser';
import { openStage, type Stage, until } from '@/examples/demo/stage';

const PATIENCE = { timeout: 60_000, interval: 100 };
const LAPTOP = { width: 1366, height: 768 };
const SECOND_MS = 1_000;

let stage: Stage;
let browser: Browser;
let page: Page;
let id: string;
/** From before the outage until after it. */
let range: { from: number; to: number };
const problems: string[] = [];

const database = () => stage.breaker('inventory', 'inventory-db');
const path = (query: string) => `/breakers/${encodeURIComponent(id)}?${query}`;

async function open(query: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await stage.enter(browser, 'operator', { viewport: LAPTOP, ...options });
  const opened = await context.newPage();
  opened.setDefaultTimeout(60_000);
  opened.on('pageerror', (error) => problems.push(error.message));
  await opened.goto(stage.url + path(query), { waitUntil: 'commit' });
  await cursor(opened).waitFor();
  return opened;
}

const cursor = (of: Page) => of.getByRole('slider', { name: 'Time cursor of the charts' });
const chart = (of: Page, title: string) =>
  of.getByRole('figure', { name: new RegExp(`^${title}:`) });
const plot = (of: Page, title: string) => chart(of, title).locator('div[data-plot]').first();
const CHARTS = ['Ramp', 'Probe latency', 'Open backoff'] as const;
const params = (of: Page) => new URL(of.url()).searchParams;
const param = (name: string) => () => params(page).get(name);
const past = () => ({ from: Number(param('from')()), to: Number(param('to')()) });

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('nothing is drawn there');
  return box;
}

/** The instant under the cursor; the address follows once it rests. */
async function cursorAt(of: Page = page): Promise<number> {
  return Date.parse((await of.locator('[data-readout] time').getAttribute('datetime')) ?? '');
}
async function pinnedAt(): Promise<number> {
  const at = await cursorAt();
  await expect.poll(() => Math.abs(Number(param('at')()) - at), PATIENCE).toBeLessThanOrEqual(1);
  return at;
}

/** What the line above the charts and the three legends say. */
async function readings(of: Page) {
  return {
    at: (await of.locator('[data-readout] time').innerText()).trim(),
    words: await of.locator('[data-readout] > span').first().innerText(),
    legends: await Promise.all(
      CHARTS.map((title) => chart(of, title).locator('[data-export="legend"]').allInnerTexts()),
    ),
  };
}

beforeAll(async () => {
  stage = await openStage();
  browser = await openBrowser();
  await until(database, ({ callsPerSecond }) => callsPerSecond > 1, 60_000);
  ({ id } = await database());
  const from = Date.now() - 5 * SECOND_MS;
  await stage.fault('inventory-db', { kind: 'restart_cold', downMs: 3_000 });
  await until(database, ({ state }) => state === 'open', 60_000);
  page = await open('range=5m');
  await until(database, ({ state, ramp }) => state === 'half_open' && ramp !== null, 60_000);
  await until(database, ({ state }) => state === 'closed', 120_000);
  range = { from, to: Date.now() + 2 * SECOND_MS };
});

afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

describe('[U-09] above the fold of a small laptop', () => {
  it('is all that one asks first, with an override in force', async () => {
    const forced = await stage.breaker('edge', 'pricing');
    await stage.forceOpen(forced.id, 'Wrong prices since the deploy at noon');
    await until(
      () => stage.breaker('edge', 'pricing'),
      ({ state }) => state === 'forced_open',
    );
    const context = await stage.enter(browser, 'operator', { viewport: LAPTOP });
    const held = await context.newPage();
    await held.goto(`${stage.url}/breakers/${forced.id}`, { waitUntil: 'commit' });
    await cursor(held).waitFor({ timeout: 60_000 });
    const main = held.getByRole('main');
    const strip = main.getByRole('region', { name: 'Active override' });
    const parts: Record<string, Locator> = {
      state: main.getByText('Forced open', { exact: true }).first(),
      since: main.getByText(/^since/).first(),
      service: main.getByRole('link', { name: 'edge', exact: true }),
      target: main.getByRole('link', { name: 'pricing', exact: true }),
      owner: main.getByText('Team Storefront', { exact: true }),
      'calls now': main.getByRole('definition').filter({ hasText: '/s' }).first(),
      failures: main.getByText('Failures', { exact: true }).first(),
      'next probe': main.getByText('Next probe', { exact: true }).first(),
      'time left': strip.getByText(/Forced open, \d+:\d\d left|Force open, \d+:\d\d left/),
      ...Object.fromEntries(CHARTS.map((title) => [title, chart(held, title)])),
    };
    for (const [part, locator] of Object.entries(parts)) {
      const { x, y, width, height } = await boxOf(locator);
      const inside = x >= 0 && y >= 0 && x + width <= LAPTOP.width && y + height <= LAPTOP.height;
      expect({ part, inside, bottom: y + height }).toMatchObject({ inside: true });
    }
    await context.close();
  });

  it('has three charts on one axis, with the same bands behind each', async () => {
    const plots = await Promise.all(CHARTS.map((title) => boxOf(plot(page, title))));
    for (const box of plots) {
      expect(Math.abs(box.x - (plots[0]?.x ?? 0))).toBeLessThan(1);
      expect(Math.abs(box.width - (plots[0]?.width ?? 0))).toBeLessThan(1);
    }
    await page.keyboard.press('p');
    const bands = await Promise.all(
      CHARTS.map((title) =>
        chart(page, title)
          .locator('[data-tone][style]')
          .evaluateAll((all) => all.map((one) => [one.dataset.tone, one.style.cssText])),
      ),
    );
    expect(bands[0]?.map(([tone]) => tone)).toEqual(expect.arrayContaining(['open', 'half']));
    expect(bands[1]).toEqual(bands[0]);
    expect(bands[2]).toEqual(bands[0]);
    await page.keyboard.press('p');
  });
});

describe('[U-10] reading the charts', () => {
  it('stands still while paused, and goes on after', async () => {
    const end = () => cursor(page).getAttribute('max');
    await page.keyboard.press('p');
    await page
      .getByText(/Paused/)
      .first()
      .waitFor();
    const stopped = await end();
    await page.getByRole('main').evaluate(() => new Promise((go) => setTimeout(go, 2_500)));
    expect(await end()).toBe(stopped);
    await page.keyboard.press('p');
    await expect.poll(end, PATIENCE).not.toBe(stopped);
  });

  it('has the numbers one key away, and they are those under the cursor', async () => {
    await page.goto(`${stage.url}${path(`from=${range.from}&to=${range.to}`)}`);
    await cursor(page).focus();
    await page.keyboard.press('y');
    const table = page.getByRole('table', { name: 'Ramp, data' });
    await table.waitFor();
    await expect.poll(param('tables'), PATIENCE).toBe('ramp,latency,backoff,instances');
    for (const title of ['Probe latency', 'Open backoff', 'Instances']) {
      expect(await page.getByRole('table', { name: `${title}, data` }).count()).toBe(1);
    }
    const { at, words } = await readings(page);
    const row = await table
      .getByRole('row')
      .filter({ hasText: at.replace('Z', '') })
      .innerText();
    const allowed = /allowed (\S+ %)/.exec(words)?.[1] ?? 'nothing allowed';
    expect(row.split('\t')[1]).toBe(allowed);
    await page.keyboard.press('y');
    await table.waitFor({ state: 'detached' });
  });

  it('annotates holds, gaps and the override', async () => {
    // The minutes before the stage began.
    await page.goto(`${stage.url}${path(`from=${range.from - 60_000}&to=${range.to}`)}`);
    await cursor(page).focus();
    await page.keyboard.press('Home');
    await expect
      .poll(async () => (await readings(page)).words, PATIENCE)
      .toMatch(/nothing reported/);
    await chart(page, 'Ramp').locator('[data-tone="unknown"][data-hatch]').first().waitFor();
    expect(await chart(page, 'Open backoff').innerText()).toMatch(/log scale/);
  });
});

describe('[U-10] [U-35] moving through time', () => {
  it('zooms by a drag to what was marked, and back undoes it', async () => {
    await page.goto(`${stage.url}${path(`from=${range.from}&to=${range.to}`)}`);
    const { x, y, width, height } = await boxOf(plot(page, 'Probe latency'));
    const middle = y + height / 2;
    await page.mouse.move(x + width * 0.25, middle);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.5, middle, { steps: 4 });
    await page.mouse.move(x + width * 0.75, middle, { steps: 4 });
    await page.mouse.up();
    await expect.poll(param('from'), PATIENCE).not.toBe(String(range.from));
    const span = range.to - range.from;
    const { from, to } = past();
    expect(Math.abs(from - (range.from + span * 0.25))).toBeLessThan(span * 0.02);
    expect(Math.abs(to - (range.from + span * 0.75))).toBeLessThan(span * 0.02);
    await page.goBack();
    await expect.poll(past, PATIENCE).toEqual(range);
  });

  it('[2.5.7] zooms and moves by keys and by buttons, without a drag', async () => {
    await cursor(page).focus();
    await page.keyboard.press('+');
    await expect.poll(param('from'), PATIENCE).not.toBe(String(range.from));
    const near = past();
    expect(near.to - near.from).toBeLessThan(range.to - range.from);
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => past().from, PATIENCE).toBeLessThan(near.from);
    const moved = past();
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect
      .poll(() => past().to - past().from, PATIENCE)
      .toBeGreaterThan(moved.to - moved.from);
  });

  it('shows the same instants to somebody in another zone', async () => {
    await page.goto(`${stage.url}${path(`from=${range.from}&to=${range.to}`)}`);
    await cursor(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('.');
    await page.keyboard.press('y');
    const at = await pinnedAt();
    await page.getByRole('table', { name: 'Ramp, data' }).waitFor();
    // While the router still draws, the address is an older one for a moment.
    const link = new URLSearchParams();
    const copied = () => {
      for (const [name, value] of params(page)) link.set(name, value);
      return [...link.keys()];
    };
    await expect.poll(copied, PATIENCE).toEqual(expect.arrayContaining(['at', 'tables']));
    const other = await open(link.toString(), { timezoneId: 'Asia/Kathmandu' });
    await other.getByRole('table', { name: 'Ramp, data' }).waitFor();
    for (const name of ['min', 'max', 'aria-valuetext']) {
      const mine = await cursor(page).getAttribute(name);
      await expect.poll(() => cursor(other).getAttribute(name), PATIENCE).toBe(mine);
    }
    expect(Number(params(other).get('at'))).toBe(at);
    expect(await readings(other)).toEqual(await readings(page));
    await other.context().close();
    await page.keyboard.press('y');
    await page.getByRole('table', { name: 'Ramp, data' }).waitFor({ state: 'detached' });
  });
});

const save = async (item: string) => {
  await page.getByRole('button', { name: 'Ramp: save or copy' }).press('Enter');
  const entry = page.getByRole('menuitem', { name: item });
  const [download] = await Promise.all([page.waitForEvent('download'), entry.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/^recloser-inventory-db-inventory-demo-ramp-/);
  return readFile(await download.path());
};

/** What a viewer that knows nothing of the console makes of the picture. */
const seenAs = async (type: string, file: Buffer) => {
  const viewer = await browser.newPage();
  const size = await viewer.evaluate(
    async ({ type, body }) => {
      const picture = new Image();
      picture.src = `data:${type};base64,${body}`;
      await picture.decode();
      return { width: picture.naturalWidth, height: picture.naturalHeight };
    },
    { type, body: file.toString('base64') },
  );
  await viewer.close();
  return size;
};

describe('[U-42] files of a chart', () => {
  it('open as pictures, the PNG at twice the size', async () => {
    const svg = await save('Drawing (SVG)');
    expect(svg.toString('utf8')).toContain('inventory-db');
    expect(svg.toString('utf8')).not.toMatch(/<script|<style|var\(/);
    const drawing = await seenAs('image/svg+xml', svg);
    const picture = await seenAs('image/png', await save('Picture (PNG)'));
    expect(drawing.width).toBeGreaterThan(400);
    expect(picture).toEqual({ width: drawing.width * 2, height: drawing.height * 2 });
  });

  it('open as a sheet with every point in UTC', async () => {
    const lines = (await save('All numbers (CSV)')).toString('utf8').trim().split(/\r?\n/);
    expect(lines[0]).toBe('time,allowed_share,admitted_share,refused_per_second,step,instances');
    const times = lines.slice(1).map((line) => Date.parse(line.split(',')[0] ?? ''));
    expect(times.length).toBeGreaterThan(10);
    for (const [index, at] of times.entries()) expect(at).toBeGreaterThan(times[index - 1] ?? 0);
    expect(lines[1]?.split(',')[0]).toMatch(/Z$/);
  });
});

const main = () => page.getByRole('main');

describe('what stands beside the charts', () => {
  it('has a lane for each instance with its state under the cursor', async () => {
    const lanes = chart(page, 'Instances').getByRole('listitem');
    expect(await lanes.count()).toBe(2);
    await cursor(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('.');
    await expect
      .poll(async () => (await lanes.allInnerTexts()).some((text) => /Open/.test(text)), PATIENCE)
      .toBe(true);
  });

  it('has the steps of the ramp, what the verdict rests on, and a runbook of four parts', async () => {
    const steps = main().getByRole('table', { name: 'Ramp steps' }).getByRole('row');
    expect(await steps.count()).toBeGreaterThan(3);
    expect(await steps.allInnerTexts()).toContainEqual(expect.stringMatching(/Passed/));
    expect(await main().getByText('Latency verdict').innerText()).toBe('Latency verdict');
    expect(await main().getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(
      expect.arrayContaining(
        ['Fault confirmation', 'Impact', 'Root cause', 'Recovery check'].map((title) =>
          expect.stringContaining(title),
        ),
      ),
    );
  });

  it('says *undecided* where too few have answered', async () => {
    await page.goto(`${stage.url}${path(`from=${range.from}&to=${range.to}`)}`);
    await cursor(page).focus();
    await page.keyboard.press('Home');
    // The first change is the opening, a later one the first probe.
    const words = async () => (await readings(page)).words;
    for (let change = 0; change < 6 && !(await words()).startsWith('Half-open'); change += 1) {
      await page.keyboard.press('.');
      await pinnedAt();
    }
    expect(await words()).toMatch(/^Half-open/);
    const began = await pinnedAt();
    await page.goto(`${stage.url}${path(`from=${range.from}&to=${began + 300}`)}`);
    const line = main().locator('p').filter({ hasText: 'Latency verdict' });
    await line.filter({ hasText: 'Undecided' }).waitFor();
    expect(await line.innerText()).toMatch(/a P50 needs 5/);
  });

  it('met no error in the page', () => {
    expect(problems).toEqual([]);
  });
});
