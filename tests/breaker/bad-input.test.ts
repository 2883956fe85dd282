import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BreakerOptionError, CircuitBreaker, classifyError } from '@/lib/breaker';
import type { BreakerEvent, Failure, OverrideRequest } from '@/lib/breaker';
import { runs } from '@/tests/support/runs';
import { generator } from './player';
import { bench, D, R, withRecovery } from './support';

const by = { reason: 'drill', actor: 'ann' };

const fallback = () => 'other';
const wallClock = () => Date.parse('2026-01-01T00:00:00Z');

describe('what callers report', () => {
  it.each([undefined, -1, Number.NaN, Infinity, 1e300, 30_001, '5', null, {}, 5n])(
    '[B15] a latency of %o is the time since the admission',
    (latencyMs) => {
      const b = bench();
      const told: number[] = [];
      b.breaker.onSettle((settlement) => told.push(settlement.latencyMs));
      const [good, bad] = [b.acq(), b.acq()];
      b.adv(70);
      expect(good.success(latencyMs as number)).toBe('counted');
      expect(bad.failure('server_error', latencyMs as number)).toBe('counted');
      expect(told).toEqual([70, 70]);
    },
  );

  it.each([0, 30_000])('[B15] a latency of %d ms is believed', (latencyMs) => {
    const b = bench();
    const told: number[] = [];
    b.breaker.onSettle((settlement) => told.push(settlement.latencyMs));
    b.acq().success(latencyMs);
    expect(told).toEqual([latencyMs]);
  });

  it('[B15] one absurd latency does not spoil what the breaker has learned', () => {
    const b = bench({
      ...withRecovery(R, { maxInFlight: 'auto', latency: {} }),
      window: { kind: 'time', durationMs: 1_000, buckets: 4 },
    });
    for (let i = 0; i < 500; i++) {
      b.acq().success(i === 200 ? 1e300 : 30);
      b.adv(20);
    }
    for (let i = 0; i < 60; i++) b.tryAcq()?.failure('server_error');
    b.adv(10_000);
    expect(b.status().baseline?.p99).toBeLessThan(31);
    expect(Array.from({ length: 9 }, () => b.tryAcq()).filter(Boolean)).toHaveLength(1);
    b.adv(1_000);
    expect(b.status().inFlight).toBeLessThanOrEqual(2);
  });

  it.each([Number.NaN, -1, 0, Number.NEGATIVE_INFINITY, '50000', 5n, {}, null])(
    '[B108] a wait of %o is none',
    (retryAfterMs) => {
      const b = bench();
      for (let i = 0; i < 4; i++) {
        b.acq().failure({ kind: 'overload', retryAfterMs } as Failure);
      }
      expect(b.status()).toMatchObject({ state: 'open', openTimeoutMs: 10_000 });
    },
  );

  it.each([Infinity, 1e300, 300_001])('[B108] a wait of %d ms is cut to the longest', (ms) => {
    const b = bench();
    for (let i = 0; i < 4; i++) b.acq().failure({ kind: 'overload', retryAfterMs: ms });
    expect(b.status().openTimeoutMs).toBe(300_000);
  });

  it.each([null, 42, 'nonsense', {}, { kind: 'nonsense' }, Promise.resolve('timeout'), () => 1])(
    '[B108] an answer %o of classify is a server error, and the call ends',
    async (answer) => {
      const b = bench({ ...D, classify: () => answer as Failure });
      expect(await b.breaker.run(() => Promise.reject(new Error('x')), { fallback })).toBe('other');
      expect(b.status()).toMatchObject({ inFlight: 0, counters: { settled: { server_error: 1 } } });
    },
  );

  it('[B107] a key that is a number is its text; an empty key is no key', () => {
    const sticky = withRecovery(R, {
      admission: { kind: 'sticky', steps: [0.5] },
      maxInFlight: 1_000,
      minimumSuccesses: 1e6,
      maxInconclusive: 1e6,
      minProbeIntervalMs: 1e9,
    });
    const b = bench(sticky);
    b.trip();
    b.adv(10_000);
    b.acq();
    const ask = (key: unknown) => {
      const permit = b.breaker.tryAcquire({ key: key as string });
      if (permit.granted) permit.cancel();
      return permit.granted;
    };
    const ids = Array.from({ length: 400 }, (_, i) => i);
    const numbers = ids.map((id) => ask(id));
    expect(numbers).toEqual(ids.map((id) => ask(String(id))));
    expect(numbers.filter(Boolean).length).toBeGreaterThan(140);
    expect(numbers.filter(Boolean).length).toBeLessThan(260);
    for (const none of ['', null, {}, Symbol('x'), false]) {
      // By credit: every other arrival.
      const granted = ids.filter(() => ask(none));
      expect(granted).toHaveLength(200);
    }
  });
});

