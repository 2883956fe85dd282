import { describe, expect, it } from 'vitest';
import { bench, D } from './support';

const by = { reason: 'test', actor: 'ann' };

describe('refusals', () => {
  it('[B72] forced open tells when it ends, as far as known', () => {
    const b = bench();
    const handle = b.breaker.override('forced_open', by);
    expect(b.breaker.tryAcquire()).toEqual({
      granted: false,
      reason: 'forced_open',
      retryAfterMs: null,
    });
    handle.release();
    b.breaker.override('forced_open', { ...by, expiresInMs: 900 });
    b.adv(250);
    expect(b.breaker.tryAcquire()).toEqual({
      granted: false,
      reason: 'forced_open',
      retryAfterMs: 650,
    });
    expect(b.status().counters.rejected).toMatchObject({ forced_open: 2, open: 0 });
  });

  it('open tells what is left', () => {
    const b = bench();
    b.trip();
    b.adv(4_000);
    expect(b.breaker.tryAcquire()).toEqual({ granted: false, reason: 'open', retryAfterMs: 6_000 });
  });

  it('[B104] a disposed breaker tells nothing', () => {
    const b = bench();
    b.breaker.dispose();
    expect(b.breaker.tryAcquire()).toEqual({
      granted: false,
      reason: 'disposed',
      retryAfterMs: null,
    });
    expect(b.status().counters.rejected.disposed).toBe(1);
  });
});

describe('permits', () => {
  it.each([
    ['closed', 'normal', () => bench({ ...D, permitGraceMs: 7 })],
    [
      'disabled',
      'bypass',
      () => {
        const b = bench({ ...D, permitGraceMs: 7 });
        b.breaker.override('disabled', by);
        return b;
      },
    ],
    [
      'forced_closed',
      'normal',
      () => {
        const b = bench({ ...D, permitGraceMs: 7 });
        b.breaker.override('forced_closed', by);
        return b;
      },
    ],
  ] as const)(
    'of a breaker that is %s: %s, for the call timeout and the grace',
    (_, role, make) => {
      const b = make();
      b.adv(3);
      const permit = b.acq(false);
      expect(permit).toMatchObject({
        granted: true,
        role,
        probe: false,
        step: null,
        idempotent: false,
        admittedAt: 1_003,
        expiresAt: 1_003 + 30_007,
        epoch: b.status().epoch,
        stepSeq: 0,
      });
      b.adv(30_006);
      expect(b.status().inFlight).toBe(1);
      b.adv(1);
      expect(b.status().inFlight).toBe(0);
      expect(permit.success()).toBe('expired');
      expect(b.status().counters.expired).toBe(role === 'normal' ? 1 : 0);
    },
  );

  it('[B104] one that a disposed breaker lets pass never ends', () => {
    const b = bench({ ...D, onDisposed: 'pass' });
    b.breaker.dispose();
    const permit = b.breaker.tryAcquire({ idempotent: false });
    expect(permit).toMatchObject({
      granted: true,
      role: 'bypass',
      idempotent: false,
      expiresAt: Infinity,
      step: null,
    });
    expect(b.breaker.tryAcquire()).toMatchObject({ idempotent: true });
    expect(b.status()).toMatchObject({ inFlight: 0, counters: { admitted: 0 } });
  });

  it('[B18] a health check that does not say is idempotent too', () => {
    const b = bench();
    expect(b.breaker.tryAcquire({ healthCheck: true })).toMatchObject({ idempotent: true });
    const other = bench();
    expect(other.breaker.tryAcquire({ healthCheck: true, idempotent: false })).toMatchObject({
      idempotent: false,
    });
  });

  it('[B72] what is admitted is counted, what is disabled is not', () => {
    const b = bench();
    b.acq().success();
    b.breaker.override('metrics_only', by);
    b.acq().success();
    b.breaker.override('disabled', by);
    b.acq().success();
    expect(b.status().counters).toMatchObject({ admitted: 2, settled: { success: 2 } });
  });

  it('[B17] many at once: each expires in its own time', () => {
    const b = bench({ ...D, trip: [{ kind: 'consecutive', failures: 9 }] });
    for (let i = 0; i < 5; i++) {
      b.acq();
      b.adv(100);
    }
    b.adv(30_000 - 500);
    const left: number[] = [];
    for (let i = 0; i < 5; i++) {
      left.push(b.status().inFlight);
      b.adv(100);
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    expect(b.breaker.nextDueAt()).toBe(null);
  });
});

const problemOf = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    return String(Reflect.get(Object(error), 'message'));
  }
  return 'none';
};

describe('[B105] arguments that cannot be', () => {
  it.each([
    [{ ...by, reason: 5 }, '"reason" is 5; it accepts a text'],
    [{ ...by, actor: null }, '"actor" is null; it accepts a text'],
    [{ ...by, id: 7 }, '"id" is 7; it accepts a text'],
    [{ ...by, expiresInMs: 0 }, '"expiresInMs" is 0; it accepts a finite number of at least 0.001'],
    [
      { ...by, resume: 'disabled' },
      `"resume" is "disabled"; it accepts 'closed', 'open', 'half_open'`,
    ],
    [{ ...by, until: 5 }, 'it accepts only expiresInMs, reason, actor, id, resume'],
    [undefined, '"override request" is undefined; it accepts an object'],
  ])('of an override: %j', (request, words) => {
    const { breaker } = bench();
    expect(problemOf(() => breaker.override('disabled', request as never))).toContain(words);
    expect(breaker.overrides()).toEqual([]);
  });

  it.each([
    [5, undefined, '"work" is 5; it accepts a function'],
    [() => 1, 5, '"options" is 5; it accepts an object'],
    [() => 1, null, '"options" is null; it accepts an object'],
    [() => 1, { fallback: 5 }, '"fallback" is 5; it accepts a function'],
    [() => 1, { signal: {} }, '"signal" is {}; it accepts an AbortSignal'],
    [() => 1, { signal: null }, '"signal" is null; it accepts an AbortSignal'],
    [() => 1, { timeoutMs: -1 }, '"timeoutMs" is -1; it accepts a finite number of at least 0'],
  ])('of run: %o, %j', async (work, options, words) => {
    const { breaker } = bench();
    const error: unknown = await breaker
      .run(work as never, options as never)
      .catch((problem: unknown) => problem);
    expect(Reflect.get(Object(error), 'message')).toContain(words);
    expect(breaker.status().counters.admitted).toBe(0);
  });
});
