/** Ways of working in a real browser: keys, palette, zones, pause, a silent server, empty pages. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/sign-in';
import { cutTexts, lengthenTexts } from './support/longer-texts';
import { enter, mara, openHandleStage, otto, PHONE, WIDE, type HandleStage } from './support/stage';

const PATIENCE = { timeout: 30_000, interval: 50 };

let stage: HandleStage;
let page: Page;
/** While true, nothing of the live socket comes through. */
let silent = false;
const problems: string[] = [];

beforeAll(async () => {
  stage = await openHandleStage();
  page = await enter(stage, mara, { timezoneId: 'Asia/Kathmandu' });
  page.setDefaultTimeout(60_000);
  page.on('pageerror', (error) => problems.push(error.message));
  await page.routeWebSocket(/\/ws\/live/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (!silent) server.send(message);
    });
    server.onMessage((message) => {
      if (!silent) socket.send(message);
    });
  });
});

afterAll(async () => {
  await stage?.close();
});

const live = () => page.getByText('Live', { exact: true }).first().waitFor();
const pathname = () => new URL(page.url()).pathname;
const dialog = (name: string) => page.getByRole('dialog', { name });

async function openPalette(): Promise<void> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search everything' });
  await field.waitFor();
  await expect
    .poll(() => field.evaluate((node) => node === document.activeElement), PATIENCE)
    .toBe(true);
}

/** Keeps back the script that has `text` in it, as a slow network does, until it is released. */
async function holdScript(of: Page, text: string): Promise<() => Promise<void>> {
  const scripts = '**/_next/static/**/*.js';
  const held: (() => Promise<void>)[] = [];
  await of.route(scripts, async (route) => {
    const response = await route.fetch();
    const body = await response.text();
    const answer = () => route.fulfill({ response, body });
    if (body.includes(text)) held.push(answer);
    else await answer();
  });
  return async () => {
    await Promise.all(held.map((answer) => answer()));
    await of.unroute(scripts);
  };
}

async function open(path: string): Promise<void> {
  await page.goto(stage.url + path);
  await live();
}

describe('[U-39] the simulator', () => {
  it('starts from the empty fleet, is marked, and one click takes all of it away', async () => {
    const admin = await enter(stage, root);
    await admin.getByRole('button', { name: 'Start the simulator' }).click();
    const row = admin.getByRole('grid').getByRole('row').filter({ hasText: 'sim-catalog' });
    await row.getByText('simulated', { exact: true }).waitFor();
    // [U-04] What its service forces says for how long.
    const forced = admin.getByRole('grid').getByRole('row').filter({ hasText: 'sim-tax' });
    await forced.getByText('Forced closed', { exact: true }).waitFor();
    await forced.getByText(/^\d\d:\d\d left$/).waitFor();
    await admin.getByText('Everything here is simulated.').waitFor();
    await admin.getByRole('button', { name: 'Remove the simulator' }).click();
    await admin.getByRole('heading', { name: 'No service reports here yet' }).waitFor();
    const left = await stage.get<{ breakers: unknown[]; services: unknown[] }>('/api/fleet');
    expect(left).toMatchObject({ breakers: [], services: [] });
    await admin.context().close();
  });
});

describe('[U-39] an empty console', () => {
  it('leads to the first breaker, and shows it when it comes', async () => {
    await open('/');
    await page.getByRole('heading', { name: 'No service reports here yet' }).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Paste these lines' }).count()).toBe(
      1,
    );
    await stage.service({ service: 'checkout' });
    await page.getByRole('grid').getByText('checkout', { exact: false }).first().waitFor();
  });
});

