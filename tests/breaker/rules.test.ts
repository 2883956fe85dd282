import { describe, expect, it, vi } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions, FailureKind } from '@/lib/breaker';
import { bench, D, R, withRecovery } from './support';

const by = { reason: 'drill', actor: 'ann' };
const whole = { kind: 'ramp', steps: [1, 1] } as const;

function halfOpen(options: BreakerOptions) {
  const b = bench(options);
  b.trip();
  b.adv(10_000);
  expect(b.breaker.state).toBe('half_open');
  return b;
}

describe('ground', () => {
  it('[B1] no clock, timer or random number is read that was not handed in', () => {
    const spies = [
      vi.spyOn(performance, 'now'),
      vi.spyOn(Date, 'now'),
      vi.spyOn(Math, 'random'),
      vi.spyOn(globalThis, 'setTimeout'),
    ];
    const b = bench(R);
    b.trip();
    b.healthy('closed', 100);
    b.breaker.override('forced_open', by).release();
    b.breaker.snapshot();
    const calls = spies.map((spy) => spy.mock.calls.length);
    vi.restoreAllMocks();
    expect(calls).toEqual([0, 0, 0, 0]);
  });

  it('[B2] what became due long ago happens in order, each at its own instant', () => {
    const b = bench(withRecovery(D, { maxHalfOpenMs: 40_000 }));
    b.trip();
    b.clock.jump(65_000);
    b.breaker.tick();
    expect(b.events.map((e) => [e.type, e.monoMs])).toEqual([
      ['opened', 1_000],
      ['half_open', 11_000],
      ['opened', 51_000],
      ['half_open', 61_000],
    ]);
  });

  it('[B4] a probe that expires at the limit of half-open expires first', () => {
    const b = halfOpen(withRecovery(D, { maxHalfOpenMs: 30_000 }));
    b.acq();
    b.adv(30_000);
    expect(b.of('opened').at(-1)).toMatchObject({ reason: 'failures', monoMs: 41_000 });
  });

  it.each([-5_000, Number.NaN, Number.NEGATIVE_INFINITY])(
    '[B7] [W18] a clock that answers %d stands still',
    (reading) => {
      let now = 1_000;
      const breaker = new CircuitBreaker('x', { ...D, clock: () => now });
      for (let i = 0; i < 4; i++) {
        const permit = breaker.tryAcquire();
        if (permit.granted) permit.failure('server_error');
      }
      now = reading;
      expect(breaker.status()).toMatchObject({ state: 'open', retryInMs: 10_000 });
      now = 11_000;
      expect(breaker.state).toBe('half_open');
    },
  );

  it('[W18] an hour of the wall clock, either way, changes no open time', () => {
    for (const ms of [-3_600_000, 3_600_000]) {
      const b = bench();
      b.trip();
      b.wall(ms);
      expect(b.status()).toMatchObject({ state: 'open', retryInMs: 10_000 });
      b.adv(10_000);
      expect(b.breaker.state).toBe('half_open');
    }
  });

  it('[B8] a rate that no double can hold is reached exactly', () => {
    for (const [rate, failures] of [
      [0.07, 7],
      [0.29, 29],
      [0.57, 57],
      [0.58, 58],
    ] as const) {
      const b = bench({
        ...D,
        window: { kind: 'count', size: 100 },
        trip: [{ kind: 'ratio', rate, minimumCalls: 100 }],
      });
      for (let i = 0; i < 100 - failures; i++) b.acq().success(1);
      for (let i = 0; i < failures; i++) b.acq().failure('server_error', 1);
      expect(b.breaker.state).toBe('open');
    }
  });

  it('[B9] random numbers are drawn at transitions and step starts only', () => {
    let drawn = 0;
    const b = bench({
      ...withRecovery(R, { admission: whole, stepMs: 0, minimumSuccesses: 1 }),
      random: () => {
        drawn++;
        return 0.5;
      },
    });
    for (let i = 0; i < 20; i++) b.acq().success(1);
    expect(drawn).toBe(0);
    for (let i = 0; i < 10; i++) b.tryAcq()?.failure('server_error', 1);
    for (let i = 0; i < 50; i++) b.reason();
    expect([b.breaker.state, drawn]).toEqual(['open', 1]);
    b.adv(10_000);
    expect([b.breaker.state, drawn]).toEqual(['half_open', 2]);
    for (let i = 0; i < 2; i++) b.acq().success(1);
    expect([b.breaker.state, drawn]).toEqual(['closed', 3]);
  });
});

