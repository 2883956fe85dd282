import { describe, expect, it } from 'vitest';
import {
  BreakerOpenError,
  CallTimeoutError,
  chain,
  classifyError,
  isBreakerOpenError,
} from '@/lib/breaker';
import type { Failure } from '@/lib/breaker';
import { bench } from './support';

const codes: Readonly<Record<string, readonly string[]>> = {
  refused: [
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EAI_FAIL',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'EHOSTDOWN',
    'ENETDOWN',
    'EPIPE',
    'EPROTO',
    'UND_ERR_SOCKET',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_TLS_HANDSHAKE_TIMEOUT',
    'ERR_SSL_WRONG_VERSION_NUMBER',
  ],
  timeout: [
    'ETIMEDOUT',
    'ESOCKETTIMEDOUT',
    'ECONNABORTED',
    'CALL_TIMEOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
  ],
  rejected_local: [
    'BREAKER_OPEN',
    'ENDPOINTS_UNAVAILABLE',
    'EOPENBREAKER',
    'ESEMLOCKED',
    'ERR_POOL_FULL',
  ],
  cancelled: ['ERR_CANCELED', 'ABORT_ERR', 'UND_ERR_ABORTED'],
  server_error: ['', 'X_ERR_TLS_', 'X_ERR_SSL_', 'ENOENT'],
};

const names: Readonly<Record<string, readonly string[]>> = {
  rejected_local: ['BrokenCircuitError', 'IsolatedCircuitError', 'BulkheadRejectedError'],
  cancelled: ['AbortError'],
  timeout: ['TimeoutError'],
  server_error: ['', 'Error'],
};

const pairs = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([kind, words]) => words.map((word) => [word, kind] as const));

const waits = (ms: number): Failure => ({ kind: 'overload', retryAfterMs: ms });

describe('[B94] what an error says of the target', () => {
  it.each(pairs(codes))('code %s: %s', (code, kind) => {
    expect(classifyError({ code })).toBe(kind);
    expect(classifyError({ cause: { cause: { code } } })).toBe(kind);
  });

  it.each(pairs(names))('name %s: %s', (name, kind) => {
    expect(classifyError({ name })).toBe(kind);
  });

  it.each([
    [399, 'server_error'],
    [400, 'client_error'],
    [404, 'client_error'],
    [408, 'timeout'],
    [424, 'client_error'],
    [425, 'server_error'],
    [426, 'client_error'],
    [429, 'overload'],
    [499, 'client_error'],
    [500, 'server_error'],
    [503, 'server_error'],
    [504, 'timeout'],
    [599, 'server_error'],
    [600, 'server_error'],
    ['404', 'server_error'],
  ])('status %s: %s', (status, kind) => {
    expect(classifyError({ status })).toBe(kind);
    expect(classifyError({ statusCode: status })).toBe(kind);
    expect(classifyError({ response: { status } })).toBe(kind);
    expect(classifyError({ status, response: null })).toBe(kind);
  });

  it.each([
    ['isBrokenCircuitError', 'rejected_local'],
    ['isBulkheadRejectedError', 'rejected_local'],
    ['isTaskCancelledError', 'timeout'],
    ['isSomethingElse', 'server_error'],
  ])('the mark %s: %s', (mark, kind) => {
    expect(classifyError({ name: 'Error', [mark]: true })).toBe(kind);
    expect(classifyError({ name: 'Error', [mark]: 'true' })).toBe('server_error');
  });

  it('names and codes that are no texts say nothing', () => {
    const boxed = { toString: () => 'AbortError' };
    expect(classifyError({ name: boxed, code: 7, status: '404' })).toBe('server_error');
    expect(classifyError({ name: ['AbortError'] })).toBe('server_error');
    expect(classifyError({ response: 'x', status: 404 })).toBe('client_error');
    expect(classifyError({ response: {}, status: 404 })).toBe('client_error');
    expect(classifyError(Object.assign(() => 1, { status: 404 }))).toBe('server_error');
  });

  it('a status outside the answers to a request leaves it to code and name', () => {
    for (const status of [200, 399, 600]) {
      expect(classifyError({ status, code: 'ETIMEDOUT' })).toBe('timeout');
    }
  });

  it('status before code, code before name, each before the cause', () => {
    const cause = { code: 'ECONNREFUSED' };
    expect(classifyError({ status: 404, code: 'ETIMEDOUT', name: 'AbortError', cause })).toBe(
      'client_error',
    );
    expect(classifyError({ code: 'ETIMEDOUT', name: 'AbortError', cause })).toBe('timeout');
    expect(classifyError({ name: 'AbortError', cause })).toBe('cancelled');
    expect(classifyError({ name: 'Error', cause })).toBe('refused');
  });

  it('looks three levels deep, no further', () => {
    const nested = (levels: number): unknown =>
      levels === 1 ? { code: 'ETIMEDOUT' } : { cause: nested(levels - 1) };
    expect([1, 2, 3, 4].map((levels) => classifyError(nested(levels)))).toEqual([
      'timeout',
      'timeout',
      'timeout',
      'server_error',
    ]);
    expect(classifyError({ cause: 'ETIMEDOUT' })).toBe('server_error');
  });

  it.each([
    ['7', waits(7_000)],
    [7, waits(7_000)],
    ['0', waits(0)],
    ['1.5', waits(1_500)],
    ['', 'overload'],
    ['-1', 'overload'],
    ['Infinity', 'overload'],
    ['Fri, 31 Dec 1999 23:59:59 GMT', 'overload'],
    [undefined, 'overload'],
    [null, 'overload'],
    [true, 'overload'],
  ])('a wait of %j', (value, expected) => {
    for (const headers of [
      { 'retry-after': value },
      { 'Retry-After': value },
      { get: (name: string) => (name === 'retry-after' ? value : '99') },
    ]) {
      expect(classifyError({ status: 429, headers })).toEqual(expected);
    }
    const plain = expected === 'overload' ? 'server_error' : expected;
    expect(classifyError({ status: 503, headers: { 'retry-after': value } })).toEqual(plain);
  });

  it('headers that bite or are none are no wait', () => {
    const biting = {
      get: () => {
        throw new Error('no');
      },
    };
    for (const headers of [biting, null, 'retry-after', 7, undefined]) {
      expect(classifyError({ status: 429, headers })).toBe('overload');
    }
  });

  it('only the wait of a 429 and of a 503 counts', () => {
    const headers = { 'retry-after': '7' };
    expect(classifyError({ status: 500, headers })).toBe('server_error');
    expect(classifyError({ status: 504, headers })).toBe('timeout');
    expect(classifyError({ status: 404, headers })).toBe('client_error');
  });
});

