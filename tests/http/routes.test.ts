import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorBody } from '@/lib/protocol/api';
import { routes } from '@/server/http/routes';
import { RecloserError } from '@/server/services/errors';
import { ask, post, startFake } from '@/tests/server/fakes/server';

let server: Awaited<ReturnType<typeof startFake>>;

beforeAll(async () => {
  server = await startFake();
});
beforeEach(() => {
  server.services.thrown = null;
  server.identity.thrown = null;
  server.services.seen.length = 0;
});
afterAll(() => server.close());

const override = {
  breakerId: 'br_1',
  kind: 'force_open',
  reason: 'the database is melting',
  expectedGeneration: 0,
  idempotencyKey: 'key-12345678',
};

const scope = { kind: 'breaker', breakerId: 'br_1' };
const command = {
  scope,
  kind: 'force_open',
  reason: 'the database is melting',
  expectedGenerations: { br_1: 0 },
  idempotencyKey: 'key-12345678',
};

/** One good request for each route. */
const examples: Record<string, { path: string; body?: unknown }> = {
  'get /api/fleet': { path: '/api/fleet' },
  'get /api/services': { path: '/api/services' },
  'get /api/services/{id}': { path: '/api/services/svc_1' },
  'get /api/breakers/{id}': { path: '/api/breakers/br_1' },
  'get /api/breakers/{id}/history': { path: '/api/breakers/br_1/history?limit=5&types=step' },
  'get /api/breakers/{id}/series': { path: '/api/breakers/br_1/series?from=1&to=2' },
  'get /api/breakers/{id}/impact': { path: '/api/breakers/br_1/impact?kind=force_open' },
  'get /api/overrides': { path: '/api/overrides?active=1&breakerId=br_1' },
  'post /api/overrides': { path: '/api/overrides', body: override },
  'get /api/overrides/{id}': { path: '/api/overrides/ovr_1' },
  'post /api/overrides/{id}/release': { path: '/api/overrides/ovr_1/release', body: {} },
  'post /api/overrides/{id}/lease': {
    path: '/api/overrides/ovr_1/lease',
    body: { leaseMs: 60_000 },
  },
  'post /api/breakers/{id}/release': { path: '/api/breakers/br_1/release', body: {} },
  'post /api/commands/preview': {
    path: '/api/commands/preview',
    body: { scope, kind: 'force_open' },
  },
  'get /api/commands': { path: '/api/commands?waiting=1' },
  'post /api/commands': { path: '/api/commands', body: command },
  'get /api/commands/{id}': { path: '/api/commands/cmd_1' },
  'post /api/commands/{id}/approve': {
    path: '/api/commands/cmd_1/approve',
    body: { digest: 'd' },
  },
  'post /api/commands/{id}/deny': {
    path: '/api/commands/cmd_1/deny',
    body: { reason: 'no need' },
  },
  'post /api/commands/{id}/cancel': { path: '/api/commands/cmd_1/cancel', body: {} },
  'post /api/commands/{id}/release': { path: '/api/commands/cmd_1/release', body: {} },
  'post /api/commands/{id}/lease': {
    path: '/api/commands/cmd_1/lease',
    body: { leaseMs: 60_000 },
  },
  'post /api/releases': { path: '/api/releases', body: { commandId: 'cmd_1' } },
  'get /api/releases': { path: '/api/releases?open=1' },
  'get /api/releases/{id}': { path: '/api/releases/rel_1' },
  'post /api/releases/{id}/resume': { path: '/api/releases/rel_1/resume', body: {} },
  'post /api/releases/{id}/cancel': { path: '/api/releases/rel_1/cancel', body: {} },
  'get /api/policies': { path: '/api/policies' },
  'post /api/policies': {
    path: '/api/policies',
    body: { environment: 'prod*', twoPerson: 'L3', stepUp: 'L3' },
  },
  'get /api/reviews': { path: '/api/reviews?open=1' },
  'post /api/reviews/{id}/close': {
    path: '/api/reviews/rev_1/close',
    body: { note: 'looked at the timeline' },
  },
  'get /api/tokens': { path: '/api/tokens' },
  'post /api/tokens': {
    path: '/api/tokens',
    body: { name: 'a', servicePattern: 'checkout*', environment: 'test' },
  },
  'post /api/tokens/{id}/revoke': { path: '/api/tokens/tok_1/revoke', body: {} },
  'get /api/api-tokens': { path: '/api/api-tokens' },
  'post /api/api-tokens': {
    path: '/api/api-tokens',
    body: { name: 'a', grants: [{ role: 'viewer', environment: '*', service: '*' }] },
  },
  'post /api/api-tokens/{id}/revoke': { path: '/api/api-tokens/key_1/revoke', body: {} },
  'get /api/audit': { path: '/api/audit?limit=10&subject=br_1' },
  'get /api/audit/proof': { path: '/api/audit/proof' },
  'get /api/audit/checkpoint': { path: '/api/audit/checkpoint' },
  'get /api/audit/export': { path: '/api/audit/export?format=csv' },
  'get /api/sign-in': { path: '/api/sign-in' },
  'post /api/sign-in': {
    path: '/api/sign-in',
    body: { email: 'ada@example.test', password: 'x' },
  },
  'post /api/sign-in/totp': { path: '/api/sign-in/totp', body: { code: '123456' } },
  'post /api/sign-in/passkey-options': { path: '/api/sign-in/passkey-options', body: {} },
  'post /api/sign-in/passkey': { path: '/api/sign-in/passkey', body: { response: { id: 'a' } } },
  'post /api/sign-in/oidc': { path: '/api/sign-in/oidc', body: { next: '/audit' } },
  'post /api/setup': {
    path: '/api/setup',
    body: { token: 'abc', name: 'ada', email: 'ada@example.test', password: 'x' },
  },
  'post /api/redeem': { path: '/api/redeem', body: { code: 'abc', password: 'x' } },
  'get /api/me': { path: '/api/me' },
  'post /api/sign-out': { path: '/api/sign-out', body: {} },
  'post /api/live-ticket': { path: '/api/live-ticket', body: {} },
  'post /api/step-up/passkey-options': { path: '/api/step-up/passkey-options', body: {} },
  'post /api/step-up': {
    path: '/api/step-up',
    body: { digest: 'abcd', proof: { kind: 'totp', code: '123 456' } },
  },
  'get /api/profile': { path: '/api/profile' },
  'post /api/profile/password': {
    path: '/api/profile/password',
    body: { current: 'x', next: 'y' },
  },
  'post /api/profile/totp/start': { path: '/api/profile/totp/start', body: { password: 'x' } },
  'post /api/profile/totp/confirm': { path: '/api/profile/totp/confirm', body: { code: '123456' } },
  'post /api/profile/totp/remove': { path: '/api/profile/totp/remove', body: {} },
  'post /api/profile/passkeys/start': { path: '/api/profile/passkeys/start', body: {} },
  'post /api/profile/passkeys/confirm': {
    path: '/api/profile/passkeys/confirm',
    body: { response: { id: 'a' }, name: 'laptop' },
  },
  'post /api/profile/passkeys/{id}/remove': {
    path: '/api/profile/passkeys/pk_1/remove',
    body: {},
  },
  'post /api/profile/sessions/{id}/end': { path: '/api/profile/sessions/ses_1/end', body: {} },
  'post /api/profile/sessions/end-others': {
    path: '/api/profile/sessions/end-others',
    body: {},
  },
  'get /api/people': { path: '/api/people' },
  'post /api/people/invite': {
    path: '/api/people/invite',
    body: {
      name: 'kim',
      email: 'kim@example.test',
      grants: [{ role: 'viewer', environment: '*', service: '*' }],
    },
  },
  'post /api/invitations/{id}/revoke': { path: '/api/invitations/code_1/revoke', body: {} },
  'post /api/people/{id}/grants': { path: '/api/people/usr_1/grants', body: { grants: [] } },
  'post /api/people/{id}/disable': { path: '/api/people/usr_1/disable', body: {} },
  'post /api/people/{id}/enable': { path: '/api/people/usr_1/enable', body: {} },
  'post /api/people/{id}/reset-factors': { path: '/api/people/usr_1/reset-factors', body: {} },
  'post /api/people/{id}/sign-out': { path: '/api/people/usr_1/sign-out', body: {} },
};

