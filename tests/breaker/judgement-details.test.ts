import { describe, expect, it } from 'vitest';
import type { BreakerOptions, RecoveryOptions, Settlement } from '@/lib/breaker';
import { bench, D, R, withRecovery } from './support';

const by = { reason: 'test', actor: 'ann' };

/** Half-open with two full steps; the first ends with one success. */
function recovering(recovery: RecoveryOptions = {}, more: BreakerOptions = {}) {
  const b = bench({
    ...withRecovery(R, {
      admission: { kind: 'ramp', steps: [1, 1] },
      stepMs: 0,
      minimumSuccesses: [1, 1_000],
      maxInFlight: 50,
      failureBudget: 99,
      hardRefused: 99,
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

describe('[B73] nothing is judged while an override is in force', () => {
  it('a late loop begins no hold', () => {
    const b = recovering({ latency: {} });
    b.breaker.override('metrics_only', by);
    b.breaker.noteLoopDelay(5_000);
    expect(b.types()).not.toContain('hold');
  });
});

describe('[B53] the step clock', () => {
  it('has not started before the first admission, though the step asks for nothing', () => {
    const b = recovering({ minimumSuccesses: 0 });
    b.adv(5_000);
    b.breaker.noteLoopDelay(0);
    expect(b.status().step).toBe(0);
    for (const then of ['half_open', 'closed']) {
      b.acq();
      b.adv(1);
      expect(b.breaker.state).toBe(then);
    }
  });
});

describe('[B54] [B55] a failure of an earlier step', () => {
  it('counts against the budget, but is not among the last outcomes of this one', () => {
    const decision = { kind: 'windowRate', successes: 3, of: 4 } as const;
    const b = recovering({ decision, minimumSuccesses: [4, 4], stepMs: [100, 0] });
    const earlier = b.acq();
    for (let i = 0; i < 4; i++) b.acq().success(1);
    b.adv(100);
    expect(b.status().step).toBe(1);
    expect(earlier.failure('server_error')).toBe('counted');
    expect(b.status().ledger?.failures).toBe(1);
    b.acq().failure('server_error');
    for (let i = 0; i < 3; i++) b.acq().success(1);
    expect(b.breaker.state).toBe('half_open');
    b.acq().success(1);
    expect(b.breaker.state).toBe('closed');
  });

  it('has no latency in this one', () => {
    const b = recovering(
      { latency: { skipFirst: 0 } },
      { trip: [{ kind: 'consecutive', failures: 4 }] },
    );
    expect(b.status().baseline).toBeNull();
    const known = bench({
      ...withRecovery(R, {
        admission: { kind: 'ramp', steps: [1, 1] },
        stepMs: 0,
        minimumSuccesses: [1, 1_000],
        maxInFlight: 50,
        failureBudget: 99,
        minProbeIntervalMs: 1e9,
        latency: { skipFirst: 0 },
      }),
      window: { kind: 'time', durationMs: 1_000, buckets: 4 },
      trip: [{ kind: 'consecutive', failures: 4 }],
    });
    for (let i = 0; i < 200; i++) {
      known.acq().success(30);
      known.adv(20);
    }
    known.trip();
    known.adv(10_000);
    const earlier = Array.from({ length: 5 }, () => known.acq());
    known.acq().success(30);
    expect(known.status().step).toBe(1);
    for (const permit of earlier) permit.failure('timeout');
    expect(known.status().hold).toBeNull();
  });
});

describe('[B15] the latency that is told', () => {
  it.each([
    [0, 0],
    [7, 7],
    [30_000, 30_000],
    [30_001, 50],
    [-1, 50],
    [Number.NaN, 50],
    [Infinity, 50],
    [undefined, 50],
  ])('%s of a call of 50 ms: %d', (reported, expected) => {
    const b = bench(D);
    const told: Settlement[] = [];
    b.breaker.onSettle((settlement) => told.push(settlement));
    const permit = b.acq();
    b.adv(50);
    permit.success(reported);
    expect(told).toMatchObject([{ outcome: 'success', receipt: 'counted', latencyMs: expected }]);
  });

  it('[B84] also of calls under an override, bypassed and late', () => {
    const b = bench(D);
    const told: string[] = [];
    b.breaker.onSettle(({ outcome, receipt }) => told.push(`${outcome} ${receipt}`));
    const old = b.acq();
    const handle = b.breaker.override('disabled', by);
    b.acq().failure('server_error');
    old.success(1);
    b.acq();
    b.adv(30_000);
    b.breaker.tick();
    handle.release();
    expect(told).toEqual(['server_error bypassed', 'success late', 'timeout bypassed']);
  });
});

describe('what a trip says', () => {
  it('[B26] calls given up slowly are in the figures of slow policies only', () => {
    const b = bench({
      ...D,
      slowMs: 100,
      cancelledCountsAsSlow: true,
      trip: [
        { kind: 'ratio', rate: 0.5, minimumCalls: 4 },
        { kind: 'slow', slowMs: 100, rate: 1, minimumCalls: 5 },
      ],
    });
    for (let i = 0; i < 2; i++) {
      const slow = b.acq();
      b.adv(100);
      slow.cancel();
    }
    b.acq().success(100);
    for (let i = 0; i < 3; i++) b.acq().failure('server_error', 1);
    expect(b.of('opened')[0]).toMatchObject({
      reason: 'ratio',
      data: { calls: 4, failures: 3, rate: 0.75, threshold: 0.5, slow: 3 },
    });
  });

  it('[B24] how many were slow by `slowMs`, whatever the policies call slow', () => {
    const b = bench({
      ...D,
      slowMs: 100,
      trip: [
        { kind: 'slow', slowMs: 500, rate: 1, minimumCalls: 10 },
        { kind: 'count', failures: 2 },
      ],
    });
    for (const ms of [99, 100, 300, 600]) b.acq().success(ms);
    for (let i = 0; i < 2; i++) b.acq().failure('server_error', 900);
    expect(b.of('opened')[0]).toMatchObject({
      reason: 'count',
      data: { calls: 6, failures: 2, slow: 3, threshold: 2 },
    });
  });

  it('[B25] and of a slow policy those under way', () => {
    const b = bench({
      ...D,
      trip: [{ kind: 'slow', slowMs: 500, rate: 0.5, minimumCalls: 4, pending: true }],
    });
    for (let i = 0; i < 2; i++) b.acq().success(1);
    b.acq();
    b.acq();
    b.adv(500);
    expect(b.of('opened')[0]).toMatchObject({
      reason: 'slow',
      data: { calls: 4, failures: 0, slow: 2, rate: 0.5, threshold: 0.5 },
    });
  });

  it('[B23] a run outlasts its window: one call, and a rate of 1', () => {
    const b = bench({
      ...D,
      window: { kind: 'time', durationMs: 1_000, buckets: 10 },
      trip: [{ kind: 'consecutive', failures: 3 }],
    });
    for (let i = 0; i < 3; i++) {
      b.adv(5_000);
      b.acq().failure('server_error', 1);
    }
    expect(b.of('opened')[0]).toMatchObject({
      reason: 'consecutive',
      data: { calls: 1, failures: 1, rate: 1, threshold: 3 },
    });
  });

  it('[B72] watching, a policy lets go when its last call has left the window', () => {
    const b = bench({
      ...D,
      mode: 'shadow',
      window: { kind: 'time', durationMs: 1_000, buckets: 10 },
      trip: [{ kind: 'slow', slowMs: 2_000, rate: 0.5, minimumCalls: 1, pending: true }],
    });
    const calls = [b.acq(), b.acq()];
    b.adv(2_000);
    expect(b.of('would_trip')).toMatchObject([{ data: { calls: 1, slow: 1, rate: 1 } }]);
    for (const call of calls) call.cancel();
    b.acq().success(1);
    expect(b.of('would_recover')).toMatchObject([{ data: { calls: 1, slow: 0, rate: 0 } }]);
  });

  it.each(['server_error', 'refused'] as const)(
    '[B72] [case 61] watching, a run of %s holds past its threshold, until a success',
    (outcome) => {
      const kind = outcome === 'refused' ? 'refused' : 'consecutive';
      const b = bench({ ...D, mode: 'shadow', trip: [{ kind, failures: 3 }] });
      for (let i = 0; i < 6; i++) b.acq().failure(outcome, 1);
      expect(b.of('would_trip')).toHaveLength(1);
      expect(b.of('would_recover')).toEqual([]);
      b.acq().success(1);
      expect(b.of('would_recover')).toHaveLength(1);
    },
  );
});

describe('[B21] a time window of any clock', () => {
  it.each([-1_000_000, -500, 0, 1e12])(
    'that begins at %d drops its buckets one by one',
    (start) => {
      let now = start;
      const b = bench({
        ...D,
        clock: () => now,
        window: { kind: 'time', durationMs: 1_000, buckets: 4 },
        trip: [{ kind: 'count', failures: 1_000 }],
      });
      const seen: number[] = [];
      for (let i = 0; i < 8; i++) {
        for (let k = 0; k <= i; k++) b.acq().failure('server_error', 1);
        seen.push(b.status().window.failures);
        now += 250;
      }
      expect(seen).toEqual([1, 3, 6, 10, 14, 18, 22, 26]);
      now += 750;
      b.breaker.tick();
      b.acq().success(1);
      expect(b.status().window).toMatchObject({ failures: 0, calls: 1 });
    },
  );
});

/** After so many successes and one failure of the second step. */
const budget = (normalErrorRate: number, successes: number) => {
  const b = recovering({ failureBudget: 'statistical' }, { normalErrorRate });
  b.acq().success(1);
  for (let i = 0; i < successes; i++) b.acq().success(1);
  b.acq().failure('server_error');
  return b.status().ledger?.budget;
};

describe('[B51] the budget', () => {
  it('grows with successes and failures together', () => {
    const known = Array.from({ length: 120 }, (_, n) => budget(0.01, n));
    const steps = known.flatMap((value, n) => (n > 0 && value !== known[n - 1] ? [n + 1] : []));
    // Calls at which P(Bin(n, 1 %) >= c) passes 0.1 %.
    expect(steps).toEqual([6, 20, 45, 76, 113]);
  });
});
