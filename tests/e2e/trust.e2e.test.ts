/** [U-47] Where one is, when, how well heard, and as whom: said in the bar of every page. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandView } from '@/lib/protocol/command-views';
import {
  enter,
  mara,
  openBreaker,
  openHandleStage,
  PHONE,
  sven,
  WIDE,
  type HandleStage,
  type TestService,
} from './support/stage';

const PATIENCE = { timeout: 30_000, interval: 50 };
const ROUNDS = 10;

let stage: HandleStage;
let page: Page;
let staging: TestService;
let production: TestService;

beforeAll(async () => {
  stage = await openHandleStage();
  // The same names in both: nothing but the environment tells them apart.
  staging = await stage.service({ service: 'orders', environment: 'staging' });
  production = await stage.service({ service: 'orders', environment: 'production' });
  page = await enter(stage, mara);
});

afterAll(async () => {
  await stage?.close();
});

const bar = (of: Page) => of.getByRole('banner');

describe('[U-47] the bar', () => {
  it.each([
    ['a desk', WIDE],
    ['a phone', PHONE],
  ])('says all four on every page, on %s', async (_where, viewport) => {
    await page.setViewportSize(viewport);
    await openBreaker(page, stage, production);
    const here = new URL(page.url()).pathname;
    for (const path of ['/', here, '/services', '/overrides', '/settings/profile']) {
      await page.goto(stage.url + path);
      await bar(page).getByText('Live', { exact: true }).waitFor();
      await bar(page).getByText('production', { exact: true }).waitFor();
      await expect.poll(() => bar(page).innerText(), PATIENCE).toMatch(/\d\d:\d\d[\s\S]*Operator/);
      for (const shown of ['Live', 'production']) {
        const box = await bar(page).getByText(shown, { exact: true }).first().boundingBox();
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= viewport.width).toBe(
          true,
        );
      }
    }
    await page.setViewportSize(WIDE);
  });

  it('shows the environment of the page alone, production by colour and shape', async () => {
    const looks: string[] = [];
    for (const service of [staging, production]) {
      await openBreaker(page, stage, service);
      const chips = bar(page).locator('[data-kind]');
      await expect.poll(() => chips.count(), PATIENCE).toBe(1);
      looks.push(
        await chips.evaluate(
          (chip) =>
            `${chip.querySelector('svg > *')?.tagName} ${getComputedStyle(chip).backgroundColor}`,
        ),
      );
    }
    expect(looks[0]).not.toBe(looks[1]);
    expect(looks.map((look) => look.split(' ')[0])).toEqual(['circle', 'rect']);
  });

  it('says the role that counts where one is', async () => {
    const search = await stage.service({ service: 'search', environment: 'test' });
    const other = await enter(stage, sven);
    const role = () => bar(other).innerText();
    await expect.poll(role, PATIENCE).toMatch(/Operator in part$/m);
    await openBreaker(other, stage, search);
    await expect.poll(role, PATIENCE).toMatch(/Operator$/m);
    await openBreaker(other, stage, production);
    await expect.poll(role, PATIENCE).toMatch(/No role here$/m);
    await other.context().close();
  });
});

const chipsOf = (within: Locator) => within.locator('[data-kind]').allInnerTexts();

/** Opens the dialog in this tab and leaves it there, filled in but not sent. */
async function prepare(tab: Page, reason: string): Promise<Locator> {
  const header = tab
    .getByRole('main')
    .locator('header')
    .filter({ has: tab.locator('h1') });
  // Until the breaker has let go of the last one: else the facts change under the dialog.
  await header.getByText(/^(Closed|Half-open)$/).waitFor();
  await tab.getByRole('button', { name: 'Force open', exact: true }).click();
  const dialog = tab.getByRole('dialog');
  await dialog.getByText('What ends it').waitFor();
  await dialog.getByLabel('Reason').fill(reason);
  return dialog;
}

async function send(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: /^Force open inventory (in production )?for/ }).click();
  await dialog.getByText('applied on 2 of 2').waitFor();
  await dialog.getByRole('button', { name: 'Return to automatic' }).click();
  await dialog.getByText('Returned to automatic by mara').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
}

describe('[U-47] two tabs of one name', () => {
  it(`are not mixed up: ${ROUNDS * 2} sends, each to where its dialog said`, async () => {
    const second = await page.context().newPage();
    second.setDefaultTimeout(60_000);
    await openBreaker(page, stage, staging);
    await openBreaker(second, stage, production);
    const said: Record<string, string> = {};
    for (let round = 0; round < ROUNDS; round += 1) {
      // Both stand open at once, and not always the one that was opened last goes first.
      const tabs = [0, 3, 4, 6, 9].includes(round) ? [page, second] : [second, page];
      const dialogs: Locator[] = [];
      for (const [turn, tab] of tabs.entries()) {
        await tab.bringToFront();
        const reason = `Mix-up ${round}.${turn}`;
        const dialog = await prepare(tab, reason);
        const [named = 'nowhere', ...more] = await chipsOf(dialog);
        expect(more).toEqual([]);
        said[reason] = named;
        dialogs.push(dialog);
      }
      for (const dialog of round % 2 === 0 ? dialogs : dialogs.toReversed()) {
        await dialog.page().bringToFront();
        await send(dialog);
      }
    }
    const { commands } = await stage.get<{ commands: CommandView[] }>('/api/commands');
    const went = commands.map(({ reason, overrides }) => [
      reason,
      overrides.map(({ environment }) => environment).join(),
    ]);
    expect(Object.fromEntries(went)).toEqual(said);
    expect(Object.values(said).toSorted()).toEqual([
      ...Array.from({ length: ROUNDS }, () => 'production'),
      ...Array.from({ length: ROUNDS }, () => 'staging'),
    ]);
    await second.close();
  });
});
