import dns from 'node:dns';
import { getEventListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BreakerOpenError, guardFetch } from '@/lib/agent';
import type { GuardFetchOptions } from '@/lib/agent';
import { D } from '@/tests/breaker/support';
import { flakyServer } from './support/flaky-server';
import { setup, until } from './support/guarded-fetch';

type Server = Awaited<ReturnType<typeof flakyServer>>;
let server: Server;
/** Answers that a test holds back. */
let held: ServerResponse[] = [];

beforeAll(async () => {
  server = await flakyServer({
    '/ok': (_, response) => void response.end('fine'),
    '/empty': (_, response) => void response.writeHead(204).end(),
    '/busy': (_, response) => void response.writeHead(429, { 'retry-after': '7' }).end('later'),
    '/busy-until': (_, response) =>
      void response
        .writeHead(503, {
          date: 'Tue, 01 Sep 2026 10:00:00 GMT',
          'retry-after': 'Tue, 01 Sep 2026 10:02:00 GMT',
        })
        .end(),
    '/down': (_, response) => void response.writeHead(503).end('down'),
    '/broken': (_, response) => void response.writeHead(500).end('broken'),
    '/moved': (_, response) => void response.writeHead(302, { location: '/ok' }).end(),
    '/hold': (_, response) => void held.push(response),
    '/body': (_, response) => {
      response.writeHead(200, { 'content-length': '8' });
      response.write('half');
      held.push(response);
    },
    '/reset-headers': (request) => {
      request.socket.write('HTTP/1.1 200 OK\r\ncontent-le');
      request.socket.destroy();
    },
    '/reset-body': (request, response) => {
      response.writeHead(200, { 'content-length': '8' });
      response.write('half', () => request.socket.destroy());
    },
  });
});

afterAll(() => server.close());

beforeEach(() => {
  held = [];
});

const classify: GuardFetchOptions['classify'] = ({ status }) => {
  if (status === 404) return 'server_error';
  if (status === 500) return 'success';
  if (status === 204) throw new Error('a mistake in the filter');
  return status === 429 ? 'ignored' : undefined;
};

describe('answers', () => {
  it.each([
    ['/ok', 200, 'success'],
    ['/empty', 204, 'success'],
    ['/moved', 200, 'success'],
    ['/nowhere', 404, 'client_error'],
    ['/busy', 429, 'overload'],
    ['/busy-until', 503, 'overload'],
    ['/down', 503, 'server_error'],
    ['/broken', 500, 'server_error'],
  ])('%s: %i is booked as %s, once, in both ways to settle', async (path, status, outcome) => {
    for (const settleAt of ['headers', 'body'] as const) {
      const { call, outcomes, circuit } = setup({ settleAt });
      const response = await call(server.url(path));
      expect(response.status).toBe(status);
      await response.text();
      await until(() => outcomes().length > 0);
      expect(outcomes()).toEqual([outcome]);
      expect(circuit.status().inFlight).toBe(0);
    }
  });

  it.each([
    ['seconds', '/busy', 7_000],
    ['a date, read against the date of the answer', '/busy-until', 120_000],
  ])('a Retry-After in %s holds the breaker open that long', async (_, path, waitMs) => {
    const { call, circuit } = setup({}, { ...D, open: { kind: 'fixed', baseMs: 10, jitter: 0 } });
    for (let i = 0; i < 4; i++) await call(server.url(path));
    expect(circuit.status().openTimeoutMs).toBe(waitMs);
  });

  it('the latency is the time until the headers, or until the end of the body', async () => {
    for (const [settleAt, latencyMs] of [
      ['headers', 250],
      ['body', 650],
    ] as const) {
      held = [];
      const { call, clock, settled } = setup({ settleAt });
      const arrived = server.arrival();
      const answer = call(server.url('/hold'));
      await arrived;
      clock.advance(250);
      held[0]?.writeHead(200, { 'content-length': '4' }).flushHeaders();
      const response = await answer;
      clock.advance(400);
      const text = response.text();
      held[0]?.end('done');
      expect(await text).toBe('done');
      await until(() => settled.length > 0);
      expect(settled).toMatchObject([{ outcome: 'success', latencyMs }]);
    }
  });

  it('a slow answer counts as slow', async () => {
    const { call, clock, settled } = setup({}, { ...D, slowMs: 200 });
    const arrived = server.arrival();
    const answer = call(server.url('/hold'));
    await arrived;
    clock.advance(200);
    held[0]?.end('late');
    await answer;
    expect(settled).toMatchObject([{ outcome: 'success', slow: true, latencyMs: 200 }]);
  });

  it('what the service knows better comes first; a filter that throws is left out', async () => {
    const { call, outcomes } = setup({ classify });
    for (const path of ['/nowhere', '/broken', '/empty', '/busy', '/ok']) {
      await call(server.url(path));
    }
    expect(outcomes()).toEqual(['server_error', 'success', 'success', 'ignored', 'success']);
  });
});

