import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageCsp } from '@/server/http/headers';
import { ask, startFake } from '@/tests/server/fakes/server';

let server: Awaited<ReturnType<typeof startFake>>;
const seen: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
let fails = false;

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  seen.push({ url: request.url, headers: { ...request.headers } });
  if (fails) throw new Error('secret detail');
  response.end('<p>page</p>');
}

beforeAll(async () => {
  server = await startFake({
    startPages: () => ({ handle, upgrades: new Server(), close: async () => {} }),
  });
});
beforeEach(() => {
  seen.length = 0;
  fails = false;
});
afterAll(() => server.close());

const nonceOf = (csp: unknown) => /'nonce-([^']+)'/.exec(String(csp))?.[1];

describe('pages', () => {
  it('[S-38] get a new nonce each time, in the answer and for Next to use', async () => {
    const answers = [await ask(server.port, '/'), await ask(server.port, '/services?x=1')];
    const nonces = answers.map(({ headers }) => nonceOf(headers['content-security-policy']));
    expect(new Set(nonces).size).toBe(2);
    expect(nonces[0]).toMatch(/^[\w+/]{22}==$/);
    expect(seen.map(({ headers }) => headers['x-nonce'])).toEqual(nonces);
    expect(seen.map(({ headers }) => nonceOf(headers['content-security-policy']))).toEqual(nonces);
    expect(seen[1]?.url).toBe('/services?x=1');
  });

  it('[S-38] let no script run that is not ours', () => {
    const csp = pageCsp('abc', 'localhost:4600', false);
    const scripts = csp.split('; ').find((part) => part.startsWith('script-src'));
    expect(scripts).toBe("script-src 'self' 'nonce-abc' 'strict-dynamic'");
    for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(csp).toContain(part);
    }
  });

  it('[S-15] never hear of a header that claims to come from a proxy or from Next itself', async () => {
    await ask(server.port, '/', {
      headers: {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-for': '10.0.0.1',
        forwarded: 'host=evil.example',
        'x-middleware-subrequest': 'proxy:proxy:proxy',
        'x-invoke-path': '/admin',
        'x-matched-path': '/admin',
        'next-action': 'a'.repeat(40),
        'x-nonce': 'mine',
        'content-security-policy': "script-src 'nonce-mine'",
        'accept-language': 'en',
      },
    });
    const names = Object.keys(seen[0]?.headers ?? {});
    expect(names.sort()).toEqual([
      'accept-language',
      'connection',
      'content-security-policy',
      'host',
      'x-nonce',
    ]);
    expect(seen[0]?.headers['x-nonce']).not.toBe('mine');
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    '[S-07] take nothing but reads: %s',
    async (method) => {
      const answer = await ask(server.port, '/', { method, headers: { 'next-action': 'x' } });
      expect(answer.status).toBe(405);
      expect(seen).toEqual([]);
    },
  );

  it('[S-06] never see what belongs to the API or has an odd Host', async () => {
    await ask(server.port, '/api/nothing');
    await ask(server.port, '/healthz');
    await ask(server.port, '/', { headers: { host: 'evil.example' } });
    expect(seen).toEqual([]);
  });

  it.each(['/breakers/%zz', '/services/%E0%A4%A'])(
    '[S-41] never see a path that cannot be decoded: %s',
    async (path) => {
      const answer = await ask(server.port, path);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('percent escape');
      expect(seen).toEqual([]);
    },
  );

  it('[S-41] that fail say so without a detail', async () => {
    fails = true;
    const answer = await ask(server.port, '/');
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('secret');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });
});
