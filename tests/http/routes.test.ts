import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorBody } from '@/lib/protocol/api';
import { routes } from '@/server/http/routes';
import { RecloserError } from '@/server/services/errors';
import { ask, post, startFake } from '@/tests/server/fakes/server';
import { examples, exampleOverride as override } from './examples';

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

/** Those that ask no service: nothing in them can go wrong. */
const SELF_CONTAINED = new Set(['/api/screen/leave']);
const asking = routes.filter(({ path }) => !SELF_CONTAINED.has(path));

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

  it.each(asking.map((route) => [`${route.method} ${route.path}`, route] as const))(
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
