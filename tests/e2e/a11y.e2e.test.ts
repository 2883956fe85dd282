/** Every page of the built console with live data, in both themes, under axe. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '@/examples/demo/browser';
import { openStage, type Stage, until } from '@/examples/demo/stage';

type Finding = { id: string; impact: string | null; nodes: { target: string[] }[] };

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let stage: Stage;
let browser: Browser;

beforeAll(async () => {
  stage = await openStage();
  browser = await openBrowser();
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

async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: Finding[] }>(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

async function paths(): Promise<string[]> {
  const { id, serviceId } = await stage.breaker('edge', 'pricing');
  return [
    '/',
    `/breakers/${id}`,
    '/services',
    `/services/${serviceId}`,
    '/overrides',
    '/audit',
    '/settings/people',
    '/settings/policies',
    '/settings/simulator',
    '/settings/profile',
  ];
}

describe.each(['dark', 'light'] as const)('[U-30] in the %s theme', (colorScheme) => {
  it.each([
    ['a desk', { width: 1440, height: 900 }],
    ['a phone', { width: 360, height: 640 }],
  ])('axe finds nothing serious on any page, at %s', async (_where, viewport) => {
    const options = { viewport, colorScheme, bypassCSP: true };
    const page = await (await stage.enter(browser, 'admin', options)).newPage();
    for (const path of await paths()) {
      await page.goto(stage.url + path);
      await page.getByText('Live', { exact: true }).first().waitFor();
      await page.getByRole('main').waitFor();
      expect({ path, findings: await seriousFindings(page) }).toEqual({ path, findings: [] });
    }
    await page.close();
  });

  it.each(['/sign-in', '/join', '/setup'])(
    'axe finds nothing serious before the sign-in, at %s',
    async (path) => {
      const page = await browser.newPage({ colorScheme, bypassCSP: true });
      await page.goto(stage.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect({ path, findings: await seriousFindings(page) }).toEqual({ path, findings: [] });
      await page.close();
    },
  );

  it('axe finds nothing serious in the override dialog', async () => {
    const { id } = await stage.breaker('edge', 'pricing');
    const options = { colorScheme, bypassCSP: true };
    const page = await (await stage.enter(browser, 'operator', options)).newPage();
    await page.goto(`${stage.url}/breakers/${id}`);
    await page.getByRole('button', { name: 'Force closed', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.close();
  });
});