describe('permits', () => {
  it('[B14] a client error is a success that no quantile sees', () => {
    const latency = { floorMs: 0 };
    const options = withRecovery(R, { admission: { kind: 'percent', share: 1 }, latency });
    const b = bench({
      ...options,
      window: { kind: 'time', durationMs: 1_000, buckets: 4 },
      trip: [{ kind: 'consecutive', failures: 4 }],
      slowMs: 10_000,
    });
    for (let i = 0; i < 200; i++) {
      b.acq().success(30);
      b.adv(20);
    }
    b.trip();
    b.adv(10_000);
    for (let i = 0; i < 20; i++) {
      expect(b.acq().failure('client_error', 900)).toBe('counted');
      b.adv(20);
    }
    expect(b.status()).toMatchObject({ hold: null, ledger: { successes: 20, failures: 0 } });
    for (let i = 0; i < 5; i++) {
      b.acq().success(900);
      b.adv(20);
    }
    expect(b.status().hold?.cause).toBe('latency');
  });

  it.each([undefined, -1, Number.NaN, Infinity])(
    '[B15] a latency of %d is the time since the admission',
    (latencyMs) => {
      const b = bench();
      const told: number[] = [];
      b.breaker.onSettle((settlement) => told.push(settlement.latencyMs));
      const permit = b.acq();
      b.adv(70);
      permit.success(latencyMs);
      expect(told).toEqual([70]);
    },
  );

  it.each(['nonsense', undefined, 7, {}, null])(
    '[B16] [W26] a failure of kind %o is a server error',
    (kind) => {
      const b = bench();
      expect(b.acq().failure(kind as FailureKind)).toBe('counted');
      expect(b.status().counters.settled.server_error).toBe(1);
    },
  );

  it('[B17] in flight are permits of this epoch that have neither settled nor expired', () => {
    const b = bench();
    const [first] = [b.acq(), b.acq()];
    expect(b.status().inFlight).toBe(2);
    first?.success();
    expect(b.status().inFlight).toBe(1);
    b.adv(29_000);
    b.acq();
    b.adv(1_000);
    expect(b.status().inFlight).toBe(1);
    for (let i = 0; i < 4; i++) b.tryAcq()?.failure('server_error');
    expect(b.status()).toMatchObject({ state: 'open', inFlight: 0 });
  });

  it('[B18] a call that does not say is taken to be idempotent', () => {
    const b = halfOpen(withRecovery(R, { admission: whole, writesFromStep: 1 }));
    expect(b.breaker.tryAcquire({ idempotent: false })).toMatchObject({ reason: 'kind' });
    expect(b.breaker.tryAcquire()).toMatchObject({ granted: true, idempotent: true });
  });
});