const failed = (value: unknown, status = 429) =>
  classifyError({ status, headers: { 'retry-after': value } }, wallClock);

describe('Retry-After', () => {
  it.each([
    ['7', 7_000],
    [7, 7_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
    ['Thursday, 01-Jan-26 00:00:10 GMT', 10_000],
    ['Thu Jan  1 00:00:10 2026', 10_000],
    ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
  ])('[B109] %o asks for %d ms', (value, retryAfterMs) => {
    expect(failed(value)).toEqual({ kind: 'overload', retryAfterMs });
    expect(failed(value, 503)).toEqual({ kind: 'overload', retryAfterMs });
  });

  it.each([
    '',
    'soon',
    'soon 5',
    '-3',
    '0x10',
    '1e9999',
    '2026-01-01',
    'Thu, 99 Foo 2026 00:00:10 GMT',
  ])('[B109] %o is no hint', (value) => {
    expect(failed(value)).toBe('overload');
    expect(failed(value, 503)).toBe('server_error');
  });

  it.each([Number.NaN, -1, Infinity, null, [], {}])('[B109] %o is no hint', (value) => {
    expect(failed(value)).toBe('overload');
  });

  it('[B109] a date needs a clock, which a breaker has', async () => {
    const date = { status: 429, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:45 GMT' } };
    expect(classifyError(date)).toBe('overload');
    const b = bench({ ...D, wallClock });
    for (let i = 0; i < 4; i++) {
      await b.breaker.run(() => Promise.reject(Object.assign(new Error('x'), date))).catch(() => 0);
    }
    expect(b.status().openTimeoutMs).toBe(45_000);
  });
});

describe('arguments', () => {
  it.each([
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: -1 }],
    ['timeoutMs', { timeoutMs: Infinity }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['timeoutMs', { timeoutMs: 1e300 }],
    ['timeoutMs', { timeoutMs: '5' }],
    ['timeoutMs', { timeoutMs: null }],
    ['fallback', { fallback: 'other' }],
    ['signal', { signal: {} }],
    ['signal', { signal: null }],
    ['options', null],
  ])('[B105] run rejects %s (%#) and takes no permit', async (name, options) => {
    const b = bench();
    let called = false;
    const call = b.breaker.run(() => {
      called = true;
    }, options as object);
    await expect(call).rejects.toBeInstanceOf(BreakerOptionError);
    await expect(call).rejects.toThrow(`"${name}" is `);
    expect(called).toBe(false);
    expect(b.status()).toMatchObject({ inFlight: 0, counters: { admitted: 0 } });
  });

  it('[B105] run rejects work that is no function; it is no failure of the target', async () => {
    const b = bench();
    await expect(b.breaker.run('x' as unknown as () => void)).rejects.toThrow('"work" is "x"');
    expect(b.status().window.calls).toBe(0);
  });

  it('[B105] a timeout of 0 gives up at once, the longest one is the permit’s life', async () => {
    const b = bench();
    const calls = [0, 2 ** 31 - 1].map((timeoutMs) =>
      b.breaker.run(() => new Promise(() => undefined), { timeoutMs }),
    );
    b.adv(0);
    await expect(calls[0]).rejects.toMatchObject({ code: 'CALL_TIMEOUT', timeoutMs: 0 });
    expect(b.status().inFlight).toBe(1);
    b.adv(30_000);
    await expect(calls[1]).rejects.toMatchObject({ timeoutMs: 30_000 });
  });

  it.each([
    ['expiresInMs', { ...by, expiresInMs: Number.NaN }],
    ['expiresInMs', { ...by, expiresInMs: 0 }],
    ['expiresInMs', { ...by, expiresInMs: -5 }],
    ['expiresInMs', { ...by, expiresInMs: Infinity }],
    ['expiresInMs', { ...by, expiresInMs: 1e300 }],
    ['expiresInMs', { ...by, expiresInMs: '5' }],
    ['override request.expiresInMS', { ...by, expiresInMS: 5 }],
    ['override request', undefined],
    ['reason', { actor: 'ann' }],
    ['actor', { reason: 'drill', actor: 7 }],
    ['id', { ...by, id: 7 }],
    ['resume', { ...by, resume: 'half' }],
  ])('[B106] override refuses %s (%#) and forces nothing', (name, request) => {
    const b = bench();
    const attempt = () => b.breaker.override('forced_open', request as OverrideRequest);
    expect(attempt).toThrow(BreakerOptionError);
    expect(attempt).toThrow(`"${name}" is `);
    expect(b.status()).toMatchObject({ state: 'closed', epoch: 0 });
  });

  it('[B106] what is no listener is refused at the door', () => {
    const { breaker } = bench();
    expect(() => breaker.on(5 as never)).toThrow('"listener" is 5; it accepts a function');
    expect(() => breaker.onSettle({} as never)).toThrow(BreakerOptionError);
  });

  it.each([Number.NaN, -1, undefined, null, '9', {}])(
    '[B110] a loop delay of %o is no lateness',
    (delayMs) => {
      const b = bench(withRecovery(R, { latency: {} }));
      b.trip();
      b.adv(10_000);
      b.acq();
      b.breaker.noteLoopDelay(delayMs as number);
      expect(b.status().hold).toBeNull();
    },
  );
});

describe('[B110] clocks', () => {
  it('that stand still: nothing ends by itself, everything else goes on', async () => {
    let now = 500;
    const b = new CircuitBreaker('x', {
      ...D,
      clock: () => now,
      timer: { after: () => ({ cancel: () => undefined }) },
    });
    for (let i = 0; i < 1_000; i++) {
      const permit = b.tryAcquire();
      if (permit.granted) permit.success();
    }
    for (let i = 0; i < 10; i++) {
      const permit = b.tryAcquire();
      if (permit.granted) permit.failure('server_error');
    }
    expect(b.status()).toMatchObject({ state: 'open', retryInMs: 10_000, inFlight: 0 });
    for (let i = 0; i < 1_000; i++) expect(b.tryAcquire().granted).toBe(false);
    await expect(b.run(() => 1)).rejects.toMatchObject({ reason: 'open' });
    now += 10_000;
    expect(await b.run(() => 1)).toBe(1);
    expect(b.state).toBe('closed');
  });

  it('[I20] that go back are read as their highest value so far', () => {
    const readings = fc.array(
      fc.oneof(fc.integer({ min: -4_000, max: 4_000 }), fc.constant(Number.NaN)),
      {
        minLength: 20,
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(readings, fc.nat(), (steps, seed) => {
        const story = (steady: boolean) => {
          let raw = 0;
          let highest = 0;
          let broken = false;
          const events: BreakerEvent[] = [];
          const b = new CircuitBreaker('x', {
            ...withRecovery(R, { latency: {} }),
            clock: () => (steady ? highest : broken ? Number.NaN : raw),
            wallClock: () => 0,
            random: generator(seed),
          });
          b.on((event) => events.push(event));
          const draw = generator(seed + 1);
          const log = steps.map((step) => {
            broken = Number.isNaN(step);
            if (!broken) raw += step + 400;
            highest = Math.max(highest, raw);
            const permit = b.tryAcquire();
            const kind = draw() < 0.6 ? 'success' : 'server_error';
            const receipt = permit.granted
              ? kind === 'success'
                ? permit.success()
                : permit.failure(kind)
              : permit.reason;
            return `${receipt} ${b.state}`;
          });
          return { log, events, status: b.status() };
        };
        const backwards = steps.some((step) => step + 400 < 0);
        fc.pre(backwards);
        expect(story(false)).toEqual(story(true));
      }),
      { numRuns: runs(100) },
    );
  });

  it('[I20] a wall clock that answers nonsense or jumps by years moves stamps only', () => {
    for (const wall of [Number.NaN, Infinity, -1e15, 1e15]) {
      let wallMs = 1.7e12;
      const b = bench({ ...D, wallClock: () => wallMs });
      b.trip();
      wallMs = wall;
      b.adv(10_000);
      b.acq().success();
      expect(b.types()).toEqual(['opened', 'half_open', 'closed']);
      const again = CircuitBreaker.restore(
        'x',
        { ...D, clock: () => 0, wallClock: () => wallMs, onProblem: () => undefined },
        b.breaker.snapshot(),
      );
      expect(again.state).toBe('closed');
    }
  });
});

describe('[B110] listeners and the end', () => {
  it('[I27] a listener that resets, forces and settles from inside is heard in order', () => {
    const b = bench();
    const held = b.acq();
    const receipts: string[] = [];
    b.breaker.on((event) => {
      if (event.type === 'opened') {
        b.breaker.reset();
        receipts.push(held.success());
        b.breaker.override('forced_closed', by).release();
      }
      throw new Error('listener');
    });
    b.trip();
    expect(receipts).toEqual(['late']);
    expect(b.events.map(({ type }) => type)).toEqual([
      'opened',
      'reset',
      'late_result',
      'forced',
      'resumed',
    ]);
    expect(b.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(b.problems).toHaveLength(5);
    expect(b.status()).toMatchObject({ state: 'closed', inFlight: 0 });
  });

  it('a settlement listener that throws or settles again changes nothing', () => {
    const b = bench();
    const permits = [b.acq(), b.acq()];
    b.breaker.onSettle(() => {
      expect(permits[0]?.success()).toBe('duplicate');
      throw new Error('listener');
    });
    expect(permits[0]?.failure('server_error')).toBe('counted');
    expect(b.status()).toMatchObject({ inFlight: 1, window: { calls: 1, failures: 1 } });
    expect(b.problems).toHaveLength(1);
  });

  it('a reporter of problems that throws is not heard either', () => {
    const b = bench({
      ...D,
      onProblem: () => {
        throw new Error('reporter');
      },
    });
    b.breaker.on(() => {
      throw new Error('listener');
    });
    b.trip();
    expect(b.breaker.state).toBe('open');
  });

  it('[I29] [B104] after dispose each settlement is late once, then a duplicate', () => {
    const b = bench();
    const [good, bad, given, ignored] = [b.acq(), b.acq(), b.acq(), b.acq()];
    b.breaker.dispose();
    const settled = b.status().counters.settled;
    expect([good.success(), bad.failure('refused'), given.cancel(), ignored.ignore()]).toEqual(
      Array.from({ length: 4 }, () => 'late'),
    );
    expect([good.failure('timeout'), bad.success()]).toEqual(['duplicate', 'duplicate']);
    expect(b.status()).toMatchObject({ inFlight: 0, counters: { settled } });
    b.adv(1e9);
    expect(b.reason()).toBe('disposed');
  });
});
