import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  currentProbe,
  guardFetch,
  ProbeSigner,
  ProbeVerifier,
  RecloserConfigError,
} from '@/lib/agent';
import type { GuardFetchOptions } from '@/lib/agent';
import { D } from '@/tests/breaker/support';
import { flakyServer } from './support/flaky-server';
import { setup, until } from './support/guarded-fetch';

let server: Awaited<ReturnType<typeof flakyServer>>;

beforeAll(async () => {
  server = await flakyServer({
    '/ok': (_, response) => void response.end('fine'),
    '/moved': (_, response) => void response.writeHead(302, { location: '/ok' }).end(),
    '/hold': () => undefined,
  });
});

afterAll(() => server.close());

const rule: GuardFetchOptions['idempotent'] = ({ method, url }) =>
  method === 'POST' && url.endsWith('/ok');

describe('what may be repeated', () => {
  it.each([
    ['GET', true],
    ['HEAD', true],
    ['OPTIONS', true],
    ['PUT', true],
    ['DELETE', true],
    ['POST', false],
    ['PATCH', false],
    ['post', false],
  ])('%s: %s', async (method, idempotent) => {
    const { call, settled } = setup();
    await call(server.url('/ok'), { method });
    await call(new Request(server.url('/ok'), { method }));
    expect(settled.map((settlement) => settlement.idempotent)).toEqual([idempotent, idempotent]);
  });

  it('the service may know better: for all, by request, for one call', async () => {
    for (const [options, call, expected] of [
      [{ idempotent: true }, {}, true],
      [{ idempotent: rule }, {}, true],
      [{ idempotent: rule }, { idempotent: false }, false],
    ] as const) {
      const guarded = setup(options);
      await guarded.call(server.url('/ok'), { method: 'POST' }, call);
      expect(guarded.settled).toMatchObject([{ idempotent: expected }]);
    }
  });
});

describe('probes', () => {
  const key = { id: 'k1', secret: Buffer.alloc(32, 7) };

  it('[S-35] carry the signed header, which the callee verifies; other calls do not', async () => {
    const verifier = new ProbeVerifier({ hosts: [server.host], callers: { checkout: [key] } });
    const { call, halfOpen } = setup({ signer: new ProbeSigner({ key }) });
    const last = () => verifier.verify(server.seen.at(-1) ?? { headers: {} });
    await call(server.url('/ok'));
    expect(last().reason).toBe('missing');
    halfOpen();
    const init = { method: 'post', headers: { 'x-own': 'kept', 'x-probe-request': 'forged' } };
    await call(server.url('/ok?a=%20b#part'), init);
    expect(last()).toEqual({ probe: true, breaker: 'stock', reason: 'valid' });
    expect(server.seen.at(-1)?.headers['x-own']).toBe('kept');
    await call(new Request(server.url('/ok'), { headers: { 'x-own': 'kept' } }));
    expect(last().reason).toBe('missing');
  });

  it('[W46] a mark that came in with the headers goes no further', async () => {
    const { call } = setup();
    const headers = { 'X-Probe-Request': 'v1.from-before', 'x-own': 'kept' };
    await call(server.url('/ok'), { headers });
    await call(new Request(server.url('/ok'), { headers }));
    for (const request of server.seen.slice(-2)) {
      expect(request.headers['x-probe-request']).toBeUndefined();
      expect(request.headers['x-own']).toBe('kept');
    }
  });

  it('are known to the fetch below as the context of the call', async () => {
    const { breaker, halfOpen } = setup();
    const call = guardFetch(breaker, async () => Response.json(currentProbe() ?? 'no probe'));
    expect(await (await call('http://x/')).json()).toBe('no probe');
    halfOpen();
    expect(await (await call('http://x/')).json()).toMatchObject({ breaker: 'stock', step: 0 });
  });

  it('have the shorter deadline of a probe', async () => {
    const { call, clock, halfOpen, outcomes } = setup({}, { ...D, probeTimeoutFraction: 0.1 });
    halfOpen();
    const arrived = server.arrival();
    const answer = call(server.url('/hold'));
    await arrived;
    clock.advance(3_000);
    await expect(answer).rejects.toMatchObject({ timeoutMs: 3_000 });
    expect(outcomes()).toEqual(['timeout']);
  });
});

describe('the watched answer', () => {
  it('is like the one it stands for', async () => {
    const { call } = setup({ settleAt: 'body' });
    const response = await call(server.url('/moved'));
    expect(response).toBeInstanceOf(Response);
    expect([response.url, response.redirected, response.ok]).toEqual([
      server.url('/ok'),
      true,
      true,
    ]);
    const [one, two] = [response.clone(), response];
    expect(await Promise.all([one.text(), two.text()])).toEqual(['fine', 'fine']);
  });

  it('can be read into the caller’s own memory', async () => {
    const { call, outcomes } = setup({ settleAt: 'body' });
    const response = await call(server.url('/ok'));
    const reader = response.body?.getReader({ mode: 'byob' });
    const first = await reader?.read(new Uint8Array(16));
    expect(Buffer.from(first?.value ?? []).toString()).toBe('fine');
    expect((await reader?.read(new Uint8Array(16)))?.done).toBe(true);
    await until(() => outcomes().length > 0);
    expect(outcomes()).toEqual(['success']);
  });
});

it.each([
  ['settleAt', { settleAt: 'trailers' }],
  ['onRejected', { onRejected: 'fallback' }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['retries', { retries: 3 }],
])('a bad %s is refused when the fetch is made', (option, options) => {
  const make = () => setup(options as GuardFetchOptions);
  expect(make).toThrow(RecloserConfigError);
  expect(make).toThrow(`"${option}"`);
});
