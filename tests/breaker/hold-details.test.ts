import { describe, expect, it } from 'vitest';
import type { BreakerOptions, RecoveryOptions } from '@/lib/breaker';
import { bench, R, withRecovery } from './support';

/** Half-open, full share, after 500 calls of 30 ms, one each 20 ms. */
function learned(recovery: RecoveryOptions = {}, more: BreakerOptions = {}) {
  const b = bench({
    ...withRecovery(R, {
      admission: { kind: 'percent', share: 1 },
      maxInFlight: 50,
      minimumSuccesses: 1_000,
      failureBudget: 99,
      maxHalfOpenMs: 1e9,
      maxStepWaitMs: 1e9,
      ...recovery,
      latency: { skipFirst: 0, maxHoldMs: 30_000, ...recovery.latency },
    }),
    window: { kind: 'time', durationMs: 1_000, buckets: 4 },
    trip: [{ kind: 'consecutive', failures: 4 }],
    slowMs: 10_000,
    ...more,
  });
  for (let i = 0; i < 500; i++) {
    b.acq().success(30);
    b.adv(20);
  }
  b.trip();
  b.adv(10_000);
  return b;
}

function answers(b: ReturnType<typeof bench>, n: number, latencyMs: number): void {
  for (let i = 0; i < n; i++) {
    b.adv(100);
    b.acq().success(latencyMs);
  }
}

describe('hold and release', () => {
  it('[B62] [B64] say what was read, and how long it took', () => {
    const b = learned();
    answers(b, 5, 100);
    const baseline = b.status().baseline?.p50;
    expect(b.of('hold')).toMatchObject([{ reason: 'latency', monoMs: b.clock.now() }]);
    expect(b.of('hold')[0]?.data).toEqual({
      quantile: 0.5,
      samples: 5,
      valueMs: expect.closeTo(100, -1),
      baselineMs: baseline,
    });
    b.adv(700);
    expect(b.status().hold).toEqual({ sinceMs: 700, cause: 'latency' });
    answers(b, 5, 40);
    expect(b.of('release')).toMatchObject([{ reason: 'latency' }]);
    expect(b.of('release')[0]?.data).toEqual({
      quantile: 0.5,
      samples: 5,
      valueMs: expect.closeTo(40, -1),
      baselineMs: baseline,
      tookMs: 1_200,
    });
  });

  it('[B62] a timeout is told as the life of its probe, not as endless', () => {
    const b = learned({}, { callTimeoutMs: 4_000, probeTimeoutFraction: 0.5 });
    for (let i = 0; i < 5; i++) b.acq().failure('timeout', 1);
    expect(b.of('hold')[0]?.data.valueMs).toBe(2_000);
  });

  it('[B64] between release and hold it stays, with new samples each twenty', () => {
    const b = learned();
    answers(b, 5, 100);
    answers(b, 19, 75);
    expect(b.of('release')).toEqual([]);
    answers(b, 1, 75);
    expect(b.of('release')).toEqual([]);
    // Twenty answers of 75 ms are forgotten now; four of 40 decide nothing, the fifth does.
    answers(b, 4, 40);
    expect(b.of('release')).toEqual([]);
    answers(b, 1, 40);
    expect(b.of('release')).toHaveLength(1);
  });

  it('[B64] the step clock begins again at the release', () => {
    const b = learned({ minimumSuccesses: 5, stepMs: 1_000, pendingLimitMs: 1e6 });
    answers(b, 5, 100);
    b.adv(5_000);
    answers(b, 5, 30);
    expect(b.breaker.state).toBe('half_open');
    b.adv(999);
    expect(b.breaker.state).toBe('half_open');
    b.adv(1);
    expect(b.breaker.state).toBe('closed');
  });

  it('a hold before the first admission leaves the clock for it', () => {
    const b = learned({ minimumSuccesses: 1, stepMs: 1_000 });
    b.breaker.noteLoopDelay(500);
    expect(b.status().hold?.cause).toBe('self');
    b.adv(3_000);
    b.breaker.noteLoopDelay(0);
    expect(b.status().hold).toBeNull();
    b.adv(3_000);
    b.acq().success(30);
    b.adv(999);
    expect(b.breaker.state).toBe('half_open');
    b.adv(1);
    expect(b.breaker.state).toBe('closed');
  });

  it('[B62] the limit of the event loop itself is not late', () => {
    const b = learned();
    b.breaker.noteLoopDelay(200);
    expect(b.status().hold).toBeNull();
    b.breaker.noteLoopDelay(200.5);
    expect(b.status().hold?.cause).toBe('self');
  });

  it('[B62] half of the calls under way is not more than half', () => {
    const b = learned({}, { slowMs: 1_000 });
    b.acq();
    b.adv(900);
    b.acq();
    b.adv(100);
    expect(b.status().hold).toBeNull();
    b.adv(900);
    expect(b.of('hold')).toMatchObject([{ reason: 'pending' }]);
  });

  it('[B65] what ends a hold is told: the limit, by way of open', () => {
    const b = learned({ latency: { maxHoldMs: 2_000 } });
    answers(b, 5, 100);
    b.adv(2_000);
    expect(b.of('opened').at(-1)).toMatchObject({
      reason: 'hold_limit',
      data: { cause: 'hold_limit', successes: 5, failures: 0, calls: 5 },
    });
  });

  it('[B57] [B65] or one step down', () => {
    const b = learned({
      admission: { kind: 'ramp', steps: [0.5, 1] },
      softFallback: true,
      minimumSuccesses: [1, 1_000],
      stepMs: 0,
      latency: { maxHoldMs: 2_000 },
    });
    b.adv(100);
    b.acq().success(30);
    expect(b.status().step).toBe(1);
    expect(b.of('step')[0]).toMatchObject({
      reason: 'advance',
      data: { cause: 'advance', share: 1, successes: 1, failures: 0, tookMs: 0 },
    });
    answers(b, 5, 100);
    b.adv(2_000);
    expect(b.of('step').at(-1)).toMatchObject({
      reason: 'soft_fallback',
      data: { cause: 'soft_fallback', share: 0.5, successes: 5, tookMs: 2_400 },
    });
  });
});

