/** Values at the edge of what is said, and things done twice or too late. */
import { describe, expect, it } from 'vitest';
import { CircuitBreaker, EndpointSet } from '@/lib/breaker';
import type { BreakerOptions } from '@/lib/breaker';
import { keyOf } from '@/lib/breaker/admission';
import { classifyError } from '@/lib/breaker/classify';
import { drawn } from '@/lib/breaker/core';
import { Member } from '@/lib/breaker/endpoints/member';
import { isAbove } from '@/lib/breaker/latency';
import { knownFailure } from '@/lib/breaker/permit';
import { retryAfterMs } from '@/lib/breaker/retry-after';
import { endpoints } from './endpoints-support';
import { bench, D, R, withRecovery } from './support';

const by = { reason: 'drill', actor: 'ann' };
const ramp = (options: BreakerOptions = {}) => bench({ ...R, ...options });

/** The option that a construction is refused for. */
function refusedFor(options: object): unknown {
  try {
    bench(options);
    return null;
  } catch (error) {
    return error instanceof Error ? Reflect.get(error, 'option') : error;
  }
}

const slow = (slowMs: number) => ({ kind: 'slow', slowMs, rate: 0.5, minimumCalls: 5 });

const member = () => new Member('m', new CircuitBreaker('m', { clock: () => 0 }), null);

const followed = (step: number) => ({ to: 'half_open', step, monoMs: 5 }) as never;

const probe = (outcome: string) => ({ outcome, counted: true, probe: true }) as never;

describe('options', () => {
  it('names the kind that is missing where a policy is no object', () => {
    expect(refusedFor({ trip: [undefined] })).toBe('trip[0].kind');
  });

  it('counts only the limits of slow policies', () => {
    const five = [100, 200, 300, 400, 500].map(slow);
    const ratio = { kind: 'ratio', rate: 0.5, minimumCalls: 5 };
    expect(refusedFor({ trip: [...five, ratio] })).toBeNull();
    expect(refusedFor({ trip: [...five, slow(600)] })).toBe('trip');
  });

  it('refuses more failures than a window of calls can hold, lumped or not', () => {
    const trip = [{ kind: 'count', failures: 11 }];
    const window = { kind: 'count', size: 10 };
    expect(refusedFor({ window, trip })).toBe('trip[0].failures');
    expect(refusedFor({ window, trip, failureLumpMs: 50 })).toBe('trip[0].failures');
    const ten = [{ kind: 'count', failures: 10 }];
    expect(refusedFor({ window, trip: ten, failureLumpMs: 50 })).toBeNull();
    expect(refusedFor({ window: { kind: 'time', durationMs: 100 }, trip: ten })).toBeNull();
  });

  it('counts the steps of a sticky admission', () => {
    const admission = { kind: 'sticky', steps: [0.1, 0.5, 1] } as const;
    expect(bench(withRecovery(R, { admission })).status().steps).toBe(3);
  });

  it('[E1] does without a timer of one’s own for a set of endpoints', () => {
    expect(() => new EndpointSet('inventory', { endpoints: ['a'] })).not.toThrow();
    expect(() => new EndpointSet('inventory', { endpoints: ['a'], timer: {} as never })).toThrow(
      expect.objectContaining({ option: 'timer.after' }),
    );
  });
});