describe('[U-33] keys', () => {
  it('g and a letter go places, ? lists them, and none fires in a field', async () => {
    await open('/');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(/\/services/);
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.waitForURL((url) => url.pathname === '/');
    await page.keyboard.press('?');
    const search = dialog('Keys')
      .getByRole('listitem')
      .filter({ hasText: 'Go to the search field' });
    // The address changes before the page behind it is there and takes its keys.
    await search.filter({ hasNotText: 'not here' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.keyboard.press('Escape');
    await dialog('Keys').waitFor({ state: 'detached' });
    expect(pathname()).toBe('/');

    await page.keyboard.press('/');
    const field = page.getByRole('searchbox', { name: 'Search breakers' });
    await expect
      .poll(() => field.evaluate((node) => node === document.activeElement), PATIENCE)
      .toBe(true);
    await page.keyboard.type('g s?p');
    expect(await field.inputValue()).toBe('g s?p');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    await field.blur();
  });

  it('a key can be changed, and keeps what it is over a reload', async () => {
    await page.keyboard.press('?');
    await dialog('Keys')
      .getByRole('button', { name: /^Services: g s/ })
      .click();
    await page.getByRole('textbox', { name: 'New key' }).fill('g x');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await open('/');
    await page.keyboard.press('g');
    await page.keyboard.press('x');
    await expect.poll(pathname, PATIENCE).toBe('/services');
  });
});

describe('[U-34] the palette', () => {
  it('finds a breaker in spite of a slip, and Enter opens it', async () => {
    await open('/services');
    await openPalette();
    await page.keyboard.type('invnetory');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(pathname, PATIENCE).toMatch(/^\/breakers\//);
  });

  it('takes letters and Escape while it is still on its way', async () => {
    const release = await holdScript(page, 'Breaker, service, target, page or command');
    await open('/services');
    const loading = page.locator('dialog[aria-busy]');
    await page.keyboard.press('Control+k');
    await loading.waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await loading.waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await loading.waitFor({ state: 'attached' });
    await page.keyboard.type('inv');
    await release();
    const field = page.getByRole('combobox', { name: 'Search everything' });
    await expect.poll(() => field.inputValue(), PATIENCE).toBe('inv');
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  it('takes a command to its dialog, and no further', async () => {
    await openPalette();
    await page.keyboard.type('force open inv');
    await page.getByRole('option', { name: /Force open inventory/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('complementary', { name: 'Active overrides' }).count()).toBe(0);
  });
});

describe('[U-08] time zones', () => {
  it('t goes to where the browser stands, the address says so, and a link keeps it', async () => {
    await open('/');
    await page.keyboard.press('t');
    await page.waitForURL(/tz=Asia%2FKath?mandu/);
    const clock = page.getByRole('button', { name: /Change the time zone/ });
    await expect.poll(() => clock.textContent(), PATIENCE).toContain('+05:45');

    const other = await enter(stage, otto, { timezoneId: 'America/New_York' });
    await other.goto(page.url());
    await other.getByRole('button', { name: /Server time in Asia\/Kath?mandu/ }).waitFor();
    await other.context().close();
    await page.keyboard.press('t');
    await page.waitForURL((url) => !url.searchParams.has('tz'));
  });
});

describe('[U-31] [2.2.2] pause', () => {
  it('p stops the list, counts what is missed, and p shows it', async () => {
    const service = await stage.service({ service: 'stock', breaker: 'warehouse' });
    await open('/?q=warehouse');
    const row = page.getByRole('grid').getByRole('row').filter({ hasText: 'warehouse' });
    await row.getByText('Closed', { exact: true }).waitFor();
    await page.keyboard.press('p');
    await page.getByText(/^Paused since/).waitFor();
    for (const copy of [0, 1]) await service.fail(copy, 6);
    await page.getByText('Since then: 1 breaker opened.').waitFor();
    expect(await row.getByText('Closed', { exact: true }).count()).toBe(1);
    await expect.poll(() => page.title(), PATIENCE).toMatch(/^\(paused\)/);
    await page.keyboard.press('p');
    await row.getByText('Open', { exact: true }).waitFor();
    await expect.poll(() => page.title(), PATIENCE).toMatch(/^\(1 open\)/);
  });
});

describe('[U-06] a server that falls silent', () => {
  it('nothing looks live after five seconds, and all does again when it speaks', async () => {
    await open('/');
    const icon = () => page.locator('link[rel~="icon"]').first().getAttribute('href');
    const before = await icon();
    silent = true;
    await page.getByText(/^No word from the server since/).waitFor();
    await expect
      .poll(() => page.locator('main').getAttribute('data-connection'), PATIENCE)
      .toMatch(/stale|offline/);
    await expect.poll(() => page.title(), PATIENCE).toMatch(/^\(no connection\)/);
    await expect.poll(icon, PATIENCE).not.toBe(before);
    const moving = () =>
      page.evaluate(
        () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
      );
    expect(await moving()).toBe(0);
    expect(await page.getByRole('grid').getByText('inventory').first().isVisible()).toBe(true);
    silent = false;
    await live();
    await expect.poll(() => page.title(), PATIENCE).not.toMatch(/no connection/);
  });
});

async function breakerPath(): Promise<string> {
  const { breakers } = await stage.get<{ breakers: { id: string; name: string }[] }>('/api/fleet');
  return `/breakers/${breakers.find(({ name }) => name === 'inventory')?.id}`;
}

describe('[U-33] o in the fleet', () => {
  it('opens the dialog of the row under the cursor, and does nothing else', async () => {
    await open('/?q=inventory');
    const list = page.getByRole('grid');
    await list.getByText('inventory').first().waitFor();
    // Whose key it is depends on the role, which comes after the rows.
    await page.getByRole('banner').getByText('Operator').waitFor();
    await list.focus();
    await page.keyboard.press('j');
    await list.locator('[data-active]').waitFor();
    await page.keyboard.press('o');
    await dialog('Force open inventory').getByLabel('Reason').waitFor();
    await page.keyboard.press('Escape');
    expect(pathname()).toBe('/');
  });
});

describe('[U-48] presence', () => {
  it('names who else is at a breaker, and who has the dialog open until it is closed', async () => {
    const path = await breakerPath();
    const other = await enter(stage, otto);
    await open(path);
    await other.goto(stage.url + path);
    await page.getByText('otto also here').waitFor();
    await other.getByRole('button', { name: 'Force open' }).click();
    await page.getByText('otto is preparing an override').waitFor();
    await page.keyboard.press('o');
    const warning = dialog('Force open inventory').getByText(/otto is preparing an override of/);
    await warning.waitFor();
    await other.keyboard.press('Escape');
    await warning.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await other.context().close();
    await expect.poll(() => page.getByText(/^otto /).count(), PATIENCE).toBe(0);
  });
});

describe('[U-51] replay', () => {
  it('plays a range that is over, says so, and takes the actions away while it lasts', async () => {
    const now = Date.now();
    await open(`${await breakerPath()}?from=${now - 600_000}&to=${now - 1_000}`);
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    const bar = page.getByRole('region', { name: 'Replay' });
    await bar.getByText('Replay', { exact: true }).waitFor();
    const at = bar.getByRole('slider', { name: 'Moment of the replay' });
    const from = Number(await at.inputValue());
    await bar.getByRole('button', { name: '60 seconds a second' }).click();
    await expect.poll(async () => Number(await at.inputValue()), PATIENCE).toBeGreaterThan(from);
    expect(await page.getByRole('button', { name: 'Force open' }).count()).toBe(0);
    await page.keyboard.press('o');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await bar.getByRole('button', { name: 'Leave the replay' }).click();
    await page.getByRole('button', { name: 'Force open' }).waitFor();
  });

  it('a target keeps a range of the past in its address', async () => {
    const now = Date.now();
    await open(`/targets/checkout-db?from=${now - 300_000}&to=${now - 60_000}`);
    await page.getByText(/calls through ramps/).waitFor();
    // [U-07] Nothing was reported then: hatched over its whole time, with the reason.
    const chart = page.getByRole('figure', { name: /^What reaches the target/ });
    await chart.getByText('no calls reported').waitFor();
    await page.getByRole('button', { name: 'Back to live' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has('from'), PATIENCE).toBe(false);
  });
});

const PAGES = ['/', '/?layout=tiles', '/services', '/overrides', '/audit', '/settings/profile'];
const SIZES = [
  { width: 1366, height: 768 },
  { width: 360, height: 640 },
];

describe('[U-50] texts a third longer', () => {
  it('are neither cut nor wider than the page', async () => {
    const cut: Record<string, string[]> = {};
    for (const path of [...PAGES, await breakerPath(), '/targets/checkout-db']) {
      await open(path);
      await page.evaluate(lengthenTexts);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await expect.poll(() => page.getByText(/ó/).count(), PATIENCE).toBeGreaterThan(0);
        const found = await page.evaluate(cutTexts);
        if (found.length > 0) cut[`${path} at ${size.width}`] = found;
      }
      await page.setViewportSize(WIDE);
    }
    expect(cut).toEqual({});
  });
});

describe('[U-40] and [U-49] pages of settings', () => {
  it('what a role does not cover says so, and who can help', async () => {
    await open('/settings/people');
    const words = page.getByText('your role does not cover this');
    await words.waitFor();
    expect(await page.getByText('An admin can give you a role').count()).toBe(1);
  });

  it('a phone has the theme in the menu of the account', async () => {
    await open('/');
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: /^Theme:/ }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    const item = page.getByRole('menuitem', { name: /^Theme:/ });
    const theme = () => page.locator('html').getAttribute('data-theme');
    for (const next of ['light', 'dark']) {
      await item.click();
      await expect.poll(theme, PATIENCE).toBe(next);
      await item.filter({ hasText: `Theme: ${next}` }).waitFor();
    }
    await page.keyboard.press('Escape');
    await page.setViewportSize(WIDE);
  });

  it('a theme that was chosen is in the page that the server sends', async () => {
    await open('/settings/profile');
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    const answer = await page.goto(`${stage.url}/`);
    expect(await answer?.text()).toContain('data-theme="light"');
  });

  it('no page has thrown', () => {
    expect(problems).toEqual([]);
  });
});
