/**
 * [S-11] [S-12] Every HTTP route, page and socket message, for every role, for nobody, for an API
 * token, and for objects of another environment. A route that is not in the table fails.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Server } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionsOf, roles, type Action, type Role } from '@/lib/protocol/access';
import { routes } from '@/server/http/routes';
import { examples, exampleOverride } from '@/tests/http/examples';
import { ask, type Answer } from '@/tests/server/fakes/server';
import { TestAgent } from '@/tests/services/support';
import { ada } from '@/tests/support/callers';
import { at, openConsole, person, root, visit, Visitor, type Console } from './console';

/** What a route asks for. `open`: nothing; `self`: to be a person who is signed in. */
type Need = 'open' | 'self' | 'own token' | Action;

const table: Record<string, Need> = {
  'get /api/fleet': 'fleet.read',
  'get /api/findings': 'fleet.read',
  'get /api/services': 'fleet.read',
  'get /api/services/{id}': 'fleet.read',
  'get /api/breakers/{id}': 'fleet.read',
  'get /api/breakers/{id}/history': 'fleet.read',
  'get /api/breakers/{id}/series': 'fleet.read',
  'get /api/breakers/{id}/diagnosis': 'fleet.read',
  'get /api/targets/series': 'fleet.read',
  'get /api/breakers/{id}/impact': 'fleet.read',
  'post /api/instances/{id}/remove': 'instance.remove',
  'get /api/simulator': 'fleet.read',
  'post /api/simulator/start': 'simulator.manage',
  'post /api/simulator/remove': 'simulator.manage',
  'get /api/overrides': 'fleet.read',
  'post /api/overrides': 'override.issue',
  'get /api/overrides/{id}': 'fleet.read',
  'post /api/overrides/{id}/release': 'override.release',
  'post /api/overrides/{id}/lease': 'override.change',
  'post /api/breakers/{id}/release': 'override.release',
  'post /api/commands/preview': 'fleet.read',
  'get /api/commands': 'fleet.read',
  'post /api/commands': 'override.issue',
  'get /api/commands/{id}': 'fleet.read',
  'post /api/commands/{id}/approve': 'override.approve',
  'post /api/commands/{id}/deny': 'override.approve',
  'post /api/commands/{id}/cancel': 'override.release',
  'post /api/commands/{id}/release': 'override.release',
  'post /api/commands/{id}/lease': 'override.change',
  'post /api/releases': 'override.release',
  'get /api/releases': 'fleet.read',
  'get /api/releases/{id}': 'fleet.read',
  'post /api/releases/{id}/resume': 'override.release',
  'post /api/releases/{id}/cancel': 'override.release',
  'get /api/policies': 'fleet.read',
  'post /api/policies': 'policy.manage',
  'get /api/reviews': 'audit.read',
  'post /api/reviews/{id}/close': 'review.close',
  'get /api/tokens': 'fleet.read',
  'post /api/tokens': 'token.manage',
  'post /api/tokens/{id}/revoke': 'token.manage',
  'get /api/api-tokens': 'self',
  'post /api/api-tokens': 'own token',
  'post /api/api-tokens/{id}/revoke': 'self',
  'get /api/audit': 'audit.read',
  'get /api/audit/proof': 'audit.read',
  'get /api/audit/checkpoint': 'audit.export',
  'get /api/audit/export': 'audit.export',
  'get /api/screen': 'open',
  'post /api/screen': 'open',
  'post /api/screen/leave': 'open',
  'get /api/sign-in': 'open',
  'post /api/sign-in': 'open',
  'post /api/sign-in/totp': 'open',
  'post /api/sign-in/passkey-options': 'open',
  'post /api/sign-in/passkey': 'open',
  'post /api/sign-in/oidc': 'open',
  'post /api/setup': 'open',
  'post /api/redeem': 'open',
  'get /api/me': 'self',
  'post /api/sign-out': 'self',
  'post /api/live-ticket': 'self',
  'post /api/step-up/passkey-options': 'self',
  'post /api/step-up': 'self',
  'get /api/profile': 'self',
  'post /api/profile/password': 'self',
  'post /api/profile/totp/start': 'self',
  'post /api/profile/totp/confirm': 'self',
  'post /api/profile/totp/remove': 'self',
  'post /api/profile/passkeys/start': 'self',
  'post /api/profile/passkeys/confirm': 'self',
  'post /api/profile/passkeys/{id}/remove': 'self',
  'post /api/profile/sessions/{id}/end': 'self',
  'post /api/profile/sessions/end-others': 'self',
  'get /api/people': 'people.manage',
  'post /api/people/invite': 'people.manage',
  'post /api/invitations/{id}/revoke': 'people.manage',
  'post /api/people/{id}/grants': 'people.manage',
  'post /api/people/{id}/disable': 'people.manage',
  'post /api/people/{id}/enable': 'people.manage',
  'post /api/people/{id}/reset-factors': 'people.manage',
  'post /api/people/{id}/sign-out': 'people.manage',
  'get /api/openapi.json': 'self',
  'get /healthz': 'open',
  'get /livez': 'open',
  'get /api/auth/callback/oidc': 'open',
};