const fall = (recovery: RecoveryOptions, kind: 'refused' | 'server_error') => {
  const b = learned(recovery);
  for (let i = 0; i < 2; i++) b.acq().failure(kind);
  return b.of('opened').at(-1);
};

describe('other ends of a step', () => {
  it('[B58] the limit of half-open, either way', () => {
    for (const then of ['open', 'closed'] as const) {
      // oxlint-disable-next-line unicorn/no-thenable -- a word of the options, not a promise
      const b = learned({ maxHalfOpenMs: 3_000, then });
      b.adv(3_000);
      b.breaker.tick();
      expect(b.events.at(-1)).toMatchObject({
        to: then,
        reason: 'half_open_limit',
        data: { cause: 'half_open_limit' },
      });
    }
  });

  it('[B59] starved: once, with what there was, and not when there was enough', () => {
    const b = learned({ minimumSuccesses: 2, stepMs: 1e6, maxStepWaitMs: 4_000 });
    answers(b, 1, 30);
    b.adv(10_000);
    expect(b.of('starved')).toMatchObject([{ reason: 'samples' }]);
    expect(b.of('starved')[0]?.data).toEqual({ successes: 1, failures: 0, tookMs: 4_000 });
    const enough = learned({ minimumSuccesses: 2, stepMs: 1e6, maxStepWaitMs: 4_000 });
    answers(enough, 2, 30);
    enough.adv(10_000);
    expect(enough.of('starved')).toEqual([]);
  });

  it('[B52] a probe exactly as old as the limit does not block', () => {
    const b = learned({ minimumSuccesses: 1, stepMs: 1_000, pendingLimitMs: 1_000 });
    b.acq();
    b.acq().success(30);
    b.adv(1_000);
    expect(b.breaker.state).toBe('closed');
    const older = learned({ minimumSuccesses: 1, stepMs: 1_001, pendingLimitMs: 1_000 });
    older.acq();
    older.acq().success(30);
    older.adv(5_000);
    expect(older.breaker.state).toBe('half_open');
  });

  it('[B50] causes and reasons of a fall', () => {
    expect(fall({}, 'refused')).toMatchObject({ reason: 'refused', data: { cause: 'fallback' } });
    expect(fall({ failureBudget: 2 }, 'server_error')).toMatchObject({
      reason: 'failures',
      data: { cause: 'fallback', failures: 2 },
    });
    const lookBack = { kind: 'windowRate', successes: 3, of: 4 } as const;
    expect(fall({ decision: lookBack }, 'server_error')).toMatchObject({
      reason: 'windowRate',
      data: { cause: 'fallback' },
    });
  });

  it('[B55] only the last m count', () => {
    const b = learned({
      decision: { kind: 'windowRate', successes: 2, of: 3 },
      minimumSuccesses: 4,
      stepMs: 0,
    });
    b.acq().failure('server_error');
    for (let i = 0; i < 3; i++) b.acq().success(30);
    expect(b.breaker.state).toBe('half_open');
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('half_open');
    b.acq().success(30);
    expect(b.breaker.state).toBe('closed');
  });
});