describe('every route', () => {
  it('has an example here', () => {
    expect(Object.keys(examples).sort()).toEqual(
      routes.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s answers what its schema says',
    async (name, route) => {
      const { path, body } = examples[name] ?? { path: '' };
      const answer =
        body === undefined ? await ask(server.port, path) : await post(server.port, path, body);
      expect(answer.status).toBe(route.status);
      const shown = route.files === undefined ? answer.json() : answer.text;
      expect(route.response.safeParse(shown).error).toBeUndefined();
      const types = route.files ?? ['application/json'];
      expect(types).toContain(String(answer.headers['content-type']).split(';')[0]);
      expect(answer.headers['cache-control']).toBe('no-store');
    },
  );

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '[S-41] %s hides what went wrong inside',
    async (name) => {
      server.services.thrown = new Error('secret /home/ada/detail');
      server.identity.thrown = server.services.thrown;
      const { path, body } = examples[name] ?? { path: '' };
      const answer =
        body === undefined ? await ask(server.port, path) : await post(server.port, path, body);
      expect(answer.status).toBe(500);
      expect(errorBody.parse(answer.json()).error).toMatchObject({
        code: 'internal',
        requestId: answer.headers['x-request-id'],
      });
      expect(answer.text).not.toMatch(/secret|\.ts|at /);
      const line = server.log.lines.find(({ level }) => level === 'error');
      expect(line?.fields).toMatchObject({ requestId: expect.any(String) });
    },
  );
});

describe('a file', () => {
  it('[S-43] has a fixed name and comes as an attachment, whole', async () => {
    const answer = await ask(server.port, '/api/audit/export?format=csv&text=%3Cscript%3E');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="recloser-audit.csv"');
    expect(answer.text).toBe('row,time\r\n1,now\r\n');
    expect(server.services.seen[0]?.args[1]).toEqual({ format: 'csv', text: '<script>' });
  });

  it('[S-21] says when to come back', async () => {
    server.services.thrown = new RecloserError('too_many', 'At most 5 exports a minute.', {
      details: { retryAfterMs: 1_500 },
    });
    const answer = await ask(server.port, '/api/audit/export?format=jsonl');
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('2');
  });
});

describe('input', () => {
  it('reaches the service parsed', async () => {
    await ask(server.port, '/api/breakers/br_1/history?limit=5&from=10&before=x&unknown=1');
    expect(server.services.seen[0]?.args).toEqual(['br_1', { limit: 5, from: 10, before: 'x' }]);
    await ask(server.port, '/api/overrides');
    await ask(server.port, '/api/overrides?active');
    await ask(server.port, '/api/overrides?active=false&breakerId=br_2');
    expect(server.services.seen.slice(1).map(({ args }) => args[0])).toEqual([
      {},
      { active: true },
      { active: false, breakerId: 'br_2' },
    ]);
  });

  it('[S-15] takes who asks from the connection, never from the body or a header', async () => {
    await post(server.port, '/api/tokens/tok_1/revoke', {}, { 'x-forwarded-for': '8.8.8.8' });
    const [caller, id] = server.services.seen[0]?.args ?? [];
    expect(id).toBe('tok_1');
    expect(caller).toMatchObject({ principal: { id: 'usr_ada' }, ip: '127.0.0.1' });
    const named = await post(server.port, '/api/tokens/tok_1/revoke', { actor: 'ada' });
    expect(named.status).toBe(400);
  });

  it.each([
    ['a bad number', '/api/breakers/br_1/history?limit=0', 'query.limit'],
    ['a missing range', '/api/breakers/br_1/series', 'query.from'],
    ['an unknown kind', '/api/breakers/br_1/impact?kind=explode', 'query.kind'],
    ['an endless id', `/api/breakers/${'x'.repeat(65)}`, 'path.id'],
    ['an odd flag', '/api/overrides?active=maybe', 'query.active'],
  ])('is refused with what is wrong with it: %s', async (_name, path, where) => {
    const answer = await ask(server.port, path);
    expect(answer.status).toBe(400);
    const { error } = errorBody.parse(answer.json());
    expect(error.code).toBe('invalid_input');
    expect(error.message).toContain(where);
    expect(server.services.seen).toEqual([]);
  });

  it.each([
    ['a key that is not known', { ...override, admin: true }],
    ['a prototype key', `{"__proto__":{"a":1},${JSON.stringify(override).slice(1)}`],
    ['a constructor key', `{"constructor":{"a":1},${JSON.stringify(override).slice(1)}`],
    ['deep nesting', `{"reason":${'['.repeat(60)}${']'.repeat(60)}}`],
    ['no JSON', '{"reason":'],
    ['a number out of JSON', JSON.stringify(override).replace(':0', ':1e400')],
    ['a short reason', { ...override, reason: 'because' }],
    ['an invisible name', { ...override, reason: 'because of a\u202Eda there' }],
  ])('[S-22] is refused in a command: %s', async (_name, body) => {
    const answer = await post(server.port, '/api/overrides', body);
    expect(answer.status).toBe(400);
    expect(errorBody.parse(answer.json()).error.code).toBe('invalid_input');
    expect(server.services.seen).toEqual([]);
  });

  it('[S-22] is refused when it is not UTF-8', async () => {
    const answer = await post(server.port, '/api/overrides', Buffer.from([0x7b, 0xff, 0x7d]));
    expect(answer.status).toBe(400);
  });

  it('[S-20] is refused past 64 KiB, announced or not', async () => {
    const body = JSON.stringify({ ...override, reason: 'x'.repeat(70_000) });
    const announced = await post(server.port, '/api/overrides', body);
    expect(announced.status).toBe(413);
    const chunked = await post(server.port, '/api/overrides', body, {
      'transfer-encoding': 'chunked',
    });
    expect(chunked.status).toBe(413);
    expect(errorBody.parse(chunked.json()).error.code).toBe('too_large');
  });
});

describe('refusals of the services', () => {
  it('keep their code, status and details', async () => {
    server.services.thrown = new RecloserError('conflict', 'somebody was faster', {
      details: { generation: 4 },
    });
    const answer = await post(server.port, '/api/overrides', override);
    expect(answer.status).toBe(409);
    expect(answer.json()).toEqual({
      error: {
        code: 'conflict',
        message: 'somebody was faster',
        requestId: answer.headers['x-request-id'],
        details: { generation: 4 },
      },
    });
  });
});

describe('paths and methods', () => {
  it.each(['/api', '/api/', '/api/nothing', '/api/breakers', '/api/fleet/', '/api/%66leet/x'])(
    'that are not there answer 404 with a body: %s',
    async (path) => {
      const answer = await ask(server.port, path);
      expect(answer.status).toBe(404);
      expect(errorBody.parse(answer.json()).error.code).toBe('not_found');
    },
  );

  it.each([
    ['POST', '/api/fleet', 'GET, HEAD'],
    ['PUT', '/api/overrides', 'GET, POST, HEAD'],
    ['DELETE', '/api/tokens/tok_1/revoke', 'POST'],
    ['PATCH', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/api/overrides', 'GET, POST, HEAD'],
  ])('%s %s answers 405 and what is allowed', async (method, path, allow) => {
    const answer = await ask(server.port, path, {
      method,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('HEAD answers like GET without a body', async () => {
    const answer = await ask(server.port, '/api/services', { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
  });
});
