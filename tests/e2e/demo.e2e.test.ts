/** The built console, the demo fleet over real HTTP, and a real browser. `npm test -- build browser`. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '@/examples/demo/browser';
import { pause } from '@/examples/demo/service';
import { openStage, type Stage, until } from '@/examples/demo/stage';

const PATIENCE = { timeout: 60_000, interval: 200 };

let stage: Stage;
let browser: Browser;
let page: Page;
const problems: string[] = [];
const hosts = new Set<string>();

beforeAll(async () => {
  stage = await openStage();
  browser = await openBrowser();
  const context = await stage.enter(browser, 'operator', {
    viewport: { width: 1440, height: 900 },
  });
  page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
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

async function rowOf(service: string, breaker: string): Promise<Locator> {
  const { id } = await stage.breaker(service, breaker);
  return page.locator(`[id="breaker-${id}"]`);
}

const stateOf = (row: Locator) => () => row.getAttribute('data-state');

/** Calls that arrived at the pricing processes; only the edge calls them. */
async function pricingServed(): Promise<number> {
  const { services } = await stage.status();
  const pricing = services.filter(({ service }) => service === 'pricing');
  return pricing.reduce((sum, { served }) => sum + served, 0);
}

async function refusedByEdge(): Promise<number> {
  const { services } = await stage.status();
  const edge = services.filter(({ service }) => service === 'edge');
  return edge.reduce(
    (sum, { breakers }) => sum + (breakers.pricing?.counters.rejected.forced_open ?? 0),
    0,
  );
}

describe('an outage on the fleet page', () => {
  it('shows the trip, the recovery step by step and the closed breaker without a reload', async () => {
    await page.goto(stage.url);
    const row = await rowOf('edge', 'payments');
    await row.getByText('Closed', { exact: true }).waitFor();

    await stage.fault('payments', { kind: 'errors', share: 1 });
    await expect.poll(stateOf(row), PATIENCE).toBe('open');
    await row.getByText('Open', { exact: true }).waitFor();

    await stage.fault('payments', { kind: 'clear' });
    await expect.poll(stateOf(row), PATIENCE).toBe('half_open');
    await expect.poll(stateOf(row), PATIENCE).toBe('closed');
  });
});

describe('an override from the breaker page', () => {
  it('stops the calls at the service, not only on the screen', async () => {
    const { id } = await stage.breaker('edge', 'pricing');
    await page.goto(`${stage.url}/breakers/${encodeURIComponent(id)}`);
    await page.getByRole('heading', { name: 'pricing', level: 1 }).waitFor();
    expect(await refusedByEdge()).toBe(0);

    await page.getByRole('button', { name: 'Force open', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Wrong prices since the deploy at noon');
    await dialog.getByRole('button', { name: /^Force open pricing for/ }).click();
    await dialog.getByText('applied on 2 of 2').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();

    // Calls that were under way may still arrive.
    await pause(500);
    const served = await pricingServed();
    const refused = await refusedByEdge();
    await pause(2_000);
    expect(await pricingServed()).toBe(served);
    expect(await refusedByEdge()).toBeGreaterThan(refused);
  });

  it('gives the calls back when it is returned to automatic', async () => {
    const served = await pricingServed();
    await page
      .getByRole('button', { name: /^Return to automatic/ })
      .first()
      .click();
    await expect.poll(pricingServed, PATIENCE).toBeGreaterThan(served);
    await expect
      .poll(() => stage.breaker('edge', 'pricing').then(({ state }) => state), PATIENCE)
      .toBe('closed');
  });
});

describe('a restart of the console', () => {
  it('keeps the history, the audit trail and the agents', async () => {
    await stage.restartConsole();
    await until(
      () => stage.breaker('edge', 'payments'),
      ({ instances, callsPerSecond }) => instances.live === 2 && callsPerSecond > 0,
      60_000,
    );

    const { id } = await stage.breaker('edge', 'pricing');
    await page.goto(`${stage.url}/breakers/${encodeURIComponent(id)}`);
    const history = page.getByRole('listitem').filter({ hasText: 'edge-1' });
    await history.getByText('Forced open', { exact: true }).first().waitFor();

    // An operator may not read the audit: somebody else looks.
    const auditor = await (await stage.enter(browser, 'admin')).newPage();
    await auditor.goto(`${stage.url}/audit`);
    await auditor.getByText('Wrong prices since the deploy at noon').first().waitFor();
    expect(await auditor.getByText('Mara Operator').count()).toBeGreaterThan(0);
    await auditor.context().close();
  });

  it('[S-47] asked nobody but the console', () => {
    expect([...hosts]).toEqual([new URL(stage.url).host]);
  });

  it('met no error in the page', () => {
    expect(problems).toEqual([]);
  });
});
