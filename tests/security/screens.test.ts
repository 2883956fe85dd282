/** [S-44] The token of a screen: what it opens, and everything that it does not. */
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createApiTokenBody } from '@/lib/protocol/api-tokens';
import type { LiveSnapshot } from '@/lib/protocol/live-frames';
import { routes } from '@/server/http/routes';
import { examples } from '@/tests/http/examples';
import { ask } from '@/tests/server/fakes/server';
import { TestAgent } from '@/tests/services/support';
import { ada } from '@/tests/support/callers';
import { at, openConsole, person, visit, Visitor, type Console } from './console';

const DAY_MS = 86_400_000;

async function reporting(console: Console, service: string, environment: string) {
  const token = { servicePattern: '*', environment };
  const agent = new TestAgent(console, { service, environment, token: tokenOf(token) });
  await agent.connect();
  await agent.send(agent.registered());
  return agent;
}

const tokenOf = (over: object) => ({
  id: 'tok_1',
  name: 'agent',
  abilities: ['publish', 'obey'] as const,
  hint: 'rcl_a_0000',
  createdAt: 0,
  expiresAt: 9e15,
  lastUsedAt: null,
  revokedAt: null,
  servicePattern: '*',
  environment: 'prod',
  ...over,
});

type Made = { token: string; view: { id: string } };

async function makeScreen(by: Visitor, over: object = {}): Promise<Made> {
  const body = { kind: 'screen', name: 'hall', grants: at('viewer', 'prod', 'check*'), ...over };
  const answer = await by.post('/api/api-tokens', body);
  expect(answer.status).toBe(201);
  return answer.json() as unknown as Made;
}

/** A browser at which the token has been entered. */
async function enterScreen(console: Console, token: string): Promise<Visitor> {
  const screen = new Visitor(console, 'screen');
  expect((await screen.post('/api/screen', { token })).status).toBe(200);
  return screen;
}

const looks = async (screen: Visitor) => (await screen.get('/api/screen')).status;

