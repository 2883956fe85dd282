import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorBody } from '@/lib/protocol/api';
import { ask, post, speak, startFake } from '@/tests/server/fakes/server';

let server: Awaited<ReturnType<typeof startFake>>;
let own: string;

beforeAll(async () => {
  server = await startFake({}, { RECLOSER_ALLOWED_HOSTS: 'console.example, box.local:8080' });
  own = `http://127.0.0.1:${server.port}`;
});
beforeEach(() => void (server.services.seen.length = 0));
afterAll(() => server.close());

const release = (headers: Record<string, string>) =>
  post(server.port, '/api/overrides/ovr_1/release', {}, headers);

describe('Host', () => {
  it.each(['localhost:PORT', '127.0.0.1:PORT', '[::1]:PORT', 'LOCALHOST:PORT'])(
    '[S-04] takes loopback names with the port: %s',
    async (host) => {
      const headers = { host: host.replace('PORT', String(server.port)) };
      expect((await ask(server.port, '/api/fleet', { headers })).status).toBe(200);
    },
  );

  it.each(['console.example', 'box.local:8080'])(
    '[S-04] takes what is configured: %s',
    async (host) => {
      expect((await ask(server.port, '/livez', { headers: { host } })).status).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'evil.example:PORT',
    'localhost',
    'localhost:1',
    'localhost.:PORT',
    'localhost:PORT.evil.example',
    '127.0.0.1.evil.example:PORT',
    'evil-console.example',
    'console.example:8080',
    'console.example.evil.example',
    '2130706433:PORT',
    '0.0.0.0:PORT',
  ])('[S-04] refuses a name that was rebound to us: %s', async (name) => {
    const headers = { host: name.replace('PORT', String(server.port)) };
    for (const path of ['/api/fleet', '/healthz', '/livez', '/', '/_next/static/x.js']) {
      const answer = await ask(server.port, path, { headers });
      expect(answer.status).toBe(403);
      expect(errorBody.parse(answer.json()).error.code).toBe('not_allowed');
    }
    expect(server.services.seen).toEqual([]);
  });

  it.each(['Host:\r\n', ''])('[S-04] refuses an empty or a missing one', async (line) => {
    const text = `GET /api/fleet HTTP/1.1\r\n${line}Connection: close\r\n\r\n`;
    expect(await speak(server.port, text)).toMatch(/^HTTP\/1.1 40[03]/);
  });

  it('[S-04] refuses two of them', async () => {
    const text = `GET /api/fleet HTTP/1.1\r\nHost: ${server.host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    expect(await speak(server.port, text)).toMatch(/^HTTP\/1.1 40[03]/);
  });

  it('[S-15] does not believe a forwarded one', async () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': server.host,
      forwarded: `host=${server.host}`,
      'x-original-host': server.host,
    };
    expect((await ask(server.port, '/api/fleet', { headers })).status).toBe(403);
  });
});

describe('the request target', () => {
  it.each([
    'http://evil.example/api/fleet',
    'http://127.0.0.1/api/fleet',
    '//evil.example/api/fleet',
    '/\\evil.example',
    '*',
  ])('[S-06] must be a path: %s', async (target) => {
    const text = `GET ${target} HTTP/1.1\r\nHost: ${server.host}\r\nConnection: close\r\n\r\n`;
    expect(await speak(server.port, text)).toMatch(/^HTTP\/1.1 400/);
  });
});

describe('changes', () => {
  it('[S-19] go through for our own origin and for a script without one', async () => {
    expect((await release({ origin: own, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    expect((await release({ origin: 'https://console.example' })).status).toBe(200);
    expect((await release({})).status).toBe(200);
  });

  it.each([
    ['null', 'null'],
    ['empty', ''],
    ['another site', 'https://evil.example'],
    ['a suffix', 'http://127.0.0.1:PORT.evil.example'],
    ['a prefix', 'http://evil-127.0.0.1:PORT'],
    ['another port', 'http://127.0.0.1:1'],
    ['no port', 'http://127.0.0.1'],
    ['another scheme', 'https://127.0.0.1:PORT'],
    ['a path', 'http://127.0.0.1:PORT/'],
    ['two', 'http://127.0.0.1:PORT http://evil.example'],
  ])('[S-19] are refused for an Origin that is %s', async (_name, text) => {
    const answer = await release({ origin: text.replace('PORT', String(server.port)) });
    expect(answer.status).toBe(403);
    expect(server.services.seen).toEqual([]);
  });

  it.each(['cross-site', 'same-site', 'anything'])(
    '[S-19] are refused when the browser says that they are %s, reads too',
    async (site) => {
      expect((await release({ origin: own, 'sec-fetch-site': site })).status).toBe(403);
      const read = await ask(server.port, '/api/fleet', { headers: { 'sec-fetch-site': site } });
      expect(read.status).toBe(403);
      expect(server.services.seen).toEqual([]);
    },
  );

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; application/json',
    'application/jsonp',
    'application/json; charset=utf-16',
    '',
  ])('[S-19] are refused as %s, which a form can send', async (type) => {
    const answer = await release({ 'content-type': type });
    expect(answer.status).toBe(415);
    expect(errorBody.parse(answer.json()).error.code).toBe('unsupported_media_type');
    expect(server.services.seen).toEqual([]);
  });

  it('[S-19] never come in through a read', async () => {
    for (const headers of [
      { 'x-http-method-override': 'POST' },
      { 'x-http-method': 'POST' },
      { 'x-method-override': 'POST' },
    ]) {
      const answer = await ask(server.port, '/api/overrides/ovr_1/release?_method=POST', {
        headers,
      });
      expect(answer.status).toBe(405);
    }
    expect(server.services.seen).toEqual([]);
  });

  it.each(['OPTIONS', 'PUT', 'DELETE', 'PATCH'])(
    'an own %s without a body is told which methods the path takes',
    async (method) => {
      const answer = await ask(server.port, '/api/fleet', { method });
      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('GET, HEAD');
    },
  );

  it('[S-19] no answer lets another origin read it', async () => {
    const preflight = await ask(server.port, '/api/overrides', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(403);
    for (const answer of [preflight, await ask(server.port, '/api/fleet')]) {
      const names = Object.keys(answer.headers);
      expect(names.filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('headers', () => {
  it.each([
    ['an answer', '/api/fleet', {}],
    ['a 404', '/api/nothing', {}],
    ['a 405', '/api/tokens/x/revoke', {}],
    ['health', '/healthz', {}],
    ['a refused host', '/', { host: 'evil.example' }],
    ['pages that are off', '/', {}],
    ['the document', '/api/openapi.json', {}],
  ])('[S-38] are on %s', async (_name, path, headers) => {
    const answer = await ask(server.port, path, { headers });
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    });
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(answer.headers.server).toBeUndefined();
  });

  it('[S-20] end at 16 KiB', async () => {
    const text = `GET /livez HTTP/1.1\r\nHost: ${server.host}\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`;
    expect(await speak(server.port, text)).toMatch(/^HTTP\/1.1 431/);
  });

  it('unreadable requests get a short answer and the end', async () => {
    expect(await speak(server.port, 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1.1 400/);
    expect((await ask(server.port, '/livez')).status).toBe(200);
  });
});
