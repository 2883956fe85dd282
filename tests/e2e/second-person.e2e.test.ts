/** What is dangerous in production: typed name, step-up, a second person, break-glass, its review. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandView } from '@/lib/protocol/command-views';
import type { TestPerson } from '@/tests/support/sign-in';
import { totpOf } from '@/tests/support/totp';
import { seriousFindings } from './support/axe';
import {
  enter,
  mara,
  noor,
  openBreaker,
  openHandleStage,
  otto,
  PHONE,
  type HandleStage,
  type TestService,
} from './support/stage';

const PATIENCE = { timeout: 30_000, interval: 50 };
const REASON = 'The provider is back, the ramp is too slow';

let stage: HandleStage;
let payments: TestService;
let operator: Page;
/** On call with a approver. [U-38] */
let approver: Page;
let other: Page;

beforeAll(async () => {
  stage = await openHandleStage();
  payments = await stage.service({ service: 'payments', environment: 'production' });
  operator = await enter(stage, mara);
  approver = await enter(stage, noor, { viewport: PHONE, hasTouch: true, isMobile: true });
});

afterAll(async () => {
  await stage?.close();
});

async function askClosed(page: Page, reason: string): Promise<Locator> {
  await openBreaker(page, stage, payments);
  await page.getByRole('button', { name: 'Force closed', exact: true }).click();
  const dialog = page.getByRole('dialog').first();
  await dialog.getByText('What ends it').waitFor();
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByLabel(/to confirm/).fill('inventory');
  return dialog;
}

const proof = (page: Page) => page.getByRole('dialog', { name: 'Is it still you?' });

async function prove(page: Page, { password }: TestPerson): Promise<void> {
  await proof(page).getByLabel('Password').fill(password);
  await proof(page).getByRole('button', { name: 'Go on' }).click();
  await proof(page).waitFor({ state: 'detached' });
}

async function commands(): Promise<CommandView[]> {
  return (await stage.get<{ commands: CommandView[] }>('/api/commands')).commands;
}

const statuses = async () => (await commands()).map(({ status }) => status);

/** Its target fails, and still every call goes there. */
async function isHeldClosed(): Promise<boolean> {
  await payments.fail(0, 6);
  return (await payments.call(0)) === 'reached';
}

describe('forced closed in production', () => {
  let secret = '';

  it('adds an authenticator app on the profile page', async () => {
    await operator.goto(`${stage.url}/settings/profile`);
    const section = operator.locator('section', { hasText: 'Add an authenticator app' });
    await section.getByLabel('Password', { exact: true }).last().fill(mara.password);
    await operator.getByRole('button', { name: 'Add an authenticator app' }).click();
    secret = (await operator.locator('code').first().textContent()) ?? '';
    expect(secret).toMatch(/^[A-Z2-7]{16,}$/);
    await operator.getByLabel('First code').fill(codeOf(-1));
    await operator.getByRole('button', { name: 'Add it' }).click();
    await operator.getByText('Each sign-in asks for a code.').waitFor();
  });

  const codeOf = (steps: number) => totpOf(`otpauth://totp/x?secret=${secret}`, steps);

  it('[U-23 U-47 U-20] says what it means, where, and wants the name', async () => {
    const dialog = await askClosed(operator, REASON);
    await dialog.getByText(/^All calls go to payments-db/).waitFor();
    await dialog.getByText(/a fresh proof that it is you and a second person/).waitFor();
    await dialog.getByText('production', { exact: true }).waitFor();
    const send = dialog.getByRole('button', { name: /^Ask for approval: Force closed inventory/ });
    expect(await send.textContent()).toContain('in production');
    await dialog.getByLabel(/to confirm/).fill('inventor');
    expect(await send.isDisabled()).toBe(true);
    const leases = dialog.getByRole('group', { name: 'Lease' }).getByRole('button');
    expect(await leases.allTextContents()).toEqual(['5 min', '15 min', '30 min']);
  });

  it('[S-13] [U-30] asks for a code of this very moment, and then for a second person', async () => {
    const dialog = operator.getByRole('dialog').first();
    await dialog.getByLabel(/to confirm/).fill('inventory');
    await dialog.getByRole('button', { name: /^Ask for approval/ }).click();
    await proof(operator)
      .getByText(/Force closed inventory in production/)
      .waitFor();
    expect(await seriousFindings(operator, '[role="dialog"]')).toEqual([]);
    await proof(operator).getByLabel(/^Code/).fill('000000');
    await proof(operator).getByRole('button', { name: 'Go on' }).click();
    await proof(operator).getByText('Not proved').waitFor();
    expect(await statuses()).toEqual([]);
    await proof(operator).getByLabel(/^Code/).fill(codeOf(0));
    await proof(operator).getByRole('button', { name: 'Go on' }).click();
    await operator.getByText('Waits for approval by a second person').waitFor();
    expect(await statuses()).toEqual(['pending_approval']);
    await operator.getByRole('button', { name: 'Done' }).click();
  });

  it('[U-29] waits for the approver on every page, with the same summary', async () => {
    await approver.goto(`${stage.url}/services`);
    await approver.getByRole('link', { name: '1 waits for your approval' }).click();
    const card = approver.getByRole('article').first();
    await card.getByText(REASON).waitFor();
    await card.getByText(/^All calls go to payments-db/).waitFor();
    await card.getByText(/expires in 0\d:\d\d/).waitFor();
    await card.getByText('mara', { exact: true }).waitFor();
    expect(await card.getByRole('button', { name: 'Approve…' }).isEnabled()).toBe(true);
  });

  it('[U-20] is approved by the name and a proof, not by a slip', async () => {
    await approver.getByRole('button', { name: 'Approve…' }).click();
    const approve = approver.getByRole('button', { name: /^Approve: force closed inventory/ });
    expect(await approve.isDisabled()).toBe(true);
    await approver.getByLabel(/to confirm/).fill('inventory');
    await approve.click();
    await prove(approver, noor);
    await approver.getByText('approved by noor').waitFor();
    await approver.getByText('applied on 2 of 2').first().waitFor();
    expect(await isHeldClosed()).toBe(true);
  });

  it('whoever asked sees it applied, and takes it back with one key', async () => {
    await openBreaker(operator, stage, payments);
    await operator.getByRole('region', { name: 'Active override' }).waitFor();
    await operator.keyboard.press('r');
    await operator.getByText(/is no longer forced closed: Returned to automatic/).waitFor();
    expect(await isHeldClosed()).toBe(false);
  });
});