describe('[S-44] a screen', () => {
  it('sees the breakers of its scope, and neither others nor who did what', async () => {
    const console = await openConsole();
    const inside = await reporting(console, 'checkout', 'prod');
    await reporting(console, 'search', 'prod');
    await reporting(console, 'checkout', 'stage');
    await console.services.overrides.issue(ada, {
      breakerId: inside.breakerId,
      kind: 'force_open',
      reason: 'a reason that is for people',
      expectedGeneration: 0,
      idempotencyKey: 'key-of-ada-1',
    });
    const { token } = await makeScreen(await visit(console));
    const screen = await enterScreen(console, token);
    const answer = await screen.get('/api/screen');
    const seen = answer.json() as unknown as LiveSnapshot;
    expect(seen.breakers.map(({ id }) => id)).toEqual([inside.breakerId]);
    expect(seen.breakers[0]?.override).toMatchObject({ kind: 'force_open', actor: '' });
    expect(seen).toMatchObject({ environmentNames: ['prod'], services: [], overrides: [] });
    expect(answer.text).not.toMatch(/ada|a reason that|search|stage/);
  });

  it('is nothing at any other door: every route, as bearer, as cookie, as session', async () => {
    const console = await openConsole();
    const { token } = await makeScreen(await visit(console));
    const before = await console.store.auditHead();
    const session = (await visit(console)).cookie.split('=')[0] ?? '';
    const ways: Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { cookie: `recloser_screen=${token}` },
      { cookie: `${session}=${token}` },
      { cookie: `recloser_screen=${token}; ${session}=${token}` },
    ];
    const open = new Set(routes.filter(({ access }) => access === 'open').map(({ path }) => path));
    for (const route of routes.filter(({ path }) => !open.has(path))) {
      const { path, body } = examples[`${route.method} ${route.path}`] ?? { path: '' };
      for (const way of ways) {
        const answer = await ask(console.port, path, {
          method: route.method.toUpperCase(),
          headers: { 'content-type': 'application/json', origin: console.url, ...way },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        expect({ path, way, status: answer.status }).toEqual({ path, way, status: 401 });
      }
    }
    const after = await console.store.readAudit({ after: before.row, limit: 500 });
    expect(
      after.filter(({ outcome, action }) => outcome === 'done' && action !== 'session.started'),
    ).toEqual([]);
  });

  it('opens neither socket', async () => {
    const console = await openConsole();
    const { token } = await makeScreen(await visit(console));
    const screen = await enterScreen(console, token);
    expect(await screen.connect({ cookie: `recloser_screen=${token}` }).refused).toBe(401);
    const agent = new WebSocket(`ws://127.0.0.1:${console.port}/ws/agent`, 'recloser.agent.v1', {
      headers: { authorization: `Bearer ${token}` },
    });
    const refused = new Promise<number>((resolve) => {
      agent.on('unexpected-response', (request, response) => {
        resolve(response.statusCode ?? 0);
        request.destroy();
      });
      agent.on('error', () => undefined);
    });
    expect(await refused).toBe(401);
    // A person's live socket takes no token of a screen for a ticket.
    const live = await (await visit(console)).live(token);
    expect(await live.closed).toBe(4001);
  });

  it('keeps its token where no script and no other path gets it', async () => {
    const console = await openConsole();
    const { token } = await makeScreen(await visit(console));
    const answer = await new Visitor(console).post('/api/screen', { token });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^recloser_screen=rcl_k_\w+; Max-Age=\d+; Path=\/api\/screen; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    expect(answer.text).not.toContain(token);
    const left = await new Visitor(console).post('/api/screen/leave');
    expect(left.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    const twice = { cookie: `recloser_screen=${token}; recloser_screen=${token}` };
    expect((await new Visitor(console).get('/api/screen', twice)).status).toBe(401);
  });

  it('lasts 90 days at most, and reads only', () => {
    const good = { kind: 'screen', name: 'hall', grants: at('viewer'), expiresInDays: 90 };
    expect(createApiTokenBody.safeParse(good).success).toBe(true);
    const bad = [{ expiresInDays: 91 }, { grants: at('operator') }, { grants: at('auditor') }];
    for (const over of bad) {
      expect(createApiTokenBody.safeParse({ ...good, ...over }).success).toBe(false);
    }
    expect(
      createApiTokenBody.safeParse({ ...good, kind: 'script', expiresInDays: 365 }).success,
    ).toBe(true);
  });

  it('ends when it is revoked, when its time is over, and with its owner', async () => {
    const vic = person('vic', at('viewer'));
    const console = await openConsole({ people: [vic] });
    const admin = await visit(console);
    const first = await makeScreen(admin);
    const screen = await enterScreen(console, first.token);
    expect(await looks(screen)).toBe(200);
    await admin.post(`/api/api-tokens/${first.view.id}/revoke`);
    expect(await looks(screen)).toBe(401);

    const owned = await makeScreen(await visit(console, vic));
    const other = await enterScreen(console, owned.token);
    expect(await looks(other)).toBe(200);
    const { id } = (await console.store.people.findPerson({ email: vic.email })) ?? { id: '' };
    await admin.post(`/api/people/${id}/disable`);
    expect(await looks(other)).toBe(401);

    const short = await makeScreen(admin, { expiresInDays: 1 });
    const third = await enterScreen(console, short.token);
    console.clock.fake.jump(DAY_MS - 1_000);
    expect(await looks(third)).toBe(200);
    console.clock.fake.jump(1_000);
    expect(await looks(third)).toBe(401);
  });

  it('has a rate of its own, and so has whoever guesses', async () => {
    const console = await openConsole();
    const admin = await visit(console);
    const [one, two] = [await makeScreen(admin), await makeScreen(admin)];
    const screen = await enterScreen(console, one.token);
    for (let count = 0; count < 120; count += 1) await console.services.screens.show(one.token);
    const late = await screen.get('/api/screen');
    expect([late.status, late.headers['retry-after']]).toEqual([429, '60']);
    expect(await looks(await enterScreen(console, two.token))).toBe(200);
    expect((await admin.get('/api/fleet')).status).toBe(200);

    const guesses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      guesses.push((await new Visitor(console).post('/api/screen', { token: 'rcl_k_x' })).status);
    }
    expect(guesses.slice(0, 8)).toEqual(Array(8).fill(401));
    expect(guesses.slice(-3)).toEqual([429, 429, 429]);
  });

  it('[S-30] is one row each time it is made, set up, refused and revoked', async () => {
    const console = await openConsole();
    const admin = await visit(console);
    const { token, view } = await makeScreen(admin);
    await enterScreen(console, token);
    await new Visitor(console).post('/api/screen', { token: `${token}x` });
    await admin.post(`/api/api-tokens/${view.id}/revoke`);
    const rows = await console.store.listAudit({ limit: 4 });
    expect(rows.map(({ action, outcome }) => `${action} ${outcome}`).toReversed()).toEqual([
      'api_token.created done',
      'screen.opened done',
      'screen.refused refused',
      'api_token.revoked done',
    ]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