describe('the errors of run', () => {
  it('[B96] the refusal says which breaker and why, and is known without its class', async () => {
    const b = bench();
    b.trip();
    const error: unknown = await b.breaker.run(() => 1).catch((e: unknown) => e);
    expect(error).toMatchObject({
      name: 'BreakerOpenError',
      code: 'BREAKER_OPEN',
      message: 'Circuit breaker "inventory" rejected the call: open',
      isBreakerOpenError: true,
    });
    for (const other of [null, undefined, 'x', {}, { isBreakerOpenError: 1 }, new Error('x')]) {
      expect(isBreakerOpenError(other)).toBe(false);
    }
    expect(Error.stackTraceLimit).toBeGreaterThan(0);
  });

  it('[B96] it is made without a stack also where the host has no limit to set', async () => {
    const b = bench();
    b.trip();
    const limit = Error.stackTraceLimit;
    Reflect.deleteProperty(Error, 'stackTraceLimit');
    try {
      await expect(b.breaker.run(() => 1)).rejects.toBeInstanceOf(BreakerOpenError);
      expect('stackTraceLimit' in Error).toBe(false);
    } finally {
      Error.stackTraceLimit = limit;
    }
  });

  it('[B92] giving up says after how long', async () => {
    const b = bench();
    const call = b.breaker.run(() => new Promise(() => undefined), { timeoutMs: 250 });
    b.adv(250);
    const error: unknown = await call.catch((e: unknown) => e);
    expect(error).toBeInstanceOf(CallTimeoutError);
    expect(error).toMatchObject({
      name: 'TimeoutError',
      code: 'CALL_TIMEOUT',
      breaker: 'inventory',
      timeoutMs: 250,
      message: 'Circuit breaker "inventory" stopped waiting after 250 ms',
    });
    expect(classifyError(error)).toBe('timeout');
  });
});

describe('chain', () => {
  it('[B98] the outcome goes to all, with its latency', () => {
    const [one, two] = [bench(), bench()];
    const both = chain(one.breaker, two.breaker);
    const ask = () => {
      const permit = both.tryAcquire({ idempotent: false });
      if (!permit.granted) throw new Error(permit.reason);
      expect(permit.permits.map(({ idempotent }) => idempotent)).toEqual([false, false]);
      return permit;
    };
    expect(ask().success(2_000)).toEqual(['counted', 'counted']);
    expect(ask().failure('server_error')).toEqual(['counted', 'counted']);
    expect(ask().cancel()).toEqual(['inconclusive', 'inconclusive']);
    expect(ask().ignore()).toEqual(['inconclusive', 'inconclusive']);
    for (const { breaker } of [one, two]) {
      expect(breaker.status()).toMatchObject({
        inFlight: 0,
        window: { calls: 2, failures: 1, slow: 1 },
        counters: { settled: { success: 1, server_error: 1, cancelled: 1, ignored: 1 } },
      });
    }
  });
});
