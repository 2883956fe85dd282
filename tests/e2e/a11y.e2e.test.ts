/** Every page of the built console with live data, and all that opens over it, under axe. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '@/examples/demo/browser';
import { openStage, type Stage, until } from '@/examples/demo/stage';
import { seriousFindings } from './support/axe';

const DESK = { width: 1440, height: 900 };

let stage: Stage;
let browser: Browser;
/** Of somebody who may do everything: all that can be opened is there. */
let page: Page;
let breakerPath = '';
let servicePath = '';

beforeAll(async () => {
  stage = await openStage();
  browser = await openBrowser();
  page = await (await stage.enter(browser, 'admin', { viewport: DESK })).newPage();
  page.setDefaultTimeout(60_000);
  const { id, serviceId } = await until(
    () => stage.breaker('edge', 'pricing'),
    ({ callsPerSecond }) => callsPerSecond > 1,
    60_000,
  );
  breakerPath = `/breakers/${id}`;
  servicePath = `/services/${serviceId}`;
  // With one in force its bar is on every page.
  await stage.forceOpen(id, 'Wrong prices since the deploy at noon');
});

afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

/** What opens over a page, and by what. */
type Overlay = {
  readonly name: string;
  readonly open: () => Promise<void>;
  readonly role: 'dialog' | 'menu';
};
/** `shows` is there once the page has what it is about. */
type Place = {
  readonly name: string;
  readonly path: () => string;
  readonly shows: () => Locator;
  readonly overlays?: readonly Overlay[];
};

const opens = (
  role: Overlay['role'],
  button: string | RegExp,
  within: () => Locator = () => page.locator('body'),
): Overlay => ({
  name: String(button),
  role,
  open: () => within().getByRole('button', { name: button }).first().click(),
});
const main = () => page.getByRole('main');
const byKey = (key: string): Overlay => ({
  name: key,
  role: 'dialog',
  open: () => page.keyboard.press(key),
});
const row = () => main().locator('[id^="breaker-"]').first();
const chart = () => page.getByRole('figure').first();

const PLACES: readonly Place[] = [
  {
    name: 'the fleet',
    path: () => '/',
    shows: row,
    overlays: [
      opens('dialog', /^Views/),
      opens('dialog', /Change the time zone/),
      opens('menu', /^Signed in as/),
      byKey('Control+k'),
      byKey('?'),
    ],
  },
  { name: 'the tiles', path: () => '/?view=tiles&group=service', shows: row },
  {
    name: 'a breaker',
    path: () => breakerPath,
    shows: () => page.getByRole('slider', { name: 'Time cursor of the charts' }),
    overlays: [
      opens('dialog', 'Force closed', main),
      opens('menu', 'More actions'),
      opens('menu', 'Ramp: save or copy'),
      opens('dialog', 'Range', main),
    ],
  },
  { name: 'a target', path: () => '/targets/pricing', shows: chart },
  {
    name: 'the services',
    path: () => '/services',
    shows: () => main().getByRole('link', { name: 'edge' }).first(),
    overlays: [opens('dialog', 'Create token'), opens('dialog', /^Revoke /)],
  },
  { name: 'a service', path: () => servicePath, shows: () => main().getByText('edge-1').first() },
  {
    name: 'the overrides',
    path: () => '/overrides',
    shows: () => main().getByRole('button', { name: 'Change lease' }),
    overlays: [opens('dialog', 'Change lease'), opens('dialog', 'Return gradually')],
  },
  {
    name: 'the audit',
    path: () => '/audit',
    shows: () => main().getByText('Wrong prices since the deploy at noon').first(),
  },
  {
    name: 'the people',
    path: () => '/settings/people',
    shows: () => main().getByText('Mara Operator').first(),
    overlays: [opens('dialog', 'Invite'), opens('menu', /^Actions for Mara/)],
  },
  {
    name: 'the policies',
    path: () => '/settings/policies',
    shows: () => main().getByRole('button', { name: 'New policy' }),
    overlays: [opens('dialog', 'New policy')],
  },
  {
    name: 'the simulator',
    path: () => '/settings/simulator',
    shows: () => main().getByRole('button', { name: 'Start the simulator' }),
  },
  {
    name: 'the profile',
    path: () => '/settings/profile',
    shows: () => main().getByRole('button', { name: 'New API token' }),
    overlays: [opens('dialog', 'New API token')],
  },
  { name: 'the wall', path: () => '/wall', shows: () => page.getByText(/^Last update/) },
];

describe('[U-30] [2.5.8] axe finds nothing serious, in both themes, at a desk and on a phone,', () => {
  it.each(PLACES)('at $name and in what opens there', async ({ path, shows, overlays = [] }) => {
    await page.goto(stage.url + path());
    await shows().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    for (const { name, open, role } of overlays) {
      await open();
      // Not the one that stands for what is still loading.
      const overlay = page.locator(`[role="${role}"]`).last();
      await overlay.waitFor();
      const findings = await seriousFindings(page, `[role="${role}"]`);
      expect({ name, findings }).toEqual({ name, findings: [] });
      await page.keyboard.press('Escape');
      await overlay.waitFor({ state: 'detached' });
    }
  });

  it.each(['/sign-in', '/join', '/setup', '/screen'])('before the sign-in, at %s', async (path) => {
    const stranger = await browser.newPage();
    await stranger.goto(stage.url + path);
    // The page of a screen tries the live socket before it asks for a token.
    await stranger.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    expect(await seriousFindings(stranger)).toEqual([]);
    await stranger.close();
  });
});