describe('closed', () => {
  it('[B22] of several policies that hold the first in the list is the reason', () => {
    const policies = [
      { kind: 'ratio', rate: 0.5, minimumCalls: 3 },
      { kind: 'consecutive', failures: 3 },
    ] as const;
    for (const trip of [policies, policies.toReversed()]) {
      const b = bench({ ...D, trip });
      for (let i = 0; i < 3; i++) b.acq().failure('server_error');
      expect(b.of('opened')[0]?.reason).toBe(trip[0]?.kind);
    }
  });

  it('[B23] a run of failures ends with an answer and with the epoch', () => {
    const b = bench({ ...D, trip: [{ kind: 'consecutive', failures: 3 }] });
    const fail = (n: number) => {
      for (let i = 0; i < n; i++) b.acq().failure('server_error');
    };
    fail(2);
    b.acq().failure('client_error');
    fail(2);
    b.acq().cancel();
    b.breaker.reset();
    fail(2);
    expect(b.breaker.state).toBe('closed');
    fail(1);
    expect(b.breaker.state).toBe('open');
  });

  it('[B24] a timeout is slow, however short; another failure is not, however long', () => {
    const b = bench({
      ...D,
      slowMs: 1_000,
      trip: [{ kind: 'slow', slowMs: 1_000, rate: 1, minimumCalls: 10 }],
    });
    const told: boolean[] = [];
    b.breaker.onSettle(({ slow }) => told.push(slow));
    b.acq().success(1_000);
    b.acq().success(999);
    b.acq().failure('timeout', 5);
    b.acq().failure('server_error', 5_000);
    expect(b.status()).toMatchObject({ window: { calls: 4, slow: 2 }, counters: { slow: 2 } });
    expect(told).toEqual([true, false, true, false]);
  });
});

describe('open', () => {
  it.each([
    [{ kind: 'fixed', baseMs: 1_000, jitter: 0.5 }, 0, 1_000],
    [{ kind: 'fixed', baseMs: 1_000, jitter: 0.5, minMs: 0 }, 0, 500],
    [{ kind: 'fixed', baseMs: 1_000, jitter: 0.5 }, 0.999_999, 1_500],
    [{ kind: 'exponential', baseMs: 60_000, jitter: 0.5, maxMs: 60_000 }, 0.9, 60_000],
    [{ kind: 'adaptive', baseMs: 50_000, jitter: 0.5, maxMs: 60_000 }, 0.9, 60_000],
  ] as const)('[B33] the jitter of %o keeps its bounds', (open, random, expected) => {
    const b = bench({ ...D, open }, random);
    b.trip();
    expect(b.status().openTimeoutMs).toBeCloseTo(expected, 0);
  });
});

describe('events', () => {
  it('[B82] from and to are effective states in one unbroken line', () => {
    const b = bench();
    b.trip();
    const hold = b.breaker.override('forced_closed', by);
    hold.release();
    b.trip();
    b.adv(10_000);
    b.acq().success();
    const line = b.events.map((event) => `${event.from}>${event.to}`);
    expect(line).toEqual([
      'closed>open',
      'open>forced_closed',
      'forced_closed>closed',
      'closed>open',
      'open>half_open',
      'half_open>closed',
    ]);
  });

  it('[B83] refusals are counted by reason and are no events', () => {
    const b = bench();
    b.trip();
    const before = b.types();
    for (let i = 0; i < 7; i++) b.reason();
    expect(b.types()).toEqual(before);
    expect(b.status().counters.rejected.open).toBe(7);
  });
});

describe('snapshot', () => {
  it('[B35] [I28] a level that has decayed before the snapshot does not decay again', () => {
    const options: BreakerOptions = {
      ...D,
      open: { kind: 'exponential', baseMs: 10_000, jitter: 0, decayEveryMs: 20_000 },
    };
    const b = bench(options);
    b.trip();
    for (let i = 0; i < 3; i++) {
      b.adv(b.status().retryInMs ?? 0);
      b.acq().failure('server_error');
    }
    b.adv(b.status().retryInMs ?? 0);
    b.acq().success();
    b.adv(50_000);
    expect(b.status().level).toBe(1);
    const saved = b.breaker.snapshot();
    let now = 0;
    const wallClock = () => saved.takenAtWallMs;
    const restored = CircuitBreaker.restore(
      'x',
      { ...options, clock: () => now, wallClock },
      saved,
    );
    expect(restored.status().level).toBe(1);
    now += 9_999;
    b.adv(9_999);
    expect([restored.status().level, b.status().level]).toEqual([1, 1]);
    now += 1;
    b.adv(1);
    expect([restored.status().level, b.status().level]).toEqual([0, 0]);
  });
});
