/** The handle in a real browser, over real agents: one person, no policy. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandPreview } from '@/lib/protocol/command-views';
import type { OverrideView } from '@/lib/protocol/views';
import {
  enter,
  EVERYTHING,
  mara,
  openBreaker,
  openHandleStage,
  otto,
  PHONE,
  sven,
  type HandleStage,
  type TestService,
} from './support/stage';

const PATIENCE = { timeout: 30_000, interval: 50 };

let stage: HandleStage;
let page: Page;
let phone: Page;
let checkout: TestService;
const problems: string[] = [];

beforeAll(async () => {
  stage = await openHandleStage();
  checkout = await stage.service({
    service: 'checkout',
    allow: [EVERYTHING, EVERYTHING, ['reset']],
  });
  page = await enter(stage, mara);
  phone = await enter(stage, otto, { viewport: PHONE, hasTouch: true, isMobile: true });
  page.on('pageerror', (error) => problems.push(error.message));
});

afterAll(async () => {
  await stage?.close();
});

const dialogOf = (where: Page): Locator => where.getByRole('dialog');

async function ask(where: Page, kind: string, reason: string): Promise<Locator> {
  await where.getByRole('button', { name: kind, exact: true }).click();
  const dialog = dialogOf(where);
  await dialog.getByText('What ends it').waitFor();
  await dialog.getByLabel('Reason').fill(reason);
  return dialog;
}

async function activeOf({ service }: TestService): Promise<OverrideView[]> {
  const { overrides } = await stage.get<{ overrides: OverrideView[] }>('/api/overrides?active=1');
  return overrides.filter((one) => one.service === service && one.endedAt === null);
}

async function forced(service: TestService): Promise<void> {
  const { id: breakerId } = await service.row();
  const asked = { scope: { kind: 'breaker', breakerId }, kind: 'force_open' };
  const { expectedGenerations } = await stage.post<CommandPreview>('/api/commands/preview', asked);
  await stage.post('/api/commands', {
    ...asked,
    reason: 'Search index is being rebuilt',
    expectedGenerations,
    idempotencyKey: `forced-${service.service}`,
  });
  await expect.poll(() => service.call(0), PATIENCE).toBe('refused');
}

/** What a `datetime-local` field takes, with its seconds. */
function localTime(inSeconds: number): string {
  const at = new Date(Date.now() + inSeconds * 1_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

describe('forcing one breaker open', () => {
  it('[U-22] [3.3.4] says before what it would hit, and who will refuse', async () => {
    await openBreaker(page, stage, checkout);
    await page.getByRole('button', { name: 'Force open', exact: true }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('Every call from checkout to checkout-db fails at once').waitFor();
    await dialog.getByText('3 live').waitFor();
    await dialog.getByText('checkout-3: its own policy does not accept force open').waitFor();
    expect(await dialog.getByText('L2: one breaker').isVisible()).toBe(true);
  });

  it('[U-24] wants a reason and offers no lease without an end', async () => {
    const dialog = dialogOf(page);
    const leases = dialog.getByRole('group', { name: 'Lease' }).getByRole('button');
    expect(await leases.allTextContents()).toEqual(['5 min', '15 min', '30 min', '60 min']);
    await dialog.getByText(/^Ends \d\d:\d\d:\d\dZ, here/).waitFor();
    await dialog.getByLabel('Reason').fill('short');
    await dialog.getByRole('button', { name: /^Force open inventory for/ }).click();
    await dialog.getByText('5 more characters, please.').waitFor();
    expect(await activeOf(checkout)).toEqual([]);
    await dialog.getByRole('button', { name: /^Maintenance of checkout-db/ }).click();
    expect(await dialog.getByLabel('Reason').inputValue()).toContain('Maintenance of checkout-db');
  });

  it('[U-25] tells what each instance answered, never more', async () => {
    const dialog = dialogOf(page);
    await dialog.getByLabel('Reason').fill('Wrong prices since the deploy at noon');
    await dialog.getByRole('button', { name: '5 min', exact: true }).click();
    await dialog.getByRole('button', { name: /^Force open inventory for 5 min/ }).click();
    await dialog.getByText('applied on 2 of 3, 1 refused').waitFor();
    await dialog.getByText('Not every instance has applied it').waitFor();
    const third = dialog.getByRole('row', { name: /^checkout-3/ });
    await third.getByText('Rejected').waitFor();
    expect(await third.textContent()).toContain('Closed');
    expect(await Promise.all([0, 1, 2].map((copy) => checkout.call(copy)))).toEqual([
      'refused',
      'refused',
      'reached',
    ]);
  });

  it('[U-25] [3.3.7] tries again on the failed one only, with what was typed', async () => {
    await dialogOf(page).getByRole('button', { name: 'Try again on 1 failed' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('1 live').waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe(
      'Wrong prices since the deploy at noon',
    );
    expect(await dialog.getByLabel(/checkout-3/).isChecked()).toBe(true);
    expect(await dialog.getByLabel(/checkout-1/).isChecked()).toBe(false);
    await dialog.getByRole('button', { name: /^Force open inventory on 1 instance/ }).click();
    await dialog.getByText('applied on 0 of 1, 1 refused').waitFor();
    await dialog.getByText('No instance took it').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  it.each(['/', '/services', '/audit', '/settings/profile'])(
    '[U-26] the bar is on %s, with owner and end, and warns the owner',
    async (path) => {
      await page.goto(stage.url + path);
      const bar = page.getByRole('complementary', { name: 'Active overrides' });
      await bar.getByText('forced open by mara').waitFor();
      await bar.getByText(/^0\d:\d\d/).waitFor();
      await bar.getByText('Yours of inventory ends within 5 minutes').waitFor();
      const links = bar.getByRole('link');
      expect(await links.first().getAttribute('href')).toBe('/overrides');
    },
  );

  it('[2.2.1] a lease is made longer, and shorter again', async () => {
    const [first] = (await activeOf(checkout)).toSorted((a, b) => a.createdAt - b.createdAt);
    await page.goto(`${stage.url}/overrides#${first?.commandId}`);
    const card = page.locator(`[id="${first?.commandId}"]`);
    const changeTo = async (minutes: string, verb: string) => {
      await card.getByRole('button', { name: 'Change lease' }).click();
      await dialogOf(page)
        .getByRole('button', { name: `${minutes} min`, exact: true })
        .click();
      await dialogOf(page)
        .getByRole('button', { name: `${verb} to ${minutes} min` })
        .click();
      await dialogOf(page).waitFor({ state: 'detached' });
    };
    await changeTo('30', 'Extend');
    await card.getByText(/ends in (29|30):\d\d/).waitFor();
    await changeTo('5', 'Shorten');
    await card.getByText(/ends in 0[45]:\d\d/).waitFor();
    const changed = (await activeOf(checkout)).find(({ id }) => id === first?.id);
    expect(changed?.leaseRevision).toBe(2);
  });

  it('[U-26] warns within the last minute, and says that it has ended', async () => {
    const [first] = (await activeOf(checkout)).toSorted((a, b) => a.createdAt - b.createdAt);
    const path = `/api/commands/${first?.commandId}/lease`;
    await stage.post<unknown>(path, { leaseMs: 50_000 });
    const bar = page.getByRole('complementary', { name: 'Active overrides' });
    await bar.getByText('Yours of inventory ends within a minute').waitFor();
    for (const { commandId } of await activeOf(checkout)) {
      await stage.post(`/api/commands/${commandId}/lease`, { leaseMs: 1_000 });
    }
    await page.getByText('is no longer forced open: The lease ended').waitFor();
    await bar.waitFor({ state: 'detached' });
    await expect.poll(() => activeOf(checkout), PATIENCE).toEqual([]);
  });
});

describe('the safe direction', () => {
  it('[U-21] is one key, from any page, and within three seconds', async () => {
    const search = await stage.service({ service: 'search' });
    await forced(search);
    await page.goto(`${stage.url}/services`);
    const bar = page.getByRole('complementary', { name: 'Active overrides' });
    await bar.getByRole('button', { name: /^Return to automatic/ }).waitFor();
    const pressedAt = performance.now();
    await page.keyboard.press('r');
    await expect.poll(() => activeOf(search), PATIENCE).toEqual([]);
    expect(performance.now() - pressedAt).toBeLessThan(3_000);
    await page.getByText(/is no longer forced open: Returned to automatic by mara/).waitFor();
  });

  it('[U-38 U-21] is one tap on a phone, on something that a finger hits', async () => {
    const mail = await stage.service({ service: 'mail' });
    await forced(mail);
    const button = phone.getByRole('button', { name: /^Return to automatic/ });
    await button.waitFor();
    expect((await button.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44);
    const overflow = await phone.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    const tappedAt = performance.now();
    await button.tap();
    await expect.poll(() => activeOf(mail), PATIENCE).toEqual([]);
    expect(performance.now() - tappedAt).toBeLessThan(3_000);
  });

  it('goes gradually, and stops when one trips again', async () => {
    const bills = await stage.service({
      service: 'bills',
      allow: [EVERYTHING, EVERYTHING, EVERYTHING],
    });
    await forced(bills);
    await page.goto(`${stage.url}/overrides`);
    await page.getByRole('button', { name: 'Return gradually' }).click();
    await dialogOf(page).getByLabel('Instances at a time').fill('1');
    await dialogOf(page).getByLabel('Seconds between').fill('2');
    await dialogOf(page)
      .getByText(/3 to let go, the last after 4 s/)
      .waitFor();
    const failing = setInterval(() => {
      for (const copy of bills.copies.keys()) void bills.fail(copy, 2);
    }, 50);
    try {
      await dialogOf(page).getByRole('button', { name: 'Begin to return' }).click();
      await page.getByText(/^Stopped.*tripped again/).waitFor();
      await page.getByText('What is still held stays so until its lease ends').waitFor();
      expect((await activeOf(bills)).length).toBe(1);
    } finally {
      clearInterval(failing);
    }
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Return to automatic/ })
      .click();
    await expect.poll(() => activeOf(bills), PATIENCE).toEqual([]);
  });
});

describe('when somebody else was there first [U-27]', () => {
  it('says who, when, what and why, and sends nothing by itself', async () => {
    const stock = await stage.service({ service: 'stock' });
    await openBreaker(phone, stage, stock);
    await openBreaker(page, stage, stock);
    const mine = await ask(page, 'Force open', 'Wrong counts since the deploy at noon');
    // As on a bad line: the facts on the screen are a moment old.
    await page.route('**/api/commands/preview', (route) => route.abort());
    const theirs = await ask(phone, 'Force open', 'Stock database is being moved');
    await theirs.getByRole('button', { name: /^Force open inventory for/ }).click();
    await theirs.getByText('applied on 2 of 2').waitFor();

    await mine.getByRole('button', { name: /^Force open inventory for/ }).click();
    const alert = mine.getByRole('alert').filter({ hasText: 'It was not sent' });
    await alert.getByText('somebody acted in the meantime').waitFor();
    expect(await alert.textContent()).toMatch(
      /Whootto.*When\d{4}.*WhatForced open; you asked for “Force open”.*WhyStock database is being/,
    );
    expect(await mine.getByRole('button', { name: /^Force open inventory/ }).isDisabled()).toBe(
      true,
    );
    await page.unroute('**/api/commands/preview');
    expect((await activeOf(stock)).map(({ actor }) => actor)).toEqual(['otto']);

    await alert.getByRole('button', { name: 'I have seen it' }).click();
    await mine.getByRole('button', { name: /^Force open inventory for/ }).click();
    await mine.getByText('applied on 2 of 2').waitFor();
    await mine.getByRole('button', { name: 'Return to automatic' }).click();
    await mine.getByText('Returned to automatic by mara').waitFor();
    await mine.getByRole('button', { name: 'Done' }).click();
  });

  it('[U-22] another state before sending forces another look', async () => {
    const rates = await stage.service({ service: 'rates' });
    await openBreaker(page, stage, rates);
    const dialog = await ask(page, 'Force closed', 'Rates are fine, their probe is not');
    await dialog.getByLabel(/to confirm/).fill('inventory');
    const send = dialog.getByRole('button', { name: /^Force closed inventory for/ });
    expect(await send.isEnabled()).toBe(true);
    await Promise.all([0, 1].map((copy) => rates.fail(copy, 5)));
    await dialog.getByText('Before you send: the facts have changed').waitFor();
    await dialog.getByText('inventory was closed and is open now').waitFor();
    expect(await send.isDisabled()).toBe(true);
    // The share is of the last ten seconds; a slow machine sees that nobody calls any more.
    await dialog.getByText(/rates-db is failing now: \d+ %|not known whether calls/).waitFor();
    await dialog.getByRole('button', { name: 'I have seen it' }).click();
    expect(await send.isEnabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });
});

describe('wide and planned', () => {
  let cart: TestService;
  let fees: TestService;

  it('takes every breaker to a target, after its name was typed', async () => {
    cart = await stage.service({
      service: 'cart',
      environment: 'staging',
      target: 'ledger',
    });
    fees = await stage.service({
      service: 'fees',
      environment: 'staging',
      target: 'ledger',
      allow: [EVERYTHING, ['reset']],
    });
    await openBreaker(page, stage, cart);
    const dialog = await ask(page, 'Force open', 'Ledger is being moved to another rack');
    await dialog.getByRole('button', { name: 'Whole target' }).click();
    await dialog.getByText('2 breakers').waitFor();
    await dialog.getByText(/fees \/ inventory/).waitFor();
    await dialog.getByText('L3: wide or dangerous').waitFor();
    const send = dialog.getByRole('button', { name: /^Force open every breaker to ledger/ });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel(/to confirm/).fill('ledger');
    await send.click();
    await dialog.getByText('applied on 3 of 4, 1 refused, over 2 breakers').waitFor();
    expect([await cart.call(0), await fees.call(0)]).toEqual(['refused', 'refused']);
  });

  it('[U-25] tries again on the failed ones of one breaker, and leads back to the whole', async () => {
    const dialog = dialogOf(page);
    await dialog.getByRole('button', { name: 'Try again on 1 failed: fees / inventory' }).click();
    await dialog.getByText('fees → ledger').waitFor();
    await dialog.getByText('1 live').waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toContain('Ledger is being moved');
    expect(await dialog.getByLabel(/fees-2/).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: /^Force open inventory on 1 instance/ }).click();
    await dialog.getByText('applied on 0 of 1, 1 refused').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.getByText('applied on 3 of 4, 1 refused, over 2 breakers').waitFor();
    expect(await dialog.getByRole('button', { name: /^Try again/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: /^Return to automatic/ }).click();
    await dialog.getByText(/Returned to automatic by mara/).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(await activeOf(fees)).toEqual([]);
  });

  it('starts later, at the moment that was asked for, or not at all', async () => {
    const later = await stage.service({ service: 'later' });
    await openBreaker(page, stage, later);
    const dialog = await ask(page, 'Force open', 'Planned move of the database');
    await dialog.getByLabel('Start later').check();
    await dialog.getByLabel(/^Start, in/).fill(localTime(-60));
    await dialog.getByRole('button', { name: /^Force open inventory for/ }).click();
    await dialog.getByText('This has passed. Choose a later time, or start now.').waitFor();
    await dialog.getByLabel(/^Start, in/).fill(localTime(6));
    await dialog.getByRole('button', { name: /^Force open inventory for/ }).click();
    await dialog.getByText('Nothing has been sent to any instance').waitFor();
    expect(await later.call(0)).toBe('reached');
    await dialog.getByText('applied on 2 of 2').waitFor();
    expect(await later.call(0)).toBe('refused');
    await dialog.getByRole('button', { name: /^Return to automatic/ }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });
});

describe('what a person may not do is not offered [U-40]', () => {
  it('follows environment and service of the grants', async () => {
    const search = await stage.service({ service: 'search-api' });
    const narrow = await enter(stage, sven);
    await openBreaker(narrow, stage, checkout);
    await narrow.getByText('Acting here needs an operator for checkout in test').waitFor();
    const handles = narrow.getByRole('button', { name: /^Force (open|closed)$/ });
    expect(await handles.count()).toBe(0);
    await narrow.keyboard.press('o');
    expect(await dialogOf(narrow).count()).toBe(0);
    await openBreaker(narrow, stage, search);
    await narrow.getByRole('button', { name: 'Force open', exact: true }).waitFor();
    await narrow.context().close();
  });

  it('met no error in the page', () => {
    expect(problems).toEqual([]);
  });
});
