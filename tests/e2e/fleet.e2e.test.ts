/** The fleet page by keyboard, as tiles, in groups, and as a link. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '@/examples/demo/browser';
import { openStage, type Stage, until } from '@/examples/demo/stage';

const PATIENCE = { timeout: 30_000, interval: 100 };

let stage: Stage;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  stage = await openStage();
  browser = await openBrowser();
  const options = { viewport: { width: 1440, height: 900 } };
  page = await (await stage.enter(browser, 'operator', options)).newPage();
  page.setDefaultTimeout(90_000);
  page.on('pageerror', (error) => problems.push(error.message));
  await until(
    () => stage.breaker('edge', 'pricing'),
    ({ callsPerSecond }) => callsPerSecond > 1,
    60_000,
  );
});

afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const grid = () => page.getByRole('grid', { name: /^Breakers/ });
const cursor = () => grid().getAttribute('aria-activedescendant');
const selected = () => grid().locator('[aria-selected="true"]').count();
const query = () => new URL(page.url()).searchParams;

async function open(path: string): Promise<void> {
  await page.goto(stage.url + path);
  await grid().waitFor();
  await grid().locator('[id^="breaker-"]').first().waitFor();
}

describe('[U-32] [2.1.1] the list by keyboard', () => {
  it('is one tab stop that keys move in, and Enter opens the breaker under the cursor', async () => {
    await open('/');
    await grid().focus();
    const first = await cursor();
    expect(first).toMatch(/^breaker-/);
    await page.keyboard.press('j');
    const second = await cursor();
    expect(second).not.toBe(first);
    await page.keyboard.press('k');
    expect(await cursor()).toBe(first);
    await page.keyboard.press('End');
    const last = await cursor();
    expect(await page.locator(`[id="${last}"]`).count()).toBe(1);
    await page.keyboard.press('Home');
    expect(await cursor()).toBe(first);

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/breakers\//);
    expect(`breaker-${page.url().split('/').at(-1)}`).toBe(second);
  });

  it('keeps the cursor on its breaker when the order changes', async () => {
    const { id } = await stage.breaker('edge', 'payments');
    await open(`/?at=${id}`);
    await grid().focus();
    expect(await cursor()).toBe(`breaker-${id}`);
    await stage.fault('payments', { kind: 'errors', share: 1 });
    const row = page.locator(`[id="breaker-${id}"]`);
    await expect.poll(() => row.getAttribute('data-state'), PATIENCE).toBe('open');
    expect(await cursor()).toBe(`breaker-${id}`);
    await page.getByRole('button', { name: 'New order' }).click();
    await expect.poll(() => row.getAttribute('aria-rowindex'), PATIENCE).toBe('2');
    await grid().focus();
    expect(await cursor()).toBe(`breaker-${id}`);
    await stage.fault('payments', { kind: 'clear' });
  });

  it('selects with Space, ranges with x, and lets go with Escape', async () => {
    await open('/');
    await grid().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    expect(await selected()).toBe(1);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await expect.poll(selected, PATIENCE).toBe(3);
    await page.getByText('3 breakers selected').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(selected, PATIENCE).toBe(0);
  });

  it('leads from a selection to a dialog, and does nothing by itself', async () => {
    await grid().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Force open…' }).click();
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show only these' }).click();
    await expect.poll(() => query().getAll('only').length, PATIENCE).toBe(1);
    await page.getByText(/^1 of \d+ breakers$/).waitFor();
  });
});

describe('[U-35] the look of the list is its address', () => {
  it('opens again as it was: filter, layout, groups, folded group, cursor', async () => {
    await open('/');
    await page.getByLabel('Search breakers').fill('e');
    await page.getByLabel('Group', { exact: true }).selectOption('target');
    await page.getByRole('button', { name: 'Tiles' }).click();
    const heads = grid().locator('[aria-expanded]');
    await heads.first().click();
    await grid().focus();
    await page.keyboard.press('End');
    await expect.poll(() => query().get('at'), PATIENCE).toBeTruthy();
    const tilesOf = async () => (await grid().locator('[id^="breaker-"]').all()).length;
    const before = { address: page.url(), tiles: await tilesOf(), heads: await heads.count() };
    expect(query().get('view')).toBe('tiles');
    expect(query().getAll('flip')).toHaveLength(1);

    await page.goto('about:blank');
    await page.goto(before.address);
    await grid().waitFor();
    await expect.poll(() => heads.count(), PATIENCE).toBe(before.heads);
    await expect.poll(tilesOf, PATIENCE).toBe(before.tiles);
    expect(page.url()).toBe(before.address);
    expect(await page.getByLabel('Search breakers').inputValue()).toBe('e');
    const at = query().get('at') ?? '';
    await grid().focus();
    const under = await cursor();
    // A folded group may be the last line: its element has a name of its own.
    expect(under?.replace(/^group-/, 'group ')).toBe(
      at.startsWith('group ') ? `group ${encodeURIComponent(at.slice(6))}` : `breaker-${at}`,
    );
  });

  it('is kept under a name, as a link', async () => {
    await open('/?group=service&q=pay');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Keep this view as').fill('Payments');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await open('/');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await expect.poll(() => query().get('q'), PATIENCE).toBe('pay');
    expect(query().get('group')).toBe('service');
  });
});

describe('tiles and groups', () => {
  it('move in two directions by keys', async () => {
    await open('/?view=tiles');
    await grid().focus();
    await page.keyboard.press('Home');
    const first = await cursor();
    await page.keyboard.press('ArrowRight');
    expect(await cursor()).not.toBe(first);
    await page.keyboard.press('ArrowLeft');
    expect(await cursor()).toBe(first);
  });

  it('fold and unfold by keys', async () => {
    await open('/?group=service');
    await grid().focus();
    await page.keyboard.press('Home');
    const head = page.locator(`[id="${await cursor()}"]`);
    expect(await head.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => head.getAttribute('aria-expanded'), PATIENCE).toBe('false');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => head.getAttribute('aria-expanded'), PATIENCE).toBe('true');
  });

  it('met no error in the page', () => {
    expect(problems).toEqual([]);
  });
});
