import { describe, expect, it } from 'vitest';
import type { BreakerOptions, RecoveryOptions } from '@/lib/breaker';
import { bench, R, withRecovery } from './support';

const whole = { kind: 'percent', share: 1 } as const;

function recovering(recovery: RecoveryOptions, random = 0.5) {
  const b = bench(withRecovery(R, recovery), random);
  b.trip();
  b.adv(10_000);
  expect(b.breaker.state).toBe('half_open');
  return b;
}

/** Half-open after ten seconds in which a call came every `everyMs` and took `latencyMs`. */
function learned(recovery: RecoveryOptions, everyMs: number, latencyMs: number) {
  const options: BreakerOptions = {
    ...withRecovery(R, recovery),
    window: { kind: 'time', durationMs: 1_000, buckets: 4 },
    trip: [{ kind: 'consecutive', failures: 4 }],
    slowMs: 100_000,
  };
  const b = bench(options);
  for (let ms = 0; ms < 10_000; ms += everyMs) {
    b.acq().success(latencyMs);
    b.adv(everyMs);
  }
  b.trip();
  b.adv(10_000);
  return b;
}

const arrivals = (b: ReturnType<typeof bench>, n: number) =>
  Array.from({ length: n }, () => b.tryAcq()).filter((permit) => permit !== null);

describe('the phase of the share', () => {
  it('[B42] [W11] where in a run of arrivals the admitted ones stand is drawn anew', () => {
    const positions = [0, 0.25, 0.5, 0.999].map((random) => {
      const b = recovering({ minProbeIntervalMs: 1e9, maxInFlight: 99 }, random);
      b.acq();
      return Array.from({ length: 30 }, () => b.tryAcq() !== null).indexOf(true);
    });
    expect(new Set(positions).size).toBe(positions.length);
    expect(Math.max(...positions)).toBeLessThan(10);
  });
});

describe('[B41] the cap in flight', () => {
  it.each([
    // 20 a second that take 200 ms: 4 under way; twice the share of it, rounded up.
    [0.1, 50, 200, 2],
    [0.3, 50, 200, 3],
    [0.6, 50, 200, 5],
    [1, 50, 200, 8],
    // A hundred a second that take 1 s: 100 under way.
    [0.1, 10, 1_000, 20],
    [1, 10, 1_000, 200],
  ])('at a share of %d, one call per %d ms, %d ms each: %d', (share, everyMs, latencyMs, cap) => {
    const b = learned(
      { admission: { kind: 'percent', share }, maxInFlight: 'auto', minProbeIntervalMs: 0 },
      everyMs,
      latencyMs,
    );
    let most = 0;
    for (let i = 0; i < 4_000; i++) {
      b.adv(1);
      b.tryAcq();
      most = Math.max(most, b.status().inFlight);
    }
    expect(most).toBe(cap);
    expect(b.status().counters.rejected.in_flight).toBeGreaterThan(0);
  });

  it('fixed admission goes by no share and gets the cap and the rate of all of them', () => {
    const b = learned(
      { admission: { kind: 'fixed', calls: 1e6, periodMs: 1_000 }, maxInFlight: 'auto' },
      50,
      200,
    );
    for (let i = 0; i < 2_000; i++) {
      b.adv(1);
      b.tryAcq();
    }
    expect(b.status()).toMatchObject({ inFlight: 8, share: 0 });
  });

  it('a list is a cap per step; its last value holds for the rest', () => {
    const b = recovering({
      admission: { kind: 'ramp', steps: [1, 1, 1] },
      maxInFlight: [1, 3],
      stepMs: 0,
      minimumSuccesses: 1,
      pendingLimitMs: 1e9,
    });
    const caps: number[] = [];
    while (b.breaker.state === 'half_open') {
      const out = arrivals(b, 50);
      caps.push(b.status().inFlight);
      out[0]?.success(1);
      for (const permit of out) permit.cancel();
    }
    expect(caps).toEqual([1, 3, 3]);
  });
});

