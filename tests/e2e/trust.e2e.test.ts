/** [U-47] Where one is, when, how well heard, and as whom: said in the bar of every page. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
