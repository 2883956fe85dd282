import { describe, expect, it } from 'vitest';
import type { BreakerOptions, RecoveryOptions } from '@/lib/breaker';
import { bench, R, withRecovery } from './support';

/** Half-open, with a recovery that lasts. */
function recovering(recovery: RecoveryOptions, more: BreakerOptions = {}) {
  const b = bench({
    ...withRecovery(R, {
      admission: { kind: 'percent', share: 1 },
      maxInFlight: 50,
      minimumSuccesses: 1_000,
      failureBudget: 99,
      maxHalfOpenMs: 1e9,
      maxStepWaitMs: 1e9,
      pendingLimitMs: 1e9,
      ...recovery,
    }),
    ...more,
  });
  b.trip();
  b.adv(10_000);
  expect(b.breaker.state).toBe('half_open');
  return b;
}

/** Nothing is granted by the progress rule, and the step does not end. */
const enough: RecoveryOptions = { minimumSuccesses: 0, stepMs: 1e6 };

type Bench = ReturnType<typeof bench>;
const reasons = (b: Bench, n: number) => Array.from({ length: n }, () => b.reason());

describe('[B44] sticky keys', () => {
  it.each([
    ['customer-7', 4_818],
    ['a', 7_313],
    ['42', 5_682],
  ])('%j has place %d of 10,000, in every process and version', (key, place) => {
    const admitted = (basisPoints: number) => {
      const admission = { kind: 'sticky', steps: [basisPoints / 10_000] } as const;
      return recovering({ admission, ...enough }).breaker.tryAcquire({ key }).granted;
    };
    expect([place - 1, place, place + 1].map(admitted)).toEqual([false, false, true]);
  });

  it('[B107] a bigint is its text', () => {
    for (const key of [7n, 12_345_678_901_234_567_890n]) {
      const b = recovering({
        admission: { kind: 'sticky', steps: [0.5] },
        minProbeIntervalMs: 1e9,
      });
      b.acq().success(1);
      const ask = (given: unknown) =>
        Array.from({ length: 4 }, () => b.breaker.tryAcquire({ key: given as string }).granted);
      expect(ask(key)).toEqual(ask(String(key)));
      expect(new Set(ask(key)).size).toBe(1);
    }
  });

  it('[B42] without sticky a key changes nothing: the share is spent by everyone', () => {
    const b = recovering({ admission: { kind: 'percent', share: 0.5 }, minProbeIntervalMs: 1e9 });
    let granted = 0;
    for (let i = 0; i < 200; i++) {
      const permit = b.breaker.tryAcquire({ key: 'ann' });
      if (!permit.granted) continue;
      granted++;
      permit.success(1);
    }
    expect(granted).toBeGreaterThanOrEqual(99);
    expect(granted).toBeLessThanOrEqual(101);
  });
});

describe('[B46] idempotent first', () => {
  const first: RecoveryOptions = {
    admission: { kind: 'ramp', steps: [1, 1] },
    writesFromStep: 1,
    allowWrites: true,
    idempotentWaitMs: 1_000,
  };

  it('a write waits since the last idempotent arrival, not since the step began', () => {
    const b = recovering(first);
    b.adv(900);
    b.acq(true).success(1);
    b.adv(999);
    expect(b.reason(false)).toBe('kind');
    b.adv(1);
    expect(b.reason(false)).toBe('granted');
  });

  it('an arrival that was refused counts as one, too', () => {
    const b = recovering({ ...first, maxInFlight: 1 });
    const probe = b.acq(true);
    b.adv(900);
    expect(b.reason(true)).toBe('in_flight');
    probe.success(1);
    b.adv(999);
    expect(b.reason(false)).toBe('kind');
    b.adv(1);
    expect(b.reason(false)).toBe('granted');
  });
});

const fixed = (calls: number, periodMs: number, recovery: RecoveryOptions = {}) =>
  recovering({
    admission: { kind: 'fixed', calls, periodMs },
    minProbeIntervalMs: 1e9,
    maxInconclusive: 100,
    ...recovery,
  });

describe('[B43] calls per period', () => {
  it('a cancelled probe gives its place back, at any time of the period', () => {
    for (const ms of [0, 100, 999]) {
      const b = fixed(1, 1_000);
      b.adv(ms);
      const probe = b.acq();
      expect(b.reason()).toBe('share');
      probe.cancel();
      expect(reasons(b, 2)).toEqual(['granted', 'share']);
    }
  });

  it('one of an earlier period gives nothing to the next', () => {
    const b = fixed(1, 1_000, { maxInFlight: 1 });
    const earlier = b.acq();
    b.adv(1_000);
    expect(b.reason()).toBe('in_flight');
    earlier.cancel();
    b.acq().success(1);
    expect(b.reason()).toBe('share');
  });

  it('a success takes its place', () => {
    const b = fixed(2, 1_000);
    b.acq().success(1);
    b.acq().success(1);
    expect(b.reason()).toBe('share');
    b.adv(1_000);
    expect(reasons(b, 3)).toEqual(['granted', 'granted', 'share']);
  });

  it('[B48] after too many that said nothing no place comes back', () => {
    const b = fixed(2, 100_000, { maxInconclusive: 1, minProbeIntervalMs: 1_000 });
    b.acq();
    b.acq().cancel();
    b.adv(1_000);
    expect(b.reason()).toBe('share');
  });
});