/** Not among the routes that are data. */
const fixed: Record<string, { path: string; body?: unknown }> = {
  'get /api/openapi.json': { path: '/api/openapi.json' },
  'get /healthz': { path: '/healthz' },
  'get /livez': { path: '/livez' },
  'get /api/auth/callback/oidc': { path: '/api/auth/callback/oidc?code=x&state=y' },
};

type Verdict = 'in' | 'no session' | 'no right';

function verdictOf(answer: Answer): Verdict {
  if (answer.status !== 401 && answer.status !== 403) return 'in';
  const { error } = answer.json() as {
    error: { message: string; details?: { needs?: string } };
  };
  if (error.message === 'Sign in first.') return 'no session';
  if (error.details?.needs !== undefined || /^You (may|cannot)/.test(error.message)) {
    return 'no right';
  }
  return error.message.startsWith('Only a person') ? 'no right' : 'in';
}

async function knock(visitor: Visitor, name: string, example: { path: string; body?: unknown }) {
  return name.startsWith('get ')
    ? visitor.get(example.path)
    : visitor.post(example.path, example.body);
}

/** Knocks at every route; a route that ended the session is followed by a new one. */
async function verdicts(console: Console, make: () => Promise<Visitor>) {
  const seen: Record<string, Verdict> = {};
  let visitor = await make();
  const hadSession = (await visitor.get('/api/me')).status === 200;
  for (const [name, example] of Object.entries({ ...examples, ...fixed })) {
    seen[name] = verdictOf(await knock(visitor, name, example));
    if (hadSession && (await visitor.get('/api/me')).status !== 200) {
      console.clock.fake.jump(60_000);
      visitor = await make();
    }
  }
  return seen;
}

const expected = (allows: (need: Need) => Verdict) =>
  Object.fromEntries(Object.entries(table).map(([name, need]) => [name, allows(need)]));

function verdictFor(role: Role) {
  return (need: Need): Verdict => {
    if (need === 'open' || need === 'self') return 'in';
    // Nobody hands on what he does not hold; a viewer holds the least there is.
    if (need === 'own token') return 'in';
    return actionsOf[role].includes(need) ? 'in' : 'no right';
  };
}

const withoutRole = (need: Need): Verdict =>
  need === 'open' || need === 'self' ? 'in' : 'no right';

