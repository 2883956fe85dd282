import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions, Permit } from '@/lib/breaker';
import { runs } from '@/tests/support/runs';
import { generator } from './player';
import { bench, D, R, withRecovery } from './support';

/** In half-open, at step 0. */
function recovering(options: BreakerOptions = R, random = 0.5) {
  const b = bench(options, random);
  b.trip();
  b.adv(10_000);
  expect(b.breaker.state).toBe('half_open');
  return b;
}

function once(gate: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    gate.addEventListener('open', () => resolve(), { once: true });
  });
}

/** The life of a probe, in ms. */
function life(options: BreakerOptions): number {
  const probe = recovering({ ...D, ...options }).acq();
  return probe.expiresAt - probe.admittedAt;
}

/** One more failed recovery. */
function fail(b: ReturnType<typeof bench>): void {
  b.adv(b.status().retryInMs ?? 0);
  b.acq().failure('server_error');
}

describe('half-open admission', () => {
  it('[case 10] [case 11] [W28] fifty arrivals, one probe; its failure reopens', () => {
    const b = recovering(D);
    const granted = Array.from({ length: 50 }, () => b.tryAcq()).filter((p) => p !== null);
    expect(granted).toHaveLength(1);
    granted[0]?.failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('[case 13] run and tryAcquire share the one way in [W41]', async () => {
    const b = recovering(D);
    const gate = new EventTarget();
    const first = b.breaker.run(() => once(gate));
    expect(b.reason()).toBe('in_flight');
    await expect(b.breaker.run(() => 1)).rejects.toMatchObject({ reason: 'in_flight' });
    expect(b.status().counters.probes).toBe(1);
    gate.dispatchEvent(new Event('open'));
    await first;
    expect(b.breaker.state).toBe('closed');
  });

  it('[case 14] three at a time means three of a hundred', () => {
    const b = recovering(
      withRecovery(D, {
        maxInFlight: 3,
        admission: { kind: 'fixed', calls: 3, periodMs: 1 },
        minimumSuccesses: 3,
      }),
    );
    expect(Array.from({ length: 100 }, () => b.tryAcq()).filter(Boolean)).toHaveLength(3);
  });

  it.each([
    [1, 1],
    [2, 2],
  ])('[case 17] a budget of %i lets failure number %i decide', (failureBudget, decisive) => {
    const b = recovering(
      withRecovery(D, {
        maxInFlight: 3,
        admission: { kind: 'fixed', calls: 3, periodMs: 1 },
        failureBudget,
        minimumSuccesses: 3,
      }),
    );
    for (let i = 1; i <= decisive; i++) {
      expect(b.breaker.state).toBe('half_open');
      b.acq().failure('server_error');
    }
    expect(b.breaker.state).toBe('open');
  });

  it('[case 19] the third success closes where three are asked for', () => {
    const b = recovering(withRecovery(D, { minimumSuccesses: 3 }));
    for (const state of ['half_open', 'half_open', 'closed']) {
      b.acq().success();
      b.adv(1);
      expect(b.breaker.state).toBe(state);
    }
  });

  it('[B42] [case 99] [case 101] [W10] [W11] the share is met within one call in any run', () => {
    for (const random of [0, 0.5, 0.999]) {
      const b = recovering(
        withRecovery(R, { minimumSuccesses: 1_000, minProbeIntervalMs: 1e9, maxInFlight: 100 }),
        random,
      );
      b.acq().success();
      const granted: boolean[] = [];
      for (let i = 0; i < 1_000; i++) {
        const permit = b.tryAcq();
        granted.push(permit !== null);
        permit?.success();
      }
      for (let from = 0; from + 50 <= 1_000; from += 7) {
        expect(granted.slice(from, from + 50).filter(Boolean).length).toBe(5);
      }
    }
  });

  it('[W13] the arrival that finds the open time over is a probe like any other', () => {
    const b = recovering();
    const probe = b.acq();
    expect(probe).toMatchObject({ probe: true, step: 0, role: 'probe' });
    expect(b.status().ledger?.admitted).toBe(1);
  });

  it('[W7] a hanging target never advances the ramp', () => {
    const b = recovering();
    for (let i = 0; i < 250; i++) {
      b.adv(100);
      b.tryAcq();
    }
    expect(b.types()).not.toContain('step');
    expect(b.types()).not.toContain('closed');
    expect(b.status().counters.probes).toBeLessThanOrEqual(4);
  });

  it('[B52] [W7] [I13] a probe older than the pending limit blocks the advance', () => {
    const b = recovering(
      withRecovery(R, {
        pendingLimitMs: 1_000,
        minProbeIntervalMs: 0,
        maxInFlight: 20,
        admission: { kind: 'ramp', steps: [1, 1] },
      }),
    );
    const hanging = b.acq();
    for (let i = 0; i < 8; i++) {
      b.acq().success();
      b.adv(1_000);
    }
    expect(b.status().step).toBe(0);
    hanging.success();
    expect(b.status().step).toBe(1);
  });

  it('[W8] [W9] one call per six seconds needs the minimum in every step', () => {
    const b = recovering();
    let calls = 0;
    while (b.breaker.state !== 'closed' && calls < 200) {
      b.tryAcq()?.success();
      calls++;
      b.adv(6_000);
    }
    expect(calls).toBe(20);
  });

  it('[B59] [W8] [I11] time alone changes nothing', () => {
    const b = recovering(withRecovery(R, { maxHalfOpenMs: 1e9 }));
    b.adv(50_000_000);
    expect(b.status().step).toBe(0);
    expect(b.of('starved')).toHaveLength(1);
  });

  it('[B53] [W8] the step clock starts with the first admission [I12]', () => {
    const b = recovering(withRecovery(R, { admission: { kind: 'ramp', steps: [1, 1] } }));
    b.adv(60_000);
    for (let i = 0; i < 5; i++) b.acq().success();
    b.adv(4_999);
    expect(b.status().step).toBe(0);
    b.adv(1);
    expect(b.status().step).toBe(1);
  });

  it('[W14] [W15] a failure of the step before is not lost to the new books', () => {
    const b = recovering(
      withRecovery(R, {
        stepMs: 0,
        minimumSuccesses: 1,
        failureBudget: 2,
        pendingLimitMs: 1e6,
        maxInFlight: 9,
        admission: { kind: 'ramp', steps: [1, 1, 1] },
      }),
    );
    const [first, second] = [b.acq(), b.acq()];
    b.acq().success();
    first.failure('server_error');
    second.failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('[B51] [W16] the statistical budget grows with the calls', () => {
    const b = recovering(
      withRecovery(R, {
        failureBudget: 'statistical',
        stepMs: 1e6,
        maxInFlight: 50,
        admission: { kind: 'ramp', steps: [1, 1] },
        minimumSuccesses: [1, 1e6],
        pendingLimitMs: 1e6,
        maxHalfOpenMs: 1e9,
      }),
    );
    b.acq().success();
    b.adv(1_000_000);
    expect(b.status().step).toBe(1);
    for (let i = 0; i < 197; i++) b.acq().success();
    for (let i = 0; i < 3; i++) b.acq().failure('server_error');
    expect(b.status().ledger?.budget).toBe(4);
    expect(b.breaker.state).toBe('half_open');
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('[B51] in the first step one failure is enough, whatever the statistics', () => {
    const b = recovering(withRecovery(R, { failureBudget: 'statistical' }));
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('[W21] [I6] the cap holds however many arrive', () => {
    const b = recovering(
      withRecovery(R, { maxInFlight: [2, 8], admission: { kind: 'percent', share: 1 } }),
    );
    expect(Array.from({ length: 500 }, () => b.tryAcq()).filter(Boolean)).toHaveLength(2);
    expect(b.reason()).toBe('in_flight');
  });

  it('[I31] a dead target sees at most the first step of every round', () => {
    const b = bench(withRecovery(R, { maxInFlight: 'auto' }));
    b.trip();
    for (let round = 0; round < 20; round++) {
      const before = b.status().counters.probes;
      for (let i = 0; i < 400; i++) {
        b.adv(100);
        b.tryAcq()?.failure('timeout');
      }
      const rounds = Math.ceil(40_000 / 10_000);
      expect(b.status().counters.probes - before).toBeLessThanOrEqual(rounds * (2 + 1));
    }
  });

  it('[B46] idempotent calls go first', () => {
    const b = recovering(withRecovery(R, { idempotentWaitMs: 3_000 }));
    expect(b.reason(false)).toBe('kind');
    b.adv(2_999);
    expect(b.reason(false)).toBe('kind');
    b.adv(1);
    expect(b.reason(false)).toBe('granted');
  });

  it('[B46] without allowWrites only later steps let others in', () => {
    const b = recovering(
      withRecovery(R, { stepMs: 0, minimumSuccesses: 1, writesFromStep: 1, allowWrites: false }),
    );
    b.adv(60_000);
    expect(b.reason(false)).toBe('kind');
    b.acq(true).success();
    b.adv(1_000);
    expect(b.status().step).toBe(1);
    expect(b.reason(false)).toBe('granted');
  });

  it('[B46] a target that gets nothing but writes recovers by default', () => {
    const b = recovering(withRecovery(R, { idempotentWaitMs: 3_000 }));
    for (let call = 0; call < 400 && b.breaker.state === 'half_open'; call++) {
      const permit = b.breaker.tryAcquire({ idempotent: false });
      if (permit.granted) permit.success(5);
      b.adv(200);
    }
    expect(b.breaker.state).toBe('closed');
  });

  it('[B44] sticky sets are nested: who is in at 10 % stays in at 50 %', () => {
    const b = recovering(
      withRecovery(R, {
        admission: { kind: 'sticky', steps: [0.1, 0.5] },
        stepMs: 0,
        minimumSuccesses: 1,
        maxInFlight: 1_000,
        minProbeIntervalMs: 1e9,
      }),
    );
    b.breaker.tryAcquire({ key: 'first' });
    const ask = (key: string): Permit | null => {
      const permit = b.breaker.tryAcquire({ key });
      if (permit.granted) permit.cancel();
      return permit.granted ? permit : null;
    };
    const keys = Array.from({ length: 2_000 }, (_, i) => `customer-${i}`);
    const b2 = withoutCancelLimit();
    const low = keys.filter((key) => b2(key));
    expect(low.length).toBeGreaterThan(140);
    expect(low.length).toBeLessThan(260);
    expect(low.filter((key) => b2(key))).toEqual(low);
    expect(ask(low[0] ?? '')).not.toBeNull();

    function withoutCancelLimit() {
      const c = recovering(
        withRecovery(R, {
          admission: { kind: 'sticky', steps: [0.1] },
          maxInconclusive: 1e6,
          maxInFlight: 10,
          minProbeIntervalMs: 1e9,
        }),
      );
      c.acq();
      return (key: string) => {
        const permit = c.breaker.tryAcquire({ key });
        if (permit.granted) permit.cancel();
        return permit.granted;
      };
    }
  });

  it('[B49] [case 107] [W36] the probe deadline is a part of the timeout, with a floor', () => {
    expect(life({ callTimeoutMs: 30_000, probeTimeoutFraction: 0.5 })).toBe(15_000);
    expect(
      life(
        withRecovery({ ...D, callTimeoutMs: 100, probeTimeoutFraction: 0.1 }, { probeFloorMs: 60 }),
      ),
    ).toBe(60);
    expect(life({ callTimeoutMs: 80, probeTimeoutFraction: 0.5 })).toBe(80);
    expect(life({ callTimeoutMs: 30_000, probeTimeoutFraction: 0.5, permitGraceMs: 7 })).toBe(
      15_007,
    );
  });

  it('[B55] [B57] soft fallback goes one step down, the first step down goes to open', () => {
    const b = recovering(
      withRecovery(R, {
        softFallback: true,
        stepMs: 0,
        minimumSuccesses: 1,
        failureBudget: 9,
        maxInFlight: 9,
        decision: { kind: 'windowRate', successes: 1, of: 2 },
        admission: { kind: 'ramp', steps: [1, 1] },
      }),
    );
    for (let i = 0; i < 2; i++) {
      b.acq().success();
      b.adv(1);
    }
    expect(b.status().step).toBe(1);
    for (let i = 0; i < 2; i++) b.acq().failure('server_error');
    expect(b.status().step).toBe(0);
    expect(b.of('step').at(-1)?.data.cause).toBe('soft_fallback');
    for (let i = 0; i < 2; i++) b.acq().failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('[B55] [B56] undecided neither advances nor falls back', () => {
    const b = recovering(
      withRecovery(R, {
        stepMs: 0,
        minimumSuccesses: 1,
        failureBudget: 9,
        decision: { kind: 'consecutive', successes: 3 },
        admission: { kind: 'percent', share: 1 },
      }),
    );
    b.acq().success();
    b.acq().success();
    b.acq().failure('server_error');
    b.acq().success();
    b.acq().success();
    expect(b.breaker.state).toBe('half_open');
    b.acq().success();
    expect(b.breaker.state).toBe('closed');
  });
});

describe('open time', () => {
  const exponential: BreakerOptions = {
    ...D,
    open: { kind: 'exponential', baseMs: 10_000, jitter: 0, maxMs: 60_000 },
  };

  it('[B31] [case 72] [I16] failed rounds wait 10, 20, 40, 60, 60 s', () => {
    const b = bench(exponential);
    b.trip();
    const waits = [b.status().openTimeoutMs];
    for (let i = 0; i < 4; i++) {
      fail(b);
      waits.push(b.status().openTimeoutMs);
    }
    expect(waits).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  });

  it('[case 71] ten thousand reopenings stay finite and in bounds', () => {
    const b = bench(
      {
        ...exponential,
        open: { kind: 'exponential', baseMs: 10, multiplier: 10, maxMs: 60_000, jitter: 1 },
      },
      0.999_999,
    );
    b.trip();
    const rounds = runs(10_000);
    for (let i = 0; i < rounds; i++) fail(b);
    expect(b.status().openTimeoutMs).toBe(60_000);
    expect(b.status().level).toBe(rounds);
  });

  it('[W19] a trip soon after the recovery waits longer', () => {
    const b = bench(exponential);
    b.trip();
    b.adv(10_000);
    b.acq().success();
    b.adv(1_000);
    b.trip();
    expect(b.status()).toMatchObject({ level: 1, openTimeoutMs: 20_000 });
  });

  it('[B35] the level decays with closed time and is 0 after a reset', () => {
    const b = bench(exponential);
    b.trip();
    for (let i = 0; i < 3; i++) fail(b);
    b.adv(60_000);
    b.acq().success();
    expect(b.status().level).toBe(3);
    b.adv(119_999);
    expect(b.status().level).toBe(2);
    b.adv(1);
    expect(b.status().level).toBe(1);
    b.trip();
    expect(b.status().openTimeoutMs).toBe(20_000);
    b.breaker.reset();
    expect(b.status().level).toBe(0);
  });

  it('[case 75] [W24] fifty breakers spread over the jitter band', () => {
    const waits = Array.from({ length: 50 }, (_, i) => {
      const breaker = new CircuitBreaker('x', {
        ...D,
        open: { kind: 'fixed', baseMs: 10_000 },
        clock: () => 0,
        random: generator(i * 7_919),
      });
      for (let k = 0; k < 4; k++) {
        const permit = breaker.tryAcquire();
        if (permit.granted) permit.failure('server_error');
      }
      return breaker.status().openTimeoutMs ?? 0;
    });
    expect(Math.min(...waits)).toBeLessThan(8_700);
    expect(Math.max(...waits)).toBeGreaterThan(11_300);
    expect(waits.every((ms) => ms >= 8_000 && ms <= 12_000)).toBe(true);
  });

  it('[B34] an overload answer asks for its wait, up to the limit', () => {
    for (const [retryAfterMs, expected] of [
      [5_000, 10_000],
      [45_000, 45_000],
      [900_000, 300_000],
    ] as const) {
      const b = bench(D);
      for (let i = 0; i < 3; i++) b.acq().failure('server_error');
      b.acq().failure({ kind: 'overload', retryAfterMs });
      expect(b.status().openTimeoutMs).toBe(expected);
    }
  });

  it('[B36] [case 109] a good health check moves the retry forward, once, and nothing else', () => {
    const b = bench({ ...R, open: { kind: 'fixed', baseMs: 10_000, jitter: 0, minMs: 4_000 } });
    b.trip();
    b.adv(1_000);
    expect(b.breaker.healthy()).toBe(true);
    expect(b.status()).toMatchObject({ state: 'open', retryInMs: 3_000 });
    expect(b.breaker.healthy()).toBe(false);
    b.adv(3_000);
    expect(b.status()).toMatchObject({ state: 'half_open', step: 0 });
    expect(b.breaker.healthy()).toBe(false);
  });

  it('[B31] [B32] adaptive waits by the length of earlier outages', () => {
    const b = bench({ ...D, open: { kind: 'adaptive', baseMs: 1_000, maxMs: 60_000, jitter: 0 } });
    b.trip();
    for (let i = 0; i < 19; i++) fail(b);
    b.adv(1_000);
    b.acq().success();
    b.trip();
    expect(b.status().openTimeoutMs).toBe(1.5 * 19_500);
  });

  it.each([
    [
      '[B2] [case 67] [W32] without any timer',
      (b: ReturnType<typeof bench>) => b.clock.jump(10_000),
    ],
    ['[case 68] on a read', (b: ReturnType<typeof bench>) => b.adv(10_000)],
  ])('half-open comes %s', (_, pass) => {
    const b = bench();
    b.trip();
    pass(b);
    expect(b.breaker.state).toBe('half_open');
    expect(b.of('half_open')[0]?.monoMs).toBe(11_000);
  });

  it('[case 65] the open time before a reset does not shorten the next', () => {
    const b = bench();
    b.trip();
    b.adv(8_000);
    b.breaker.reset();
    b.trip();
    b.adv(3_000);
    expect(b.breaker.state).toBe('open');
  });
});