describe('an approval that is not given', () => {
  it('nobody approves their own, and a deny reaches the other with its reason', async () => {
    other = await enter(stage, otto);
    const dialog = await askClosed(other, REASON);
    await dialog.getByRole('button', { name: /^Ask for approval/ }).click();
    await prove(other, otto);
    await dialog.getByText('Waits for approval by a second person').waitFor();

    const page = await other.context().newPage();
    await page.goto(`${stage.url}/overrides`);
    await page.getByText('You asked for this: another person has to approve it.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve…' }).count()).toBe(0);
    await page.close();

    await approver.goto(`${stage.url}/overrides`);
    await approver.getByRole('button', { name: 'Deny…' }).click();
    const why = approver.getByLabel('Why not');
    await why.fill('no');
    expect(await approver.getByRole('button', { name: 'Deny', exact: true }).isDisabled()).toBe(
      true,
    );
    await why.fill('The provider says that it is not back');
    await approver.getByRole('button', { name: 'Deny', exact: true }).click();
    await dialog.getByText(/It was not sent: denied by noor/).waitFor();
    await dialog.getByText('The provider says that it is not back').waitFor();
    expect((await commands())[0]?.overrides).toEqual([]);
  });
});

describe('break-glass [S-16]', () => {
  it('[U-30] goes without the second person, with a longer reason and a proof', async () => {
    const dialog = await askClosed(other, 'Nobody is up');
    await dialog.getByLabel(/^Break glass/).check();
    const send = dialog.getByRole('button', { name: /^Break glass: Force closed inventory/ });
    await send.click();
    await dialog.getByText('8 more characters, please.').waitFor();
    expect(await seriousFindings(other, '[role="dialog"]')).toEqual([]);
    await dialog.getByLabel('Reason').fill('Nobody else is up and the shop is down');
    await send.click();
    await prove(other, otto);
    await dialog.getByText('applied on 2 of 2').waitFor();
    expect(await isHeldClosed()).toBe(true);
    await dialog.getByRole('button', { name: /^Return to automatic/ }).click();
    await dialog.getByText('Returned to automatic by otto').waitFor();
  });

  it('is in front of the approver until the review is closed', async () => {
    await approver.getByRole('link', { name: 'Break-glass was used' }).tap();
    const card = approver.getByRole('article').filter({ hasText: 'without a second person' });
    await card.getByRole('button', { name: 'Close the review' }).tap();
    await card.getByText('Say why: it stays in the audit trail.').waitFor();
    await card.getByLabel('What you found').fill('The shop was down, the call was right');
    await card.getByRole('button', { name: 'Close the review' }).tap();
    await card.waitFor({ state: 'detached' });
    const notice = approver.getByRole('link', { name: 'Break-glass was used' });
    await expect.poll(() => notice.count(), PATIENCE).toBe(0);
  });
});
