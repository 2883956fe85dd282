import { describe, expect, it } from 'vitest';
import { SYSTEM } from '@/server/services/caller';
import { at, auditOf, openConsole, person, Visitor, type Console } from './console';
import { openProvider, type Provider } from './identity-provider';

const oidcOf = ({ issuer }: Provider, defaultRole: 'viewer' | null = null) => ({
  issuer,
  clientId: 'console',
  clientSecret: 'canary-client-secret',
  label: 'Work',
  defaultRole,
});

async function open(
  defaultRole: 'viewer' | null = null,
  people = [] as ReturnType<typeof person>[],
) {
  const provider = await openProvider();
  const console = await openConsole({ oidc: oidcOf(provider, defaultRole), people });
  return { provider, console };
}

async function come(console: Console, provider: Provider, visitor = new Visitor(console)) {
  const { url } = (await visitor.post('/api/sign-in/oidc', { next: '/audit' })).json();
  const back = await visitor.get(`/api/auth/callback/oidc${provider.approve(String(url))}`, {
    // The browser comes from the provider's site.
    'sec-fetch-site': 'cross-site',
  });
  return { visitor, url: String(url), location: back.headers.location, status: back.status };
}

const invite = ({ services }: Console, email: string) =>
  services.people.invite(SYSTEM, { name: 'Kim', email, grants: [...at('operator', 'prod')] });

describe('[S-03] the identity provider', () => {
  it('lets in who was invited, with the roles of the invitation, and who has been here', async () => {
    const { provider, console } = await open();
    await invite(console, 'kim@example.test');
    const first = await come(console, provider);
    expect([first.status, first.location]).toEqual([302, '/audit']);
    expect((await first.visitor.learn()).person).toMatchObject({
      email: 'kim@example.test',
      grants: at('operator', 'prod'),
    });
    // The invitation is used up; the person is not new any more.
    expect((await console.services.people.list()).invitations).toEqual([]);
    const second = await come(console, provider);
    expect(second.location).toBe('/audit');
    expect((await console.store.people.listPeople()).length).toBe(2);
    const [row] = await auditOf(console, 'session.started');
    expect(row).toMatchObject({ who: { name: 'Kim', factors: ['oidc'] } });
  });

  it('asks with a state, a nonce and PKCE, and comes back once', async () => {
    const { provider, console } = await open();
    await invite(console, 'kim@example.test');
    const visitor = new Visitor(console);
    const { url } = (await visitor.post('/api/sign-in/oidc', {})).json();
    const asked = new URL(String(url)).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked.get(name)?.length).toBeGreaterThan(30);
    }
    expect(asked.get('redirect_uri')).toBe(`${console.url}/api/auth/callback/oidc`);
    const back = `/api/auth/callback/oidc${provider.approve(String(url))}`;
    // Another browser, which did not ask.
    expect((await new Visitor(console).get(back)).headers.location).toBe('/sign-in?error=provider');
    expect((await visitor.get(back)).headers.location).toBe('/');
    const replay = new Visitor(console);
    expect((await replay.get(back)).headers.location).toBe('/sign-in?error=provider');
    expect((await replay.get('/api/me')).status).toBe(401);
  });

  it('refuses whom nobody invited, unless a default role is set', async () => {
    const strict = await open();
    expect((await come(strict.console, strict.provider)).location).toBe('/sign-in?error=provider');
    expect(await strict.console.store.people.listPeople()).toHaveLength(1);
    const rows = await auditOf(strict.console, 'session.refused');
    expect(rows).toMatchObject([{ outcome: 'refused', details: { factor: 'oidc' } }]);
    const lax = await open('viewer');
    const { visitor } = await come(lax.console, lax.provider);
    expect((await visitor.learn()).person.grants).toEqual(at('viewer'));
  });

  it('an invitation counts for a verified address only', async () => {
    const { provider, console } = await open();
    await invite(console, 'kim@example.test');
    provider.state.claims.email_verified = false;
    expect((await come(console, provider)).location).toBe('/sign-in?error=provider');
  });

  it('the address of somebody with an account here opens that account to nobody', async () => {
    const kim = person('kim', at('admin'));
    const { provider, console } = await open('viewer', [kim]);
    provider.state.claims.email = kim.email;
    const { location, visitor } = await come(console, provider);
    expect(location).toBe('/sign-in?error=provider');
    expect((await visitor.get('/api/me')).status).toBe(401);
  });

  it('another subject, or the same one of another issuer, is another person', async () => {
    const { provider, console } = await open('viewer');
    await come(console, provider);
    const [account] = await console.store.people.auth.find({
      model: 'account',
      where: [{ field: 'providerId', operator: 'eq', value: 'oidc', connector: 'AND' }],
    });
    expect(account?.['accountId']).toBe(`${provider.issuer}#u1`);
    // The same address under another subject: taken.
    provider.state.claims.sub = 'u2';
    expect((await come(console, provider)).location).toBe('/sign-in?error=provider');
    provider.state.claims.email = 'lee@example.test';
    const { visitor } = await come(console, provider);
    expect((await visitor.learn()).person.email).toBe('lee@example.test');
  });

  it.each([
    ['a forged signature', (provider: Provider) => (provider.state.isForged = true)],
    ['another nonce', (provider: Provider) => (provider.state.claims.nonce = 'other')],
    ['another audience', (provider: Provider) => (provider.state.claims.aud = 'other')],
  ])('%s opens nothing', async (_what, spoil) => {
    const { provider, console } = await open('viewer');
    spoil(provider);
    const { location, visitor } = await come(console, provider);
    expect(location).toBe('/sign-in?error=provider');
    expect((await visitor.get('/api/me')).status).toBe(401);
  });

  it('somebody who was disabled does not come in', async () => {
    const { provider, console } = await open('viewer');
    const { visitor } = await come(console, provider);
    const { person: kim } = await visitor.learn();
    await console.services.people.disable(SYSTEM, kim.id);
    expect((await come(console, provider)).location).toBe('/sign-in?error=provider');
  });

  it('keeps none of its tokens', async () => {
    const { provider, console } = await open('viewer');
    await come(console, provider);
    const rows = await console.store.people.auth.find({ model: 'account', where: [] });
    expect(JSON.stringify(rows)).not.toMatch(/"at"|eyJ/);
  });

  it('is not there when it is not configured', async () => {
    const console = await openConsole();
    const visitor = new Visitor(console);
    expect((await visitor.post('/api/sign-in/oidc', {})).status).toBe(404);
    const back = await visitor.get('/api/auth/callback/oidc?code=x&state=y');
    expect(back.headers.location).toBe('/sign-in?error=provider');
    for (const path of ['/api/auth/sign-up/email', '/api/auth/ok', '/api/auth/session']) {
      expect((await visitor.get(path)).status).toBe(404);
      expect((await visitor.post(path, {})).status).toBe(404);
    }
  });
});