describe('arguments', () => {
  it('names what is wrong with an override', () => {
    const b = bench();
    const override = (kind: unknown, request: unknown) => () =>
      b.breaker.override(kind as never, request as never);
    expect(override('ajar', by)).toThrow(expect.objectContaining({ option: 'override' }));
    expect(override('forced_open', null)).toThrow(
      expect.objectContaining({ option: 'override request' }),
    );
  });

  it('names a listener that is none', () => {
    const b = bench();
    const wrong = 'no function' as never;
    const refusal = expect.objectContaining({ option: 'listener' });
    expect(() => b.breaker.on(wrong)).toThrow(refusal);
    expect(() => b.breaker.onSettle(wrong)).toThrow(refusal);
  });

  it('takes numbers and texts as keys, and nothing else', () => {
    expect([7, 7n, '7', '', {}, true, null].map(keyOf)).toEqual([
      '7',
      '7',
      '7',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('lets no generator decide that answers outside [0, 1)', () => {
    expect([-0.1, 0, 0.999, 1, Number.NaN].map((value) => drawn(() => value))).toEqual([
      0.5, 0, 0.999, 0.5, 0.5,
    ]);
  });
});

describe('kinds of failure', () => {
  it.each([null, undefined, 'success', 'nonsense', { kind: 'success' }])(
    '%o of an own classifier is a failure of the server',
    (said) => {
      const failure = knownFailure(said as never);
      expect(typeof failure === 'string' ? failure : failure.kind).toBe('server_error');
    },
  );

  it('reads headers beside a response that is null', () => {
    const error = { response: null, status: 429, headers: { 'retry-after': '5' } };
    expect(classifyError(error)).toEqual({ kind: 'overload', retryAfterMs: 5_000 });
  });

  it('knows 400 to 599 as answers of HTTP', () => {
    expect(
      [399, 400, 599, 600].map((status) => classifyError({ status, name: 'TimeoutError' })),
    ).toEqual(['timeout', 'client_error', 'server_error', 'timeout']);
  });

  it('reads whole and broken seconds, and dates that are nothing else', () => {
    const wallMs = Date.UTC(2024, 0, 1);
    const later = 'Mon, 01 Jan 2024 00:00:09 GMT';
    expect(['120', '12.25', later].map((text) => retryAfterMs(text, wallMs))).toEqual([
      120_000, 12_250, 9_000,
    ]);
    for (const text of [
      `x${later}`,
      `${later} x`,
      `${later} (x)`,
      'Mon, 01 Jan 2024 0:00:09 GMT',
      '1.',
      '.5',
    ]) {
      expect(retryAfterMs(text, wallMs)).toBeUndefined();
    }
  });
});

describe('run', () => {
  it('rejects with the reason of a signal that was aborted before', async () => {
    const reason = new Error('the caller left');
    await expect(bench().breaker.run(() => 1, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  it('asks the fallback once, however the call ends after its time is out', async () => {
    const b = bench();
    let asked = 0;
    const failing: ((error: Error) => void)[] = [];
    const call = b.breaker.run(() => new Promise((_, fail) => failing.push(fail)), {
      timeoutMs: 100,
      fallback: () => ++asked,
    });
    b.adv(100);
    failing[0]?.(new Error('too late'));
    expect(await call).toBe(1);
    expect(asked).toBe(1);
    expect(b.status().counters.settled).toMatchObject({ timeout: 1, server_error: 0 });
  });

  it('waits for a function that is a promise too', async () => {
    const callable = Object.assign(() => undefined, {
      // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
      then: (done: (value: string) => void) => done('answer'),
    });
    expect(await bench().breaker.run(() => callable as never)).toBe('answer');
    const b = bench();
    const failing = Object.assign(() => undefined, {
      // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
      then: (_: unknown, fail: (error: Error) => void) => fail(new Error('no answer')),
    });
    await expect(b.breaker.run(() => failing as never)).rejects.toThrow('no answer');
    expect(b.status().counters.settled).toMatchObject({ success: 0, server_error: 1 });
  });

  it('has no problem with an error that nobody classifies', async () => {
    const b = bench();
    await expect(b.breaker.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(b.problems).toEqual([]);
  });
});

describe('the end of a breaker', () => {
  it('leaves its state alone', () => {
    const b = bench();
    b.trip();
    b.breaker.dispose();
    b.breaker.reset();
    expect(b.status().automatic).toBe('open');
  });

  it('tells nobody of calls that settle after it', () => {
    const b = bench();
    let heard = 0;
    b.breaker.onSettle(() => heard++);
    const permit = b.acq();
    b.breaker.dispose();
    expect(permit.success()).toBe('late');
    expect(heard).toBe(0);
    expect(b.problems).toEqual([]);
  });

  it('tells of the quiet before it for ever', () => {
    const b = bench();
    b.breaker.tick();
    expect(b.breaker.quietUntil).toBe(Infinity);
    b.trip();
    b.breaker.tick();
    expect(b.breaker.quietUntil).toBe(11_000);
  });
});

describe('listeners', () => {
  it('do not hear what another has taken them away from', () => {
    const { breaker } = bench();
    const heard: string[] = [];
    const others: (() => void)[] = [];
    breaker.on(() => others.forEach((off) => off()));
    others.push(breaker.on(({ type }) => heard.push(type)));
    breaker.override('forced_open', by);
    expect(heard).toEqual([]);
  });
});

describe('a reservation', () => {
  it('of a closed breaker is as if nobody had come', () => {
    const b = bench();
    const reservation = b.breaker.reserve();
    if (!reservation.granted) throw new Error('refused');
    expect(b.status()).toMatchObject({ inFlight: 1, counters: { admitted: 1 } });
    reservation.withdraw();
    expect(b.status()).toMatchObject({ inFlight: 0, counters: { admitted: 0 } });
    expect(reservation.permit.success()).toBe('duplicate');
    expect(b.status().counters.settled.success).toBe(0);
  });

  it('of a call that was made and answered cannot be given back', () => {
    const b = bench();
    const reservation = b.breaker.reserve();
    if (!reservation.granted) throw new Error('refused');
    reservation.permit.success(1);
    reservation.withdraw();
    expect(b.status()).toMatchObject({ inFlight: 0, counters: { admitted: 1 } });
    expect(b.status().counters.settled).toMatchObject({ success: 1, rejected_local: 0 });
  });
});

describe('[B70] forced states', () => {
  it('keep the window of a closed breaker, and its level', () => {
    const b = bench({
      ...D,
      open: { kind: 'exponential', baseMs: 1_000, jitter: 0, decayEveryMs: 500 },
    });
    b.acq().failure('server_error');
    b.acq().success(1);
    const handle = b.breaker.override('forced_closed', by);
    expect(b.status()).toMatchObject({ share: 1, window: { calls: 2, failures: 1 } });
    handle.release();
    b.trip();
    b.adv(1_000);
    b.acq().failure('server_error');
    b.breaker.override('forced_closed', { ...by, resume: 'closed' }).release();
    expect(b.status().level).toBe(1);
    b.breaker.override('forced_closed', by);
    b.adv(5_000);
    expect(b.status().level).toBe(1);
  });

  it('hide the step and the wait of the machine below', () => {
    const b = ramp();
    b.trip();
    const handle = b.breaker.override('forced_closed', { ...by, resume: 'half_open' });
    expect(b.status()).toMatchObject({ retryInMs: null, openTimeoutMs: null, ledger: null });
    handle.release();
    b.breaker.override('forced_closed', by);
    expect(b.status()).toMatchObject({ automatic: 'half_open', step: null, ledger: null });
  });

  it('watch calls under way grow slow, but not while disabled', () => {
    const pending = {
      kind: 'slow',
      slowMs: 500,
      rate: 0.5,
      minimumCalls: 2,
      pending: true,
    } as const;
    const told = (kind: 'forced_closed' | 'disabled') => {
      const b = bench({ ...D, trip: [pending] });
      b.breaker.override(kind, by);
      b.acq();
      b.acq();
      b.adv(500);
      return b.types();
    };
    expect(told('forced_closed')).toEqual(['forced', 'would_trip']);
    const open = bench({ ...D, trip: [pending, { kind: 'consecutive', failures: 4 }] });
    open.trip();
    open.breaker.override('forced_closed', by);
    open.acq();
    open.acq();
    open.adv(500);
    expect(open.types()).toEqual(['opened', 'forced', 'would_trip']);
    expect(told('disabled')).toEqual(['forced']);
  });
});

describe('slow calls under way', () => {
  const slow = { kind: 'slow', slowMs: 500, rate: 1 } as const;

  it('are seen in order although one between them has ended', () => {
    const b = bench({ ...D, trip: [{ ...slow, rate: 0.6, minimumCalls: 3, pending: true }] });
    const permits = [b.acq(), b.acq(), b.acq()];
    permits[1]?.success(1);
    b.adv(500);
    expect(b.of('opened')).toMatchObject([{ reason: 'slow', monoMs: 1_500 }]);
  });

  it('count only for the policies that ask for them', () => {
    const b = bench({
      ...D,
      trip: [
        { ...slow, minimumCalls: 9, pending: true },
        { ...slow, minimumCalls: 2 },
      ],
    });
    b.acq();
    b.acq();
    b.adv(500);
    expect(b.types()).toEqual([]);
  });
});

describe('events', () => {
  it('carry the wall time of the instant at which they were due, however late somebody looks', () => {
    const b = ramp();
    b.trip();
    b.adv(15_000);
    expect(b.of('half_open')[0]).toMatchObject({
      reason: 'retry_due',
      monoMs: 11_000,
      wallMs: 1_700_000_011_000,
      stepSeq: 1,
      data: { cause: 'retry_due', share: 0.1 },
    });
  });

  it('count the calls of a step, good and bad', () => {
    const b = ramp();
    b.trip();
    b.adv(10_000);
    b.acq().success(1);
    for (let i = 0; i < 30 && b.breaker.state === 'half_open'; i++) {
      b.adv(10);
      b.tryAcq()?.failure('server_error');
    }
    expect(b.of('opened').at(-1)?.data).toMatchObject({ successes: 1, failures: 1, calls: 2 });
  });
});

describe('status', () => {
  it('says how many steps there are, and what this one asks for', () => {
    const b = ramp();
    b.trip();
    b.adv(10_000);
    expect(b.status()).toMatchObject({ steps: 4, ledger: { minimumSuccesses: 5, budget: 1 } });
    b.healthy('closed', 100, 60);
    expect(b.status()).toMatchObject({ step: 1, ledger: { failures: 0, budget: 1 } });
  });
});

describe('[B44] a relapse', () => {
  const options: BreakerOptions = {
    ...D,
    open: { kind: 'exponential', baseMs: 1_000, jitter: 0, stableForMs: 5_000, decayEveryMs: 1e9 },
  };

  it.each([
    [4_999, 1],
    [5_000, 0],
  ])('%i ms after the recovery raises the level to %i', (afterMs, level) => {
    const b = bench(options);
    b.trip();
    b.adv(1_000);
    b.acq().success(1);
    expect(b.breaker.state).toBe('closed');
    b.adv(afterMs);
    b.trip();
    expect(b.status()).toMatchObject({ state: 'open', level });
  });
});

describe('a hold', () => {
  it('needs more than the limit itself', () => {
    const reading = { valueMs: 20, baselineMs: 10 } as Parameters<typeof isAbove>[0];
    expect(isAbove(reading, 2, 0)).toBe(false);
    expect(isAbove(reading, 1.99, 0)).toBe(true);
    expect(isAbove(reading, 1, 20)).toBe(false);
  });
});

describe('health checks', () => {
  it('have the grace of a permit on top of their time', () => {
    const b = bench({ ...D, permitGraceMs: 7 });
    const check = b.breaker.tryAcquire({ healthCheck: true });
    expect(check.granted && check.expiresAt).toBe(31_007);
  });
});

describe('[E8] the evidence of an endpoint', () => {
  it('counts good answers of probes alone, and goes on within its step', () => {
    const m = member();
    m.follow(followed(1));
    m.settled(probe('success'), 6);
    m.settled(probe('server_error'), 7);
    m.follow(followed(1));
    expect(m.evidence).toMatchObject({ step: 1, successes: 1 });
    m.follow(followed(2));
    expect(m.evidence).toMatchObject({ step: 2, successes: 0 });
  });
});

describe('a set of endpoints', () => {
  it('ends once', () => {
    const s = endpoints(['a']);
    s.set.dispose();
    s.set.dispose();
    expect(s.events.filter(({ type }) => type === 'disposed')).toHaveLength(1);
  });
});
