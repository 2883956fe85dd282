/** How fast the hand that knows is, and what a hand that slips can do: nothing above L1. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandPreview, CommandView } from '@/lib/protocol/command-views';
import { root, signIn } from '@/tests/support/sign-in';
import {
  enter,
  mara,
  openHandleStage,
  type HandleStage,
  type TestService,
  WIDE,
} from './support/stage';

/** Of a practised typist: 60 words a minute are 200 ms a key. */
const KEY_MS = 200;
/**
 * Half as fast, with time to look. What is asserted is the count at this pace: the time that passes
 * is printed, and is as much that of the machine.
 */
const SLOW_KEY_MS = 500;

let stage: HandleStage;
let ledger: TestService;

beforeAll(async () => {
  stage = await openHandleStage();
  ledger = await stage.service({ service: 'ledger', environment: 'staging' });
  for (const service of ['alpha', 'beta', 'gamma']) await stage.service({ service });
});

afterAll(async () => {
  await stage?.close();
});

async function commands(): Promise<CommandView[]> {
  return (await stage.get<{ commands: CommandView[] }>('/api/commands')).commands;
}

const rowOf = (page: Page) => page.getByRole('row').filter({ hasText: 'ledger' });

/** Only keys, at the pace of a hand, counted. */
function handOn(page: Page) {
  let keys = 0;
  const startedAt = performance.now();
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
    await page.waitForTimeout(KEY_MS);
  };
  return {
    press,
    type: async (text: string) => {
      for (const key of text) await press(key === ' ' ? 'Space' : key);
    },
    /** Reading takes as long as it takes the page to show it. */
    see: (text: string | RegExp) =>
      page.getByText(text).filter({ visible: true }).first().waitFor(),
    count: () => keys,
    elapsedMs: () => performance.now() - startedAt,
  };
}

describe('by keyboard only [U-28]', () => {
  let page: Page;

  beforeAll(async () => {
    page = await enter(stage, mara);
    await rowOf(page).waitFor();
  });

  it('from the fleet to a breaker that is held open takes at most 20 s', async () => {
    const hand = handOn(page);
    await hand.press('/');
    await hand.type('ledger');
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await tabTo(hand, page, 'grid');
    await hand.press('Enter');
    await page.getByRole('heading', { name: 'inventory', level: 1 }).waitFor();
    await hand.press('o');
    await hand.see('What ends it');
    await hand.type('db failover');
    await hand.press('Control+Enter');
    await hand.see('applied on 2 of 2');
    const taken = { keys: hand.count(), ms: Math.round(hand.elapsedMs()) };
    console.log('[U-28] held open', taken);
    expect(await ledger.call(0)).toBe('refused');
    expect(taken.keys).toBeLessThanOrEqual(30);
    expect(taken.keys * SLOW_KEY_MS).toBeLessThanOrEqual(20_000);
    await page.keyboard.press('Escape');
  });

  it('and to a request of L3 that is sent at most 40 s', async () => {
    await page.goto(stage.url);
    await page.getByText('Live', { exact: true }).first().waitFor();
    await rowOf(page).waitFor();
    const before = (await commands()).length;
    const hand = handOn(page);
    await hand.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await hand.type('force closed ledger');
    await page
      .getByRole('option', { name: /Force closed inventory/ })
      .first()
      .waitFor();
    await hand.press('Enter');
    await hand.see('What ends it');
    await hand.type('db is back');
    await tabTo(hand, page, 'textbox', /to confirm/);
    await hand.type('inventory');
    await hand.press('Tab');
    await hand.press('Tab');
    await hand.press('Enter');
    await hand.see('applied on 2 of 2');
    const taken = { keys: hand.count(), ms: Math.round(hand.elapsedMs()) };
    console.log('[U-28] L3 sent', taken);
    expect((await commands()).length).toBe(before + 1);
    expect(taken.keys).toBeLessThanOrEqual(70);
    expect(taken.keys * SLOW_KEY_MS).toBeLessThanOrEqual(40_000);
  });
});

async function tabTo(
  hand: ReturnType<typeof handOn>,
  page: Page,
  role: 'grid' | 'textbox',
  name?: RegExp,
): Promise<void> {
  const wanted = page.getByRole(role, name === undefined ? {} : { name });
  for (let tabs = 0; tabs < 15; tabs += 1) {
    await hand.press('Tab');
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  throw new Error(`no ${role} within 15 tabs`);
}

/** mulberry32: the same slips at every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const NAMED = ['Enter', 'Tab', 'Escape', 'Space', 'Backspace', 'ArrowUp', 'ArrowDown', 'Home'];
const KEYS = [...PRINTABLE, ...NAMED];
const SLIPS = 1_000;

/** One slip: a click anywhere or a key, each with the same chance. */
async function slip(page: Page, roll: () => number): Promise<void> {
  if (roll() < 0.5) {
    const x = Math.floor(roll() * WIDE.width);
    await page.mouse.click(x, Math.floor(roll() * WIDE.height));
  } else {
    await page.keyboard.press(KEYS[Math.floor(roll() * KEYS.length)] ?? 'Enter');
  }
}

/** Everything that an act above L1 would leave behind. */
async function marks() {
  const { rows } = await stage.get<{ rows: { action: string; outcome: string }[] }>(
    '/api/audit?limit=200',
  );
  // A pretend fleet is marked as one, touches no real breaker and goes with one click.
  const harmless =
    /^(session\.|audit\.|override\.(released|ended|cancelled|denied)|release\.|simulator\.)/;
  return {
    audit: rows
      .filter(({ action, outcome }) => outcome === 'done' && !harmless.test(action))
      .map(({ action }) => action),
    commands: (await commands()).map(({ id, approvedBy }) => ({ id, approvedBy })),
  };
}

/** Waits for its second person and asks for no proof, so that nothing but the console stops a slip. */
async function waiting(): Promise<void> {
  const operator = await signIn(stage.url, mara);
  await stage.post<unknown>('/api/policies', {
    environment: 'staging',
    twoPerson: 'L2',
    stepUp: 'never',
  });
  const { id: breakerId } = await ledger.row();
  const asked = { scope: { kind: 'breaker', breakerId }, kind: 'force_open' };
  const { expectedGenerations } = await stage.post<CommandPreview>(
    '/api/commands/preview',
    asked,
    operator,
  );
  await stage.post<unknown>(
    '/api/commands',
    {
      ...asked,
      expectedGenerations,
      reason: 'The ledger is being moved',
      idempotencyKey: 'waits-for-a-slip',
    },
    operator,
  );
}

describe('1,000 slips of the hand [U-20]', () => {
  it('on all pages, by an admin who may do everything, have no effect above L1', async () => {
    await waiting();
    const page = await enter(stage, root);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    const { id, serviceId } = await ledger.row();
    const paths = [
      `/breakers/${id}`,
      '/overrides',
      '/',
      '/services',
      `/services/${serviceId}`,
      '/audit',
      '/settings/people',
      '/settings/policies',
      '/settings/simulator',
      '/settings/profile',
      `/breakers/${id}`,
    ];
    const before = await marks();
    const roll = dice(20_261_130);
    for (const path of paths) {
      await page.goto(stage.url + path);
      await page.getByRole('main').waitFor();
      for (let count = 0; count < SLIPS / paths.length; count += 1) await slip(page, roll);
    }
    expect(await marks()).toEqual(before);
    expect(problems).toEqual([]);
  });
});