describe('[S-12] HTTP', () => {
  it('has a line and an example for every route', () => {
    const known = routes.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(table).sort()).toEqual([...known, ...Object.keys(fixed)].sort());
    expect(Object.keys(examples).sort()).toEqual(known.sort());
  });

  it.each(roles)('[S-11] lets a %s in where the role allows it, and nowhere else', async (role) => {
    const one = person(role, at(role));
    const console = await openConsole({ people: [one] });
    expect(await verdicts(console, () => visit(console, one))).toEqual(expected(verdictFor(role)));
  });

  it('lets nobody in without a session, but at the ways in', async () => {
    const console = await openConsole();
    const seen = await verdicts(console, async () => new Visitor(console));
    expect(seen).toEqual(expected((need) => (need === 'open' ? 'in' : 'no session')));
  });

  it('lets somebody without a role at nothing but the own profile', async () => {
    const one = person('nobody', []);
    const console = await openConsole({ people: [one] });
    const seen = await verdicts(console, () => visit(console, one));
    expect(seen).toEqual(expected(withoutRole));
  });

  it('lets an API token do what its roles and its owner’s allow, and nothing about a person', async () => {
    const console = await openConsole();
    const admin = await visit(console);
    const made = await admin.post('/api/api-tokens', {
      name: 'script',
      grants: at('operator', 'prod'),
    });
    const { token } = made.json() as { token: string };
    const authorization = `Bearer ${token}`;
    const seen: Record<string, boolean> = {};
    for (const [name, example] of Object.entries({ ...examples, ...fixed })) {
      const [method = ''] = name.split(' ');
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await ask(console.port, example.path, {
        method: method.toUpperCase(),
        headers,
        ...(method === 'post' ? { body: JSON.stringify(example.body) } : {}),
      });
      seen[name] = verdictOf(answer) === 'in';
    }
    const scoped = new Set(['post /api/tokens', 'post /api/policies']);
    for (const [name, need] of Object.entries(table)) {
      const isOwn = need === 'self' || need === 'own token';
      const may = need === 'open' || (!isOwn && actionsOf.operator.includes(need));
      const want = name === 'get /api/openapi.json' || (may && !scoped.has(name));
      expect({ name, may: seen[name] }).toEqual({ name, may: want });
    }
    const wrong = { authorization: `${authorization.slice(0, -1)}x` };
    expect((await ask(console.port, '/api/fleet', { headers: wrong })).status).toBe(401);
  });

  it('[S-11] keeps people of another environment or service off what is here', async () => {
    const strangers = [
      person('stage-admin', at('admin', 'stage')),
      person('other-admin', at('admin', 'prod', 'payments*')),
    ];
    const console = await openConsole({ people: strangers });
    const agent = new TestAgent(console);
    await agent.connect();
    await agent.send(agent.registered());
    const issued = await console.services.overrides.issue(ada, {
      breakerId: agent.breakerId,
      kind: 'force_open',
      reason: 'the target is down',
      expectedGeneration: 0,
      idempotencyKey: 'key-of-ada-1',
    });
    const token = await console.services.tokens.create(ada, {
      name: 'x',
      servicePattern: 'checkout',
      environment: 'prod',
      abilities: ['publish'],
      expiresInDays: 1,
    });
    const id = (await console.store.people.findPerson({ email: root.email }))?.id ?? '';
    const acts: [string, unknown][] = [
      ['/api/overrides', { ...exampleOverride, breakerId: agent.breakerId }],
      [`/api/overrides/${issued.id}/release`, {}],
      [`/api/overrides/${issued.id}/lease`, { leaseMs: 60_000 }],
      [`/api/breakers/${agent.breakerId}/release`, {}],
      [
        '/api/commands',
        {
          scope: { kind: 'breaker', breakerId: agent.breakerId },
          kind: 'force_open',
          reason: 'the database is melting',
          expectedGenerations: { [agent.breakerId]: 1 },
          idempotencyKey: 'key-12345678',
        },
      ],
      ['/api/tokens', { name: 'a', servicePattern: 'checkout', environment: 'prod' }],
      [`/api/tokens/${token.view.id}/revoke`, {}],
      ['/api/policies', { environment: 'prod', twoPerson: 'never', stepUp: 'never' }],
      [`/api/people/${id}/disable`, {}],
      [`/api/people/${id}/grants`, { grants: [] }],
    ];
    for (const stranger of strangers) {
      const visitor = await visit(console, stranger);
      for (const [path, body] of acts) {
        expect({ path, status: (await visitor.post(path, body)).status }).toEqual({
          path,
          status: 403,
        });
      }
      // An outage crosses services: everybody sees it.
      expect((await visitor.get(`/api/breakers/${agent.breakerId}`)).status).toBe(200);
    }
    expect((await console.services.overrides.get(issued.id)).endedAt).toBeNull();
  });

  it('ids that are guessed open nothing', async () => {
    const console = await openConsole({ people: [person('vic', at('viewer'))] });
    const visitor = await visit(console, person('vic', at('viewer')));
    const { id: rootId } = (await console.store.people.findPerson({ email: root.email })) ?? {
      id: '',
    };
    const guesses = ['', '/grants', '/..%2f..%2fme'].map((rest) => `/api/people/${rootId}${rest}`);
    for (const path of guesses) {
      expect((await visitor.get(path)).status).not.toBe(200);
    }
  });
});

/** Paths of the pages, `[id]` filled in. */
function pagesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return pagesIn(join(folder, entry.name));
    if (entry.name !== 'page.tsx') return [];
    return [`/${folder.slice('app'.length + 1).replaceAll(/\[\w+\]/g, 'x1')}`];
  });
}

const OPEN_PAGES = ['/join', '/screen', '/setup', '/sign-in'];