describe('[B48] probes that say nothing', () => {
  it('then come one by one, by the share and after the interval, even beside one under way', () => {
    const b = recovering({ maxInconclusive: 1, minProbeIntervalMs: 1_000 });
    b.acq().cancel();
    expect(b.reason()).toBe('share');
    b.adv(1_000);
    expect(reasons(b, 2)).toEqual(['granted', 'share']);
    b.adv(1_000);
    expect(reasons(b, 2)).toEqual(['granted', 'share']);
  });

  it('a limit of 0 asks for one of them first', () => {
    const b = recovering({ maxInconclusive: 0, minProbeIntervalMs: 1_000 });
    expect(reasons(b, 3)).toEqual(['granted', 'granted', 'granted']);
    b.acq().ignore();
    expect(b.reason()).toBe('share');
  });

  it('those of an earlier step do not count in this one', () => {
    const b = recovering({
      admission: { kind: 'ramp', steps: [1, 1] },
      stepMs: 0,
      minimumSuccesses: [1, 1_000],
      maxInconclusive: 1,
      minProbeIntervalMs: 1_000,
    });
    const earlier = b.acq();
    b.acq().success(1);
    expect(b.status().step).toBe(1);
    expect(earlier.cancel()).toBe('inconclusive');
    expect(reasons(b, 2)).toEqual(['granted', 'granted']);
  });
});

/** 0.06 calls a ms, six at once. */
const known = (recovery: RecoveryOptions = {}) => {
  const b = bench({
    ...withRecovery(R, {
      admission: { kind: 'percent', share: 1 },
      maxInFlight: 50,
      minimumSuccesses: 1_000,
      maxHalfOpenMs: 1e9,
      minProbeIntervalMs: 5,
      ...recovery,
    }),
    window: { kind: 'time', durationMs: 1_000, buckets: 4 },
    trip: [{ kind: 'consecutive', failures: 4 }],
  });
  for (let i = 0; i < 200; i++) {
    b.acq().success(1);
    b.adv(20);
  }
  b.trip();
  b.adv(10_000);
  return b;
};

describe('[B45] the rate', () => {
  it('[B47] a probe by the progress rule is not paid for', () => {
    const b = known();
    for (let i = 0; i < 6; i++) b.acq().success(1);
    expect(b.reason()).toBe('rate');
    b.adv(5);
    b.acq();
    expect(b.reason()).toBe('rate');
    b.adv(12);
    expect(reasons(b, 2)).toEqual(['granted', 'rate']);
  });

  it('what it lacks is told as the rate, what the share lacks as the share', () => {
    const b = known({ minProbeIntervalMs: 1e9 });
    expect(reasons(b, 8)).toEqual([...Array.from({ length: 6 }, () => 'granted'), 'rate', 'rate']);
    const half = known({ admission: { kind: 'percent', share: 0.5 }, minProbeIntervalMs: 1e9 });
    expect(reasons(half, 3)).toEqual(['granted', 'share', 'granted']);
  });
});

describe('[B47] the progress rule', () => {
  const thin = { kind: 'percent', share: 0.01 } as const;

  it('waits the interval, to the millisecond, and while something is under way', () => {
    const b = recovering({ admission: thin, minProbeIntervalMs: 1_000 });
    const probe = b.acq();
    b.adv(2_000);
    expect(b.reason()).toBe('share');
    probe.success(1);
    b.acq().success(1);
    b.adv(999);
    expect(b.reason()).toBe('share');
    b.adv(1);
    expect(b.reason()).toBe('granted');
  });

  it('[B64] holds while a hold waits for samples, though the step has enough', () => {
    const b = recovering({ admission: thin, ...enough, latency: {} });
    expect(b.reason()).toBe('share');
    b.breaker.noteLoopDelay(5_000);
    expect(b.status().hold?.cause).toBe('self');
    expect(b.reason()).toBe('granted');
  });

  it('an adaptive share asks for one good answer per look, no more', () => {
    const b = recovering({
      admission: { kind: 'adaptive', low: 0.01, high: 1, evalEveryMs: 50_000 },
      minimumSuccesses: 0,
      stepMs: 0,
    });
    b.acq().success(1);
    b.adv(2_000);
    expect(b.reason()).toBe('share');
    b.adv(48_000);
    expect(b.reason()).toBe('granted');
  });

  it('[D14] comes as often for all that share the recovery as for one alone', () => {
    const b = recovering({ admission: thin, minProbeIntervalMs: 1_000 });
    b.breaker.limitProbes({ forMs: 1e9, againAfterMs: 0, sharedBy: 4, afterwardsSharedBy: 1 });
    b.acq().success(1);
    b.adv(3_999);
    expect(b.breaker.tryAcquire()).toMatchObject({ reason: 'share', retryAfterMs: 1 });
    b.adv(1);
    expect(b.reason()).toBe('granted');
  });
});

