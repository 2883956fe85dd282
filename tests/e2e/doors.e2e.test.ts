/** What opens the console besides a password, as a browser meets it: a passkey, and a screen's token. */
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CommandView } from '@/lib/protocol/command-views';
import type { ProfileBody } from '@/lib/protocol/people';
import {
  enter,
  mara,
  openBreaker,
  openHandleStage,
  WIDE,
  type HandleStage,
  type TestService,
} from './support/stage';

const REASON = 'The provider is back, the ramp is too slow';

let stage: HandleStage;
let payments: TestService;
let page: Page;
let authenticator: Awaited<ReturnType<typeof plugIn>>;

beforeAll(async () => {
  stage = await openHandleStage();
  payments = await stage.service({ service: 'payments', environment: 'staging' });
  await stage.post('/api/policies', {
    environment: 'staging',
    twoPerson: 'never',
    stepUp: 'L3',
    tierOneServices: [],
  });
  page = await enter(stage, mara);
  authenticator = await plugIn(page);
});

afterAll(async () => {
  await stage?.close();
});

/** The fingerprint reader of this machine, as Chromium pretends it. */
async function plugIn(into: Page) {
  const session: CDPSession = await into.context().newCDPSession(into);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether it knows the finger. */
    knows: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}

const commands = async () =>
  (await stage.get<{ commands: CommandView[] }>('/api/commands')).commands;

/** Everything that this origin has put on the disk, as text. */
const storedBy = (on: Page) =>
  on.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    const shelves = [localStorage, sessionStorage].map((shelf) => Object.entries(shelf));
    return JSON.stringify([shelves, await caches.keys(), databases, document.cookie]);
  });