describe('[B45] the rate', () => {
  it.each([
    // 100 ms of a fifth more than the share of the normal rate, at least one; then the rate itself.
    [1, 10, 12, 120],
    [0.5, 10, 6, 60],
    [0.1, 10, 1, 12],
    [1, 100, 1, 12],
  ])(
    'a share of %d of one call per %d ms: %d at once, %d a second',
    (share, everyMs, atOnce, perS) => {
      const recovery = {
        admission: { kind: 'percent', share } as const,
        maxInFlight: 1e6,
        minimumSuccesses: 1e6,
        minProbeIntervalMs: 1e9,
        maxStepWaitMs: 1e9,
        latency: null,
      };
      const b = learned(recovery, everyMs, 1);
      // The first ones spend the tokens of the burst; a share of the arrivals comes that far.
      expect(arrivals(b, 500).length).toBe(atOnce);
      let granted = 0;
      for (let ms = 0; ms < 10_000; ms++) {
        b.adv(1);
        granted += arrivals(b, 3).length;
      }
      expect(Math.abs(granted - 10 * perS)).toBeLessThanOrEqual(1);
      expect(b.status().counters.rejected.rate).toBeGreaterThan(0);
    },
  );

  it('the next step may not jump: twice what was seen, scaled by the shares', () => {
    const b = learned(
      {
        admission: { kind: 'ramp', steps: [0.25, 0.5] },
        stepMs: 10_000,
        minimumSuccesses: [5, 1e6],
        maxInFlight: 1e6,
        maxStepWaitMs: 1e9,
        minProbeIntervalMs: 1e9,
      },
      10,
      1,
    );
    // 2 a second pass of 8 a second that come; four times as many may in the step after.
    while (b.status().step === 0) {
      b.tryAcq()?.success(1);
      b.adv(125);
    }
    let granted = 0;
    for (let ms = 0; ms < 10_000; ms++) {
      b.adv(1);
      granted += arrivals(b, 3).length;
    }
    expect(granted).toBeGreaterThanOrEqual(79);
    expect(granted).toBeLessThanOrEqual(84);
  });
});

describe('[B43] a fixed number a period', () => {
  it('periods count from the start of the step', () => {
    const b = recovering({
      admission: { kind: 'fixed', calls: 2, periodMs: 100 },
      maxInFlight: 99,
      minimumSuccesses: 1e6,
      minProbeIntervalMs: 1e9,
    });
    expect(arrivals(b, 5)).toHaveLength(2);
    b.adv(99);
    expect(arrivals(b, 5)).toHaveLength(0);
    b.adv(1);
    expect(arrivals(b, 5)).toHaveLength(2);
    b.adv(250);
    expect(arrivals(b, 5)).toHaveLength(2);
  });

  it('a place comes back in its own period only, and never more than were taken', () => {
    const b = recovering({
      admission: { kind: 'fixed', calls: 2, periodMs: 100 },
      maxInFlight: 99,
      minimumSuccesses: 1e6,
      minProbeIntervalMs: 1e9,
    });
    const [first, second] = arrivals(b, 2);
    first?.cancel();
    expect(arrivals(b, 5)).toHaveLength(1);
    b.adv(100);
    second?.cancel();
    expect(arrivals(b, 5)).toHaveLength(2);
    expect(b.status().ledger?.admitted).toBe(5);
  });
});

describe('[B48] probes that say nothing', () => {
  it.each([0, 1, 3])('with a limit of %i', (maxInconclusive) => {
    const limit = Math.max(1, maxInconclusive);
    const b = recovering({
      admission: whole,
      maxInFlight: 99,
      maxInconclusive,
      minProbeIntervalMs: 500,
      minimumSuccesses: 9,
    });
    for (let i = 0; i < limit; i++) {
      expect(b.of('starved')).toEqual([]);
      b.acq().cancel();
    }
    expect(b.of('starved')).toMatchObject([{ reason: 'inconclusive' }]);
    expect(b.reason()).toBe('share');
    b.adv(499);
    expect(b.reason()).toBe('share');
    b.adv(1);
    b.acq().cancel();
    expect(b.reason()).toBe('share');
    expect(b.of('starved')).toHaveLength(1);
  });
});

describe('[B47] progress', () => {
  const trickle = {
    admission: { kind: 'percent', share: 0.0001 },
    maxInFlight: 9,
    minimumSuccesses: 1,
    stepMs: 5_000,
  } as const;

  it('a step that has its samples gets no more of them out of turn', () => {
    const b = recovering(trickle);
    b.acq().success(1);
    b.adv(2_000);
    expect(b.reason()).toBe('share');
  });

  it.each([
    [{ kind: 'consecutive', successes: 2 }],
    [{ kind: 'windowRate', successes: 1, of: 2 }],
  ] as const)('but an undecided one does: %o', (decision) => {
    const b = recovering({ ...trickle, decision });
    b.acq().success(1);
    expect(b.reason()).toBe('share');
    b.adv(1_000);
    expect(b.reason()).toBe('granted');
  });

  it('a refused call hears when another try makes sense', () => {
    const b = recovering({ ...trickle, minProbeIntervalMs: 700 });
    b.acq();
    expect(b.breaker.tryAcquire()).toMatchObject({ reason: 'share', retryAfterMs: 700 });
    b.adv(300);
    expect(b.breaker.tryAcquire()).toMatchObject({ retryAfterMs: 400 });
    b.adv(5_000);
    expect(b.breaker.tryAcquire()).toMatchObject({ retryAfterMs: 0 });
  });
});