describe('calls that fail', () => {
  it('hang: given up at the deadline, aborted and booked as a timeout', async () => {
    const { call, clock, outcomes } = setup({ timeoutMs: 5_000 });
    const arrived = server.arrival();
    const answer = call(server.url('/hold'));
    await arrived;
    clock.advance(5_000);
    await expect(answer).rejects.toMatchObject({ code: 'CALL_TIMEOUT', timeoutMs: 5_000 });
    await until(() => held[0]?.destroyed === true);
    expect(outcomes()).toEqual(['timeout']);
  });

  it('the deadline of one call comes before that of all', async () => {
    const { call, clock } = setup({ timeoutMs: 5_000 });
    const arrived = server.arrival();
    const answer = call(server.url('/hold'), {}, { timeoutMs: 100 });
    await arrived;
    clock.advance(100);
    await expect(answer).rejects.toMatchObject({ timeoutMs: 100 });
  });

  it('reset within the headers: refused', async () => {
    const { call, outcomes } = setup();
    await expect(call(server.url('/reset-headers'))).rejects.toThrow('fetch failed');
    expect(outcomes()).toEqual(['refused']);
  });

  it('no listener: refused', async () => {
    const { call, outcomes } = setup();
    const gone = await flakyServer({});
    await gone.close();
    await expect(call(gone.url('/ok'))).rejects.toThrow('fetch failed');
    expect(outcomes()).toEqual(['refused']);
  });

  it('no such name: refused', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
      (args.at(-1) as (error: Error) => void)(unknown);
    });
    try {
      const { call, outcomes } = setup();
      await expect(call('http://stock.invalid/')).rejects.toThrow('fetch failed');
      expect(lookup).toHaveBeenCalled();
      expect(outcomes()).toEqual(['refused']);
    } finally {
      lookup.mockRestore();
    }
  });

  it.each([
    ['an address that is none', 'not an address', {}],
    ['a header that is none', '/ok', { headers: { 'bad name': 'x' } }],
    ['a GET with a body', '/ok', { body: 'x' }],
  ])('%s is the caller’s mistake and says nothing about the target', async (_, path, init) => {
    const { call, outcomes } = setup();
    const url = path.startsWith('/') ? server.url(path) : path;
    await expect(call(url, init)).rejects.toThrow(TypeError);
    expect(outcomes()).toEqual(['ignored']);
  });
});

describe('bodies that fail after the headers', () => {
  it('reset, settled at the headers: booked as the success that it was, the caller sees it', async () => {
    const { call, outcomes } = setup();
    const response = await call(server.url('/reset-body'));
    await expect(response.text()).rejects.toThrow('terminated');
    expect(outcomes()).toEqual(['success']);
  });

  it('reset, settled at the body: a server error', async () => {
    const { call, outcomes } = setup({ settleAt: 'body' });
    const response = await call(server.url('/reset-body'));
    await expect(response.text()).rejects.toThrow('terminated');
    expect(outcomes()).toEqual(['server_error']);
  });

  it('stalled while the caller reads, settled at the body: a timeout, and the read ends', async () => {
    const { call, clock, outcomes } = setup({ settleAt: 'body' });
    const response = await call(server.url('/body'));
    const text = response.text();
    text.catch(() => undefined);
    await until(() => held.length > 0);
    clock.advance(30_000);
    await expect(text).rejects.toMatchObject({ code: 'CALL_TIMEOUT' });
    expect(outcomes()).toEqual(['timeout']);
  });

  it('stalled, settled at the headers: the deadline was met, the caller’s signal still ends it', async () => {
    const { call, clock, outcomes } = setup();
    const caller = new AbortController();
    const response = await call(server.url('/body'), { signal: caller.signal });
    clock.advance(60_000);
    const text = response.text();
    caller.abort(new Error('enough'));
    await expect(text).rejects.toThrow('enough');
    expect(outcomes()).toEqual(['success']);
  });
});