describe('[B12] an expiry', () => {
  it('of a probe is told with its outcome; of another call it is a settlement only', () => {
    const b = learned({}, { callTimeoutMs: 6_000, probeTimeoutFraction: 0.5 });
    const told: unknown[] = [];
    b.breaker.onSettle((settlement) => told.push(settlement));
    b.acq();
    b.adv(3_000);
    expect(b.of('probe_expired')).toMatchObject([{ reason: 'expired' }]);
    expect(b.of('probe_expired')[0]?.data).toEqual({ outcome: 'timeout', latencyMs: 3_000 });
    b.breaker.reset();
    b.acq(false);
    b.adv(6_000);
    expect(b.of('probe_expired')).toHaveLength(1);
    b.breaker.override('disabled', { reason: 'x', actor: 'y' });
    b.acq();
    b.adv(6_000);
    b.breaker.tick();
    expect(told).toEqual([
      {
        outcome: 'timeout',
        receipt: 'expired',
        counted: true,
        latencyMs: 3_000,
        slow: true,
        probe: true,
        step: 0,
        idempotent: true,
        inFlight: 0,
      },
      {
        outcome: 'timeout',
        receipt: 'expired',
        counted: true,
        latencyMs: 6_000,
        slow: true,
        probe: false,
        step: null,
        idempotent: false,
        inFlight: 0,
      },
      {
        outcome: 'timeout',
        receipt: 'bypassed',
        counted: false,
        latencyMs: 6_000,
        slow: true,
        probe: false,
        step: null,
        idempotent: true,
        inFlight: 0,
      },
    ]);
  });

  it('[B11] a late result is an event with its outcome; of a bypassed or disposed one it is none', () => {
    const b = learned();
    const probe = b.acq();
    b.breaker.reset();
    probe.failure('overload', 12);
    expect(b.of('late_result')).toMatchObject([{ reason: 'overload' }]);
    expect(b.of('late_result')[0]?.data).toEqual({ outcome: 'overload', latencyMs: 12 });
    const handle = b.breaker.override('disabled', { reason: 'x', actor: 'y' });
    const bypass = b.acq();
    handle.release();
    expect(bypass.success()).toBe('late');
    expect(b.of('late_result')).toHaveLength(1);
    expect(b.status().counters.late).toBe(2);
  });
});

describe('[B34] a wait that was asked for', () => {
  it.each([
    [20_000, 5_000, 20_000],
    [5_000, 20_000, 20_000],
  ])('in half-open: the longer of %d and %d', (first, second, expected) => {
    const b = learned({ failureBudget: 2 });
    for (const retryAfterMs of [first, second]) b.acq().failure({ kind: 'overload', retryAfterMs });
    expect(b.status()).toMatchObject({ state: 'open', retryInMs: expected });
  });
});

describe('[B31] [B32] adaptive open time', () => {
  it('follows the mean of the outages, between base and longest', () => {
    const b = bench({
      ...withRecovery(R, {
        admission: { kind: 'fixed', calls: 1, periodMs: 1 },
        minimumSuccesses: 1,
        stepMs: 0,
      }),
      open: { kind: 'adaptive', baseMs: 1_000, jitter: 0, maxMs: 20_000, factor: 2 },
    });
    const outage = (failedRounds: number) => {
      b.trip();
      const { openTimeoutMs } = b.status();
      for (let i = 0; i < failedRounds; i++) {
        b.adv(b.status().retryInMs ?? 0);
        b.acq().failure('server_error');
      }
      b.adv(b.status().retryInMs ?? 0);
      b.acq().success();
      return [openTimeoutMs, b.breaker.snapshot().outageMs];
    };
    // From the trip to the middle of the last bad sign and the recovery that succeeded.
    expect(outage(0)).toEqual([1_000, 500]);
    expect(outage(3)).toEqual([1_000, 2_000]);
    expect(outage(0)).toEqual([4_000, 2_000]);
    expect(b.breaker.state).toBe('closed');
  });
});
