import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  BreakerOpenError,
  CallTimeoutError,
  classifyError,
  isBreakerOpenError,
} from '@/lib/breaker';
import { bench, D } from './support';

const boom = () => Promise.reject(new Error('boom'));

const fallback = () => 'other';
const notFound = () => Promise.reject(Object.assign(new Error('404'), { status: 404 }));
const coded = (code: string) => Object.assign(new Error(code), { code });

function hang(): Promise<never> {
  return new Promise(() => undefined);
}

describe('run', () => {
  it('[B90] settles on success, failure and a synchronous throw [W34]', async () => {
    const b = bench();
    expect(await b.breaker.run(() => 1)).toBe(1);
    expect(await b.breaker.run(async () => 2)).toBe(2);
    await expect(b.breaker.run(boom)).rejects.toThrow('boom');
    await expect(
      b.breaker.run(() => {
        throw new Error('sync');
      }),
    ).rejects.toThrow('sync');
    expect(b.status()).toMatchObject({
      inFlight: 0,
      counters: { settled: { success: 2, server_error: 2 } },
    });
  });

  it('[B96] rejects with a typed error without a stack', async () => {
    const b = bench();
    b.trip();
    const error: unknown = await b.breaker.run(() => 1).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(BreakerOpenError);
    expect(isBreakerOpenError(error)).toBe(true);
    expect(isBreakerOpenError({ isBreakerOpenError: true })).toBe(true);
    expect(error).toMatchObject({
      breaker: 'inventory',
      state: 'open',
      reason: 'open',
      retryAfterMs: 10_000,
    });
    expect(String(Reflect.get(Object(error), 'stack'))).not.toContain('    at ');
    expect(new Error('the limit is put back').stack).toContain('    at ');
  });

  it('carries a stack when asked', async () => {
    const b = bench({ ...D, errorStacks: true });
    b.trip();
    const error: unknown = await b.breaker.run(() => 1).catch((e: unknown) => e);
    expect(String(Reflect.get(Object(error), 'stack'))).toContain('    at ');
  });

  it('[B95] the fallback answers refusals and failures, not what the caller gave up', async () => {
    const b = bench();
    expect(await b.breaker.run(boom, { fallback })).toBe('other');
    await expect(b.breaker.run(notFound, { fallback })).rejects.toThrow('404');
    const controller = new AbortController();
    const given = b.breaker.run(hang, { fallback, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    b.breaker.reset();
    b.trip();
    expect(await b.breaker.run(boom, { fallback })).toBe('other');
  });

  it('[case 89] a timeout aborts its own signal and no other', async () => {
    const b = bench();
    let first: AbortSignal | undefined;
    const slow = b.breaker.run(
      ({ signal }) => {
        first = signal;
        return hang();
      },
      { timeoutMs: 500 },
    );
    b.adv(500);
    await expect(slow).rejects.toBeInstanceOf(CallTimeoutError);
    expect(first?.aborted).toBe(true);
    expect(await b.breaker.run(({ signal }) => signal.aborted)).toBe(false);
    expect(b.status().counters.settled.timeout).toBe(1);
  });

  it('[B92] without a timeout of its own the permit’s life is the limit', async () => {
    const b = bench();
    const calls = [b.breaker.run(hang), b.breaker.run(hang)];
    b.adv(29_999);
    expect(b.status().inFlight).toBe(2);
    b.adv(1);
    for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(b.status().counters).toMatchObject({ expired: 2 });
  });

  it('[B97] [case 87] timers go with their calls', async () => {
    const b = bench({ ...D, callTimeoutMs: 1_000 });
    await Promise.all(Array.from({ length: 100 }, () => b.breaker.run(async () => 1)));
    await Promise.all(
      Array.from({ length: 100 }, () => b.breaker.run(async () => 1, { timeoutMs: 9 })),
    );
    // The one that all calls without a timeout share.
    expect(b.clock.pending).toBe(1);
    b.adv(1_000);
    expect(b.clock.pending).toBe(0);
  });

  it('[B93] [case 86] no listener stays on the caller’s signal', async () => {
    const b = bench();
    const { signal } = new AbortController();
    for (let i = 0; i < 100; i++) await b.breaker.run(async () => 1, { signal });
    await b.breaker.run(boom, { signal }).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('[B91] an aborted signal means no call', async () => {
    const b = bench();
    let called = false;
    const call = b.breaker.run(
      () => {
        called = true;
      },
      { signal: AbortSignal.abort(new Error('gone')) },
    );
    await expect(call).rejects.toThrow('gone');
    expect(called).toBe(false);
    expect(b.status().counters.admitted).toBe(0);
  });

  it('[case 24] a call that the caller gives up is no failure', async () => {
    const b = bench();
    const controller = new AbortController();
    const call = b.breaker.run(hang, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(b.status()).toMatchObject({ inFlight: 0, window: { calls: 0 } });
  });

  it('[case 53] [S3] the rejection of an inner breaker is none of the outer one’s failures', async () => {
    const inner = bench();
    inner.trip();
    const outer = bench();
    for (let i = 0; i < 10; i++) {
      await outer.breaker.run(() => inner.breaker.run(() => 1)).catch(() => undefined);
    }
    expect(outer.status()).toMatchObject({ state: 'closed', window: { calls: 0 } });
  });

  it('[case 62] each attempt is an outcome', async () => {
    const b = bench();
    for (let i = 0; i < 3; i++) await b.breaker.run(boom).catch(() => undefined);
    expect(b.status().window.calls).toBe(3);
  });

  it('[B94] the caller’s filter and classes come first', async () => {
    const b = bench({
      ...D,
      ignore: (error) => error instanceof RangeError,
      classify: (error) => (error instanceof TypeError ? 'client_error' : undefined),
    });
    for (const error of [new RangeError('a'), new TypeError('b'), new Error('c')]) {
      await b.breaker.run(() => Promise.reject(error)).catch(() => undefined);
    }
    expect(b.status().counters.settled).toMatchObject({
      ignored: 1,
      client_error: 1,
      server_error: 1,
    });
  });

  it('a call that settles its own permit is not settled twice', async () => {
    const b = bench();
    await b.breaker.run(({ permit }) => permit.failure('server_error'));
    expect(b.status().window).toMatchObject({ calls: 1, failures: 1 });
  });
});

describe('classifyError', () => {
  it.each([
    [coded('ECONNREFUSED'), 'refused'],
    [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'refused'],
    [coded('UND_ERR_SOCKET'), 'refused'],
    [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'refused'],
    [coded('ETIMEDOUT'), 'timeout'],
    [new TypeError('fetch failed', { cause: coded('UND_ERR_HEADERS_TIMEOUT') }), 'timeout'],
    [new DOMException('x', 'TimeoutError'), 'timeout'],
    [new DOMException('x', 'AbortError'), 'cancelled'],
    [coded('ERR_CANCELED'), 'cancelled'],
    [{ response: { status: 404 } }, 'client_error'],
    [{ status: 408 }, 'timeout'],
    [{ statusCode: 500 }, 'server_error'],
    [{ status: 425 }, 'server_error'],
    [
      { response: { status: 503, headers: { 'retry-after': '7' } } },
      { kind: 'overload', retryAfterMs: 7_000 },
    ],
    [
      { status: 429, headers: new Headers({ 'Retry-After': '2' }) },
      { kind: 'overload', retryAfterMs: 2_000 },
    ],
    [{ status: 429 }, 'overload'],
    [{ status: 503 }, 'server_error'],
    [coded('EOPENBREAKER'), 'rejected_local'],
    [null, 'server_error'],
    [undefined, 'server_error'],
    ['text', 'server_error'],
  ])('%#: %o', (error, expected) => {
    expect(classifyError(error)).toEqual(expected);
  });

  it('[W26] is total, whatever was thrown', () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap');
        },
      },
    );
    expect(classifyError(hostile)).toBe('server_error');
    const ring: { cause?: unknown } = {};
    ring.cause = ring;
    expect(classifyError(ring)).toBe('server_error');
  });
});
