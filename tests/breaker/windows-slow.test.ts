import { describe, expect, it } from 'vitest';
import type { BreakerOptions } from '@/lib/breaker';
import { bench, D } from './support';

const by = { reason: 'test', actor: 'ann' };
const slow = { kind: 'slow', slowMs: 500, rate: 0.5, minimumCalls: 3 } as const;

describe('slow calls in the window', () => {
  it('[B24] each threshold counts for itself', () => {
    const b = bench({
      ...D,
      slowMs: 1_000,
      trip: [
        { ...slow, slowMs: 5_000 },
        { ...slow, slowMs: 500 },
      ],
    });
    b.acq().success(499);
    b.acq().success(500);
    expect(b.status().window).toEqual({ calls: 2, failures: 0, slow: 0 });
    b.acq().success(1_000);
    expect(b.of('opened')[0]).toMatchObject({
      reason: 'slow',
      data: { calls: 3, failures: 0, slow: 2, rate: 2 / 3, threshold: 0.5 },
    });
    expect(b.status().counters.slow).toBe(1);
  });

  it.each<NonNullable<BreakerOptions['window']>>([
    { kind: 'count', size: 3 },
    { kind: 'hybrid', size: 3, durationMs: 1_000 },
    { kind: 'time', durationMs: 1_000, buckets: 2 },
  ])('[B21] [B26] $kind: what has left counts no more, cancelled calls included', (window) => {
    const b = bench({
      ...D,
      window,
      slowMs: 100,
      cancelledCountsAsSlow: true,
      trip: [{ kind: 'slow', slowMs: 100, rate: 1, minimumCalls: 3 }],
    });
    const cancelSlow = () => {
      const call = b.acq();
      b.adv(100);
      call.cancel();
    };
    const leave = () => {
      if (window.kind === 'count') for (let i = 0; i < 3; i++) b.acq().success(1);
      else b.adv(2_000);
    };
    for (let round = 0; round < 3; round++) {
      cancelSlow();
      cancelSlow();
      expect(b.status().window).toMatchObject({ failures: 0, slow: 2 });
      leave();
      expect(b.status()).toMatchObject({ state: 'closed', window: { failures: 0, slow: 0 } });
    }
    expect(b.status().window.calls).toBe(window.kind === 'count' ? 3 : 0);
    for (let i = 0; i < 3; i++) cancelSlow();
    expect(b.of('opened')[0]?.data).toMatchObject({ calls: 3, slow: 3, rate: 1 });
  });

  it('[B26] only a call that its caller cancelled, and only once it was slow', () => {
    const b = bench({ ...D, cancelledCountsAsSlow: true, slowMs: 1_000, trip: [slow] });
    b.acq().failure('ignored', 5_000);
    b.acq().failure('rejected_local', 5_000);
    b.acq().failure('cancelled', 999);
    expect(b.status().window).toEqual({ calls: 0, failures: 0, slow: 0 });
    b.acq().failure('cancelled', 1_000);
    expect(b.status().window).toEqual({ calls: 0, failures: 0, slow: 1 });
    b.acq().success(1);
    expect(b.breaker.state).toBe('closed');
    b.acq().success(500);
    expect(b.of('opened')[0]?.data).toMatchObject({ calls: 3, slow: 2 });
  });

  it('[B25] calls under way weigh in policies that ask for it, from the instant they are slow', () => {
    const pending = { ...slow, pending: true };
    const b = bench({ ...D, trip: [{ ...slow, minimumCalls: 9 }, pending] });
    b.acq().success(1);
    b.acq();
    b.acq();
    b.adv(499);
    expect(b.breaker.state).toBe('closed');
    b.adv(1);
    expect(b.of('opened')[0]).toMatchObject({
      reason: 'slow',
      data: { calls: 3, slow: 2, failures: 0 },
    });
  });

  it('[B25] a call that comes back leaves the pending ones', () => {
    const b = bench({ ...D, trip: [{ ...slow, minimumCalls: 4, pending: true }] });
    const calls = [b.acq(), b.acq(), b.acq()];
    b.adv(500);
    expect(b.breaker.state).toBe('closed');
    for (const call of calls) call.ignore();
    b.acq();
    b.adv(500);
    expect(b.breaker.state).toBe('closed');
    expect(b.breaker.nextDueAt()).toBe(b.clock.now() - 500 + 30_000);
  });

  it('[B25] [B72] while watched too, and never when disabled', () => {
    const pending = { ...slow, minimumCalls: 1, pending: true };
    const b = bench({ ...D, trip: [pending] });
    b.breaker.override('metrics_only', by);
    b.acq();
    b.adv(600);
    expect(b.of('would_trip')).toMatchObject([{ monoMs: 1_500, reason: 'slow' }]);
    b.breaker.override('disabled', by);
    b.acq();
    b.adv(600);
    expect(b.of('would_trip')).toHaveLength(1);
  });
});

describe('watching', () => {
  it('[B72] [I25] more of the same is no new crossing, and letting go is told once', () => {
    const b = bench({
      ...D,
      window: { kind: 'time', durationMs: 1_000, buckets: 1 },
      trip: [
        { kind: 'count', failures: 2 },
        { kind: 'consecutive', failures: 2 },
        { kind: 'refused', failures: 2 },
      ],
    });
    b.breaker.override('metrics_only', by);
    for (let i = 0; i < 5; i++) b.acq().failure('refused');
    expect(b.of('would_trip').map(({ reason }) => reason)).toEqual([
      'count',
      'consecutive',
      'refused',
    ]);
    expect(b.of('would_trip')[0]?.data).toEqual({
      calls: 2,
      failures: 2,
      slow: 0,
      rate: 1,
      threshold: 2,
    });
    b.acq().success(1);
    expect(b.of('would_recover').map(({ reason }) => reason)).toEqual(['consecutive', 'refused']);
    b.adv(2_000);
    b.acq().success(1);
    b.acq().success(1);
    expect(b.of('would_recover').map(({ reason }) => reason)).toEqual([
      'consecutive',
      'refused',
      'count',
    ]);
    expect(b.of('would_recover')[2]?.data).toMatchObject({ calls: 1, failures: 0, rate: 0 });
    for (let i = 0; i < 2; i++) b.acq().failure('server_error');
    expect(b.of('would_trip')).toHaveLength(5);
  });

  it('[B27] [B72] an override is judged by the normal thresholds, a guarded one by its own', () => {
    const b = bench({
      ...D,
      recovery: { ...D.recovery, guardMs: 30_000, guardFactor: 0.4 },
      trip: [
        { kind: 'mixed', failures: 5, rate: 0.5, minimumCalls: 4 },
        { kind: 'ratio', rate: 1, minimumCalls: 4 },
      ],
    });
    b.trip();
    expect(b.of('opened')[0]?.data).toMatchObject({ threshold: 1, rate: 1, calls: 4 });
    b.adv(10_000);
    b.acq().success();
    // Two failures (5 × 0.4) in a volume of two (4 × 0.4, rounded up) at a rate of 0.2.
    for (let i = 0; i < 4; i++) b.acq().success(1);
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('closed');
    b.acq().failure('server_error');
    expect(b.of('opened').at(-1)).toMatchObject({
      reason: 'mixed',
      data: { calls: 6, failures: 2, threshold: 0.2 },
    });
    b.adv(10_000);
    b.acq().success();
    b.breaker.override('metrics_only', by);
    for (let i = 0; i < 3; i++) b.acq().failure('server_error');
    expect(b.of('would_trip')).toEqual([]);
  });
});