describe('a passkey', () => {
  it('[S-03] is added on the profile page', async () => {
    await page.goto(`${stage.url}/settings/profile`);
    await page.getByLabel('Name of a new one').fill('laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Remove laptop' }).waitFor();
    expect(await authenticator.credentials()).toMatchObject([
      { isResidentCredential: true, rpId: 'localhost' },
    ]);
  });

  it('[S-39] is not needed to go back to what is gone: signing out leaves nothing behind', async () => {
    await openBreaker(page, stage, payments);
    expect(await storedBy(page)).not.toMatch(/rcl_|session|csrf|example\.test|payments|inventory/i);
    await page.getByRole('button', { name: 'Signed in as mara' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // Not back to where this one was: the next may be another.
    await page.waitForURL(/\/sign-in$/);
    await page.getByLabel('E-mail').waitFor();
    await page.goBack();
    await page.waitForURL(/\/sign-in/);
    await page.getByLabel('E-mail').waitFor();
    expect(await page.getByText('payments').count()).toBe(0);
    expect(await storedBy(page)).toBe('[[[],[]],[],[],""]');
  });

  it('[S-03] signs in by itself', async () => {
    await page.goto(`${stage.url}/sign-in`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${stage.url}/`);
    await page.getByRole('button', { name: 'Signed in as mara' }).waitFor();
    const { sessions } = await page.evaluate(
      async () => (await (await fetch('/api/profile')).json()) as ProfileBody,
    );
    expect(sessions).toMatchObject([{ isCurrent: true, factors: ['passkey'] }]);
  });

  it('says under which name it counts, where the console was opened under another', async () => {
    const elsewhere = await stage.browser.newPage();
    await elsewhere.goto(`${stage.url.replace('localhost', '127.0.0.1')}/sign-in`);
    await elsewhere.getByRole('button', { name: 'Use a passkey' }).click();
    const told = elsewhere.getByRole('alert').filter({ hasText: 'Not signed in' });
    await told.waitFor();
    expect(await told.textContent()).toContain('under the name localhost only');
    await elsewhere.close();
  });

  it('[S-13] proves who it is for an override in which a proof is asked for, and only then it goes', async () => {
    await openBreaker(page, stage, payments);
    await page.getByRole('button', { name: 'Force closed', exact: true }).click();
    const dialog = page.getByRole('dialog').first();
    await dialog.getByText('What ends it').waitFor();
    await dialog.getByLabel('Reason').fill(REASON);
    await dialog.getByLabel(/to confirm/).fill('inventory');
    await dialog.getByRole('button', { name: /^Force closed inventory/ }).click();

    const proof = page.getByRole('dialog', { name: 'Is it still you?' });
    await proof.getByText(/One proof, for this alone: Force closed inventory/).waitFor();
    // A password is no proof for somebody who has a passkey.
    expect(await proof.getByRole('textbox').count()).toBe(0);
    const use = proof.getByRole('button', { name: 'Use a passkey' });
    expect(await use.evaluate((button) => button === document.activeElement)).toBe(true);
    await authenticator.knows(false);
    await page.keyboard.press('Enter');
    await proof.getByText('Not proved').waitFor();
    expect(await commands()).toEqual([]);

    await authenticator.knows(true);
    await use.click();
    await dialog.getByText('applied on 2 of 2').waitFor();
    await proof.waitFor({ state: 'detached' });
    expect(await commands()).toMatchObject([{ kind: 'force_closed', risk: 'L3', actor: 'mara' }]);
    await payments.fail(0, 6);
    expect(await payments.call(0)).toBe('reached');
    await dialog.getByRole('button', { name: 'Done' }).click();
  });
});

describe('[S-44] a screen on the wall', () => {
  let screen: Page;

  it('is set up with a token of the profile', async () => {
    await page.goto(`${stage.url}/settings/profile`);
    await page.getByRole('button', { name: 'New API token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('For', { exact: true }).selectOption('screen');
    await dialog.getByLabel('Name').fill('hall');
    await dialog.getByRole('button', { name: 'Make the token' }).click();
    await dialog.getByText('Shown this once').waitFor();
    const token = (await dialog.locator('code').textContent()) ?? '';
    expect(token).toMatch(/^rcl_k_/);
    await dialog.getByRole('button', { name: 'Close' }).click();

    screen = await (await stage.browser.newContext({ viewport: WIDE })).newPage();
    await screen.goto(`${stage.url}/screen`);
    await screen.getByLabel('Token of the screen').fill(token);
    await screen.getByRole('button', { name: 'Show the wall' }).click();
    const row = screen.getByRole('listitem').filter({ hasText: 'inventory' });
    await row.getByText(/forced closed/i).waitFor();
    await row.getByText('payments · staging').waitFor();
    expect(await screen.locator('body').innerText()).not.toMatch(/mara|The provider/);
  });

  it('shows, and can change nothing: no handle, no other page, no other door', async () => {
    expect(await screen.getByRole('button').allTextContents()).toEqual([
      'Forget this screen',
      'Stay on the worst',
      'Turn every 10 s',
      'Turn every 20 s',
      'Turn every 60 s',
    ]);
    const { id } = await payments.row();
    const statuses = await screen.evaluate(
      (breakerId) =>
        Promise.all(
          [
            { path: '/api/overrides', body: { breakerId, kind: 'force_open' } },
            { path: `/api/breakers/${breakerId}/release`, body: {} },
            { path: '/api/commands', body: { scope: { kind: 'breaker', breakerId } } },
            { path: '/api/live-ticket', body: {} },
            { path: '/api/tokens', body: {} },
          ].map(async ({ path, body }) => {
            const headers = { 'content-type': 'application/json' };
            const init = { method: 'POST', headers, body: JSON.stringify(body) };
            return (await fetch(path, init)).status;
          }),
        ),
      id,
    );
    expect(statuses).toEqual([401, 401, 401, 401, 401]);
    await screen.goto(`${stage.url}/breakers/${encodeURIComponent(id)}`);
    await screen.waitForURL(/\/sign-in/);
    await screen.goto(`${stage.url}/screen`);
    await screen.getByRole('listitem').filter({ hasText: 'inventory' }).waitFor();
    expect((await payments.row()).override?.kind).toBe('force_closed');
  });

  it('ends within seconds when its token is revoked, and says so', async () => {
    await page.getByRole('button', { name: 'Revoke hall' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    const revokedAt = performance.now();
    await screen.getByRole('heading', { name: 'Set this screen up' }).waitFor();
    expect(performance.now() - revokedAt).toBeLessThan(10_000);
    expect(await screen.getByText('inventory').count()).toBe(0);
    await screen.reload();
    await screen.getByRole('heading', { name: 'Set this screen up' }).waitFor();
  });
});

describe('what a page is made to run', () => {
  it('[S-38] no script, handler or address that was put into it runs', async () => {
    await openBreaker(page, stage, payments);
    const seen = await page.evaluate(async () => {
      const blocked: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) =>
        blocked.push(event.effectiveDirective),
      );
      const holder = document.createElement('div');
      holder.innerHTML =
        '<img src="data:x" onerror="window.harm = 2"><a href="javascript:window.harm = 3">x</a>' +
        '<iframe srcdoc="<script>parent.harm = 4</script>"></iframe><base href="//evil.example/">';
      document.body.append(holder);
      holder.querySelector('a')?.click();
      const foreign = document.createElement('img');
      foreign.src = 'https://evil.example/x.png';
      await fetch('https://evil.example/').catch(() => undefined);
      await new Promise((resolve) => {
        foreign.addEventListener('error', resolve);
      });
      holder.remove();
      const { harm = 'none' } = window as { harm?: unknown };
      return { harm, blocked: [...new Set(blocked)].toSorted() };
    });
    expect(seen).toEqual({
      harm: 'none',
      blocked: expect.arrayContaining([
        'base-uri',
        'connect-src',
        'img-src',
        'script-src-attr',
        'script-src-elem',
      ]),
    });
  });

  it('[S-07] requests that took over other consoles get no further than the door', async () => {
    const { headers } = stage.admin;
    const boundary = 'multipart/form-data; boundary=x';
    const part =
      '--x\r\nContent-Disposition: form-data; name="0"\r\n\r\n{"then":"$1:__proto__:then"}';
    for (const path of ['/', '/sign-in', '/breakers/x', '/api/me']) {
      const probe = { ...headers, 'next-action': 'a'.repeat(42), 'content-type': boundary };
      const answer = await fetch(stage.url + path, {
        method: 'POST',
        headers: probe,
        body: `${part}\r\n--x--`,
      });
      expect({ path, ok: [404, 405, 415].includes(answer.status) }).toEqual({ path, ok: true });
    }
    const image = '/_next/image?w=64&q=75&url=http%3A%2F%2F169.254.169.254%2Flatest';
    expect((await fetch(stage.url + image, { headers })).ok).toBe(false);
  });
});
