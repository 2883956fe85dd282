/** [U-47] Where one is, when, how well heard, and as whom: said in the bar of every page. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OverrideView } from '@/lib/protocol/views';
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
const RUNS = 20;

let stage: HandleStage;
let page: Page;
let staging: TestService;
let production: TestService;

beforeAll(async () => {
  stage = await openHandleStage();
  // The same names in both: nothing but the environment tells them apart.
  staging = await stage.service({ service: 'orders', environment: 'staging', breaker: 'stock-a' });
  production = await stage.service({
    service: 'orders',
    environment: 'production',
    breaker: 'stock-b',
  });
  page = await enter(stage, mara);
});

afterAll(async () => {
  await stage?.close();
});

const bar = (of: Page) => of.getByRole('banner');

async function activeIn(environment: string): Promise<OverrideView[]> {
  const { overrides } = await stage.get<{ overrides: OverrideView[] }>('/api/overrides?active=1');
  return overrides.filter((one) => one.environment === environment && one.endedAt === null);
}

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
      await expect
        .poll(() => bar(page).innerText(), PATIENCE)
        .toMatch(/\d\d:\d\d:\d\d\s+UTC[\s\S]*Operator/);
      for (const shown of ['Live', 'production', 'UTC']) {
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

describe('[U-47] two windows', () => {
  it(`are not mixed up: ${RUNS} sends, none to the wrong environment`, async () => {
    const second = await page.context().newPage();
    second.setDefaultTimeout(60_000);
    await openBreaker(page, stage, staging);
    await openBreaker(second, stage, production);
    const windows = [page, second];
    let wrong = 0;
    for (let run = 0; run < RUNS; run += 1) {
      // Not in turns: a hand expects the window that it had last.
      const wanted = (run * 7) % 5 < 2 ? 'production' : 'staging';
      const other = wanted === 'production' ? 'staging' : 'production';
      // A person goes by the bar, not by which window was opened first.
      const bars = await Promise.all(windows.map((one) => bar(one).innerText()));
      const window = windows[bars.findIndex((text) => text.includes(wanted))];
      if (window === undefined) throw new Error(`no window says ${wanted}`);
      await window.bringToFront();
      await window.getByRole('button', { name: 'Force open', exact: true }).click();
      const dialog = window.getByRole('dialog');
      await dialog.getByText('What ends it').waitFor();
      // The dialog says it again, and what is pressed names it in production.
      await dialog.getByText(wanted, { exact: true }).waitFor();
      await dialog.getByLabel('Reason').fill(`Run ${run} of the mix-up`);
      await dialog.getByRole('button', { name: /^Force open stock/ }).click();
      await expect.poll(async () => (await activeIn(wanted)).length, PATIENCE).toBe(1);
      wrong += (await activeIn(other)).length;
      // What comes in makes the dialog taller: a hand waits for it too.
      await dialog.getByText('applied on 2 of 2').waitFor();
      await dialog.getByRole('button', { name: 'Done' }).click();
      await dialog.waitFor({ state: 'detached' });
      const [active] = await activeIn(wanted);
      await stage.post(`/api/overrides/${active?.id ?? ''}/release`, {});
      await expect.poll(async () => (await activeIn(wanted)).length, PATIENCE).toBe(0);
    }
    expect(wrong).toBe(0);
  });
});