/** Other ways to ask for the same page, which have got past gates elsewhere. */
const variants = (page: string): [string, Record<string, string>][] => [
  [page, {}],
  [`${page}?_rsc=1abc`, { rsc: '1' }],
  [page, { rsc: '1', 'next-router-prefetch': '1' }],
  [page, { 'x-middleware-subrequest': 'middleware:middleware:middleware' }],
  [page, { 'x-middleware-skip': '1', 'x-matched-path': '/sign-in' }],
  [page, { 'next-router-segment-prefetch': '/_tree', rsc: '1' }],
  [`${page === '/' ? '/index' : page}.rsc`, {}],
  [`${page === '/' ? '/index' : page}.segments/_tree.segment.rsc`, {}],
  [`/_next/data/build${page === '/' ? '/index' : page}.json`, { 'x-nextjs-data': '1' }],
  [`/sign-in/..${page}`, {}],
  [`//sign-in${page}`, {}],
  [`${page}%2f`, {}],
];

const startPages = () => {
  const served: string[] = [];
  return {
    served,
    start: () => ({
      handle: async (
        request: { url?: string | undefined },
        response: { end(text: string): void },
      ) => {
        served.push(request.url ?? '');
        response.end('<p>page</p>');
      },
      upgrades: new Server(),
      close: async () => {},
    }),
  };
};

describe('[S-12] pages', () => {
  it('are all known here', () => {
    expect(pagesIn('app').sort()).toEqual([
      '/',
      '/audit',
      '/breakers/x1',
      '/design',
      '/join',
      '/overrides',
      '/screen',
      '/services',
      '/services/x1',
      '/settings/people',
      '/settings/policies',
      '/settings/profile',
      '/settings/simulator',
      '/setup',
      '/sign-in',
      '/targets/x1',
      '/wall',
    ]);
  });

  it.each(pagesIn('app').filter((page) => !OPEN_PAGES.includes(page)))(
    '%s is served to nobody without a session, in no form',
    async (page) => {
      const pages = startPages();
      const console = await openConsole({ startPages: pages.start });
      for (const [path, headers] of variants(page)) {
        const answer = await new Visitor(console).get(path, headers);
        const outcome = answer.headers.location?.split('?')[0] ?? answer.status;
        expect({ path, outcome }).toEqual({ path, outcome: expect.toBeOneOf(['/sign-in', 400]) });
      }
      expect(pages.served).toEqual([]);
      const inside = await visit(console);
      expect((await inside.get(page)).text).toContain('page');
    },
  );

  it('[S-02] lead to the set-up while nobody has done it', async () => {
    const pages = startPages();
    const console = await openConsole({ isNew: true, startPages: pages.start });
    for (const path of ['/', '/sign-in', '/join', '/settings/people']) {
      expect((await new Visitor(console).get(path)).headers.location).toBe('/setup');
    }
    expect((await new Visitor(console).get('/setup')).status).toBe(200);
  });

  it('hold no data: whatever they show comes through the API or the live socket', () => {
    const files = readdirSync('app', { recursive: true, encoding: 'utf8' });
    const sources = files.filter((file) => /\.tsx?$/.test(file));
    expect(sources.length).toBeGreaterThan(10);
    for (const file of sources) {
      const text = readFileSync(join('app', file), 'utf8');
      const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from ?? '');
      const foreign = imports.filter(
        (from) => !/^(react|next(\/|$)|@\/components\/|\.\/)/.test(from),
      );
      expect({ file, foreign, fetches: /\bfetch\(|process\.env/.test(text) }).toEqual({
        file,
        foreign: [],
        fetches: false,
      });
    }
  });
});

describe('[S-12] socket messages', () => {
  it.each(roles)('a %s may open the live socket and change its topics', async (role) => {
    const one = person(role, at(role, 'stage'));
    const console = await openConsole({ people: [one] });
    const live = await (await visit(console, one)).live();
    await expect.poll(() => live.types).toContain('snapshot');
    live.socket.send(JSON.stringify({ type: 'topics', topics: ['fleet', 'instances'] }));
    await expect.poll(() => live.types).toContain('subscribed');
  });

  it('somebody without a role may not', async () => {
    const one = person('nobody', []);
    const console = await openConsole({ people: [one] });
    const live = await (await visit(console, one)).live();
    expect(await live.closed).toBe(4001);
    expect(live.types).toEqual([]);
  });

  it('nothing that commands is among the messages of the live socket', async () => {
    const console = await openConsole();
    const live = await (await visit(console)).live();
    await expect.poll(() => live.types).toContain('snapshot');
    for (const type of ['override', 'issue', 'release', 'events', 'applied', 'hello']) {
      live.socket.send(JSON.stringify({ type, ...exampleOverride }));
    }
    await live.closed;
    expect(live.types.filter((type) => type !== 'snapshot')).toEqual(Array(5).fill('error'));
    expect(await console.services.overrides.list({})).toEqual([]);
  });
});