describe('a body that nobody reads leaks no permit', () => {
  it('settled at the headers', async () => {
    const { call, circuit, outcomes } = setup();
    await call(server.url('/body'));
    expect(outcomes()).toEqual(['success']);
    expect(circuit.status().inFlight).toBe(0);
  });

  it.each([
    ['not at all', 0],
    ['in part', 1],
  ])(
    'settled at the body, read %s: a success after a second, later trouble does not count',
    async (_, parts) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        const { call, circuit, clock, outcomes, settled } = setup({ settleAt: 'body' });
        const answer = call(server.url('/body'));
        await until(() => held.length > 0);
        const reader = (await answer).body?.getReader();
        for (let i = 0; i < parts; i++) await reader?.read();
        clock.advance(20_000);
        vi.advanceTimersByTime(999);
        await until(() => true);
        expect(outcomes()).toEqual([]);
        vi.advanceTimersByTime(1);
        await until(() => outcomes().length > 0);
        expect(outcomes()).toEqual(['success']);
        // Until the last part came, not until the breaker's clock of now.
        expect(settled[0]?.latencyMs).toBeLessThan(20_000);
        expect(circuit.status().inFlight).toBe(0);
        held[0]?.destroy();
        await expect(
          (async () => {
            for (;;) if ((await reader?.read())?.done !== false) return;
          })(),
        ).rejects.toThrow('terminated');
        expect(outcomes()).toEqual(['success']);
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it('while somebody waits for a part it is not unread, however long that takes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { call, outcomes } = setup({ settleAt: 'body' });
      const answer = call(server.url('/body'));
      await until(() => held.length > 0);
      const text = (await answer).text();
      await until(() => true);
      vi.advanceTimersByTime(20_000);
      await until(() => true);
      expect(outcomes()).toEqual([]);
      held[0]?.end('done');
      expect(await text).toBe('halfdone');
      expect(outcomes()).toEqual(['success']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('settled at the body and cancelled by the reader: a success', async () => {
    const { call, outcomes } = setup({ settleAt: 'body' });
    const response = await call(server.url('/body'));
    await response.body?.cancel();
    await until(() => outcomes().length > 0);
    expect(outcomes()).toEqual(['success']);
    await until(() => held[0]?.destroyed === true);
  });
});

describe('the caller’s signal', () => {
  it('aborted before the call: no request and no permit', async () => {
    const { call, circuit } = setup();
    const before = server.seen.length;
    const signal = AbortSignal.abort(new Error('not wanted'));
    await expect(call(server.url('/ok'), { signal })).rejects.toThrow('not wanted');
    expect(circuit.status().counters.admitted).toBe(0);
    expect(server.seen.length).toBe(before);
  });

  it('aborted before the headers: the request ends and counts for nothing', async () => {
    const { call, outcomes, circuit } = setup();
    const caller = new AbortController();
    const arrived = server.arrival();
    const answer = call(new Request(server.url('/hold'), { signal: caller.signal }));
    await arrived;
    caller.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await until(() => held[0]?.destroyed === true);
    expect(outcomes()).toEqual(['cancelled']);
    expect(circuit.status().inFlight).toBe(0);
  });

  it('aborted after the headers, settled at the body: cancelled', async () => {
    const { call, outcomes } = setup({ settleAt: 'body' });
    const caller = new AbortController();
    const response = await call(server.url('/body'), { signal: caller.signal });
    const text = response.text();
    caller.abort(new Error('gone'));
    await expect(text).rejects.toThrow('gone');
    expect(outcomes()).toEqual(['cancelled']);
  });

  it('[case 86] a long-lived one keeps no listener of a call that is over', async () => {
    const { signal } = new AbortController();
    const count = () => getEventListeners(signal, 'abort').length;
    const body = setup({ settleAt: 'body' });
    for (const path of ['/ok', '/empty', '/reset-body']) {
      const response = await body.call(server.url(path), { signal });
      await response.text().catch(() => undefined);
    }
    await body.call('not an address', { signal }).catch(() => undefined);
    expect(count()).toBe(0);
  });

  it(
    '[case 86] settled at the headers, the listener goes with the answer',
    { timeout: 30_000 },
    async () => {
      const { signal } = new AbortController();
      const count = () => getEventListeners(signal, 'abort').length;
      const { call } = setup();
      for (let i = 0; i < 30; i++) {
        const response = await call(server.url('/ok'), { signal });
        if (i % 2 === 0) await response.text();
      }
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      // The last answer may still be within reach.
      for (let i = 0; i < 30 && count() > 1; i++) {
        collect();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(count()).toBeLessThanOrEqual(1);
    },
  );
});

describe('refused calls', () => {
  it('throw a BreakerOpenError without a request', async () => {
    const { call, trip } = setup();
    trip();
    const before = server.seen.length;
    const error: unknown = await call(server.url('/ok')).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(BreakerOpenError);
    expect(error).toMatchObject({ reason: 'open', retryAfterMs: 10_000 });
    expect(server.seen.length).toBe(before);
  });

  it('are answered with a 503 on request, which an outer breaker does not count', async () => {
    const inner = setup({ onRejected: 'respond' });
    inner.trip();
    inner.clock.advance(500);
    const response = await inner.call(server.url('/ok'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await response.text()).toContain('"stock" rejected the call: open');

    const outer = setup();
    await guardFetch(outer.breaker, (input, init) => inner.call(input, init))(server.url('/ok'));
    expect(outer.outcomes()).toEqual(['rejected_local']);
  });

  it('a refusal from within the fetch is thrown, not answered', async () => {
    const inner = setup();
    inner.trip();
    const outer = setup();
    const call = guardFetch(outer.breaker, inner.call, { onRejected: 'respond' });
    await expect(call(server.url('/ok'))).rejects.toBeInstanceOf(BreakerOpenError);
    expect(outer.outcomes()).toEqual(['rejected_local']);
  });
});