describe('[D10] [D14] leave from others', () => {
  it('without it there is none, and the reason is the share', () => {
    const b = recovering({});
    b.breaker.limitProbes({ forMs: 100, againAfterMs: 500, sharedBy: 1, afterwardsSharedBy: 1 });
    b.adv(99);
    expect(b.reason()).toBe('granted');
    b.adv(1);
    expect(b.reason()).toBe('share');
    expect(b.status().counters.rejected.share).toBe(1);
    b.adv(399);
    expect(b.reason()).toBe('share');
    b.adv(1);
    expect(b.reason()).toBe('granted');
  });

  it.each([
    [0, 8],
    [1, 8],
    [2, 4],
    [8, 1],
    [20, 1],
  ])('a cap of 8 among %d is %d', (sharedBy, most) => {
    const b = recovering({ maxInFlight: 8 });
    b.breaker.limitProbes({ forMs: 1e9, againAfterMs: 0, sharedBy, afterwardsSharedBy: 1 });
    expect(reasons(b, 9).filter((reason) => reason === 'granted')).toHaveLength(most);
  });

  it('to the instant: among four while it lasts, alone afterwards', () => {
    const b = recovering({ maxInFlight: 8 });
    b.breaker.limitProbes({ forMs: 100, againAfterMs: 0, sharedBy: 4, afterwardsSharedBy: 1 });
    expect(reasons(b, 3)).toEqual(['granted', 'granted', 'in_flight']);
    b.adv(99);
    expect(b.reason()).toBe('in_flight');
    b.adv(1);
    expect(reasons(b, 7)).toEqual([...Array.from({ length: 6 }, () => 'granted'), 'in_flight']);
  });

  it.each([
    { calls: 4, sharedBy: 2, perPeriod: 2, everyMs: 1_000 },
    { calls: 1, sharedBy: 3, perPeriod: 1, everyMs: 3_000 },
    { calls: 2, sharedBy: 3, perPeriod: 1, everyMs: 2_000 },
  ])('$calls a period among $sharedBy: $perPeriod each $everyMs ms', (example) => {
    const { calls, sharedBy, perPeriod, everyMs } = example;
    const admission = { kind: 'fixed', calls, periodMs: 1_000 } as const;
    const b = recovering({ admission, minProbeIntervalMs: 1e9 });
    b.breaker.limitProbes({ forMs: 1e9, againAfterMs: 0, sharedBy, afterwardsSharedBy: 1 });
    const granted: number[] = [];
    for (let ms = 0; ms < 6_000; ms += 250) {
      for (const reason of reasons(b, 5)) if (reason === 'granted') granted.push(ms);
      b.adv(250);
    }
    const expected = Array.from({ length: 6_000 / everyMs }, (_, k) => k * everyMs);
    expect(granted).toEqual(expected.flatMap((ms) => Array.from({ length: perPeriod }, () => ms)));
  });
});

describe('[B52] a step that asks for nothing', () => {
  it('goes on when its time is over, with the probe still under way', () => {
    const b = recovering({
      admission: { kind: 'ramp', steps: [1, 1] },
      minimumSuccesses: 0,
      stepMs: 1_000,
    });
    b.adv(500);
    b.acq();
    b.adv(5_000);
    expect(b.of('step')).toMatchObject([{ step: 1, monoMs: 1_000 + 10_000 + 1_500 }]);
  });
});

describe('[B11] permits of another time', () => {
  it('an old success is late, though the breaker is closed and busy again', () => {
    const b = recovering({ minimumSuccesses: 1, stepMs: 0 });
    const old = b.acq();
    b.acq().success(1);
    expect(b.breaker.state).toBe('closed');
    b.acq().success(1);
    const { settled } = b.status().counters;
    expect(old.success(1)).toBe('late');
    expect(b.status().counters.settled).toEqual(settled);
  });

  it.each([
    [29_999, 'late'],
    [30_000, 'expired'],
  ])('after %d ms it is %s', (ms, receipt) => {
    const b = bench();
    const old = b.acq();
    b.breaker.reset();
    b.adv(ms);
    expect(old.success(1)).toBe(receipt);
  });
});
