import { describe, expect, it } from 'vitest';
import type { BreakerOptions } from '@/lib/breaker';
import { runs } from '@/tests/support/runs';
import { bench, D, withRecovery } from './support';

const timed = (durationMs: number, failures: number): BreakerOptions => ({
  ...D,
  window: { kind: 'time', durationMs, buckets: 5 },
  trip: [{ kind: 'count', failures }],
});

describe('windows and counting', () => {
  it('[B21] [case 46] [S7] four failures, a long rest, one failure: stays closed', () => {
    const b = bench(timed(5_000, 5));
    for (let i = 0; i < 4; i++) b.acq().failure('server_error');
    b.adv(300_000);
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('closed');
    expect(b.status().window).toMatchObject({ calls: 1, failures: 1 });
  });

  it('[B20] [case 47] the outcome on a bucket edge is part of its own judgement', () => {
    const b = bench(timed(5_000, 2));
    b.acq().failure('server_error');
    b.adv(1_000);
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('[case 48] a success that completes the minimum volume trips', () => {
    const b = bench();
    for (let i = 0; i < 3; i++) b.acq().failure('server_error');
    expect(b.breaker.state).toBe('closed');
    b.acq().success();
    expect(b.breaker.state).toBe('open');
  });

  it('[case 49] one failure is not a trip by default', () => {
    const b = bench({});
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('closed');
  });

  it('[B28] [case 50] [W40] [W51] [W52] closed starts empty after a recovery', () => {
    const b = bench();
    b.trip();
    b.adv(10_000);
    b.acq().success();
    expect(b.status().window.calls).toBe(0);
    for (let i = 0; i < 3; i++) b.acq().failure('server_error');
    expect(b.breaker.state).toBe('closed');
  });

  it('[case 52] old failures still inside a long window do not trip again', () => {
    const b = bench({ ...timed(60_000, 4), open: { kind: 'fixed', baseMs: 1_000, jitter: 0 } });
    b.trip();
    b.adv(1_000);
    b.acq().success();
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('closed');
  });

  it('[case 53] [S3] [W54] refused and local rejections never feed back', () => {
    const b = bench();
    for (let i = 0; i < 10; i++) b.acq().failure('rejected_local');
    expect(b.status().window.calls).toBe(0);
    b.trip();
    for (let i = 0; i < 1_000; i++) expect(b.reason()).toBe('open');
    expect(b.status().counters.rejected.open).toBe(1_000);
    b.adv(10_000);
    b.acq().success();
    expect(b.status().window.calls).toBe(0);
  });

  it('[case 55] one failure per 20 s never trips five in 10 s', () => {
    const b = bench(timed(10_000, 5));
    for (let i = 0; i < 50; i++) {
      b.acq().failure('server_error');
      b.adv(20_000);
    }
    expect(b.breaker.state).toBe('closed');
  });

  it('[case 56] calls longer than the window are counted when they complete', () => {
    const b = bench(timed(10_000, 4));
    const calls = Array.from({ length: 4 }, () => b.acq());
    b.adv(15_000);
    for (const call of calls) call.failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('[B25] [case 58] pending calls count as slow at the instant they become it', () => {
    const b = bench({
      ...D,
      trip: [{ kind: 'slow', slowMs: 1_000, rate: 0.5, minimumCalls: 4, pending: true }],
    });
    for (let i = 0; i < 4; i++) b.acq();
    b.adv(5_000);
    expect(b.breaker.state).toBe('open');
    expect(b.of('opened')[0]).toMatchObject({
      monoMs: 2_000,
      reason: 'slow',
      data: { slow: 4, calls: 4 },
    });
  });

  it('without pending it waits for them [case 69]', () => {
    const b = bench({ ...D, trip: [{ kind: 'slow', slowMs: 1_000, rate: 0.5, minimumCalls: 4 }] });
    const calls = Array.from({ length: 4 }, () => b.acq());
    b.adv(5_000);
    expect(b.breaker.state).toBe('closed');
    for (const call of calls) call.success();
    expect(b.breaker.state).toBe('open');
  });

  it('[W30] half of the calls failing trips a ratio, though never in a row', () => {
    const b = bench();
    for (let i = 0; i < 2; i++) {
      b.acq().success();
      b.acq().failure('server_error');
    }
    expect(b.breaker.state).toBe('open');
  });

  it('[W53] every outcome is judged', () => {
    const b = bench({ ...D, trip: [{ kind: 'consecutive', failures: 3 }] });
    for (let i = 0; i < 3; i++) {
      expect(b.breaker.state).toBe('closed');
      b.acq().failure('server_error');
    }
    expect(b.breaker.state).toBe('open');
  });

  it('[B21] [W55] the hybrid window forgets by age and by number', () => {
    const b = bench({
      ...D,
      window: { kind: 'hybrid', size: 3, durationMs: 1_000 },
      trip: [{ kind: 'count', failures: 3 }],
    });
    for (const _ of [1, 2]) b.acq().failure('server_error');
    b.adv(1_000);
    expect(b.status().window.failures).toBe(2);
    b.adv(1);
    expect(b.status().window.failures).toBe(0);
    for (let i = 0; i < 5; i++) b.acq().success();
    expect(b.status().window.calls).toBe(3);
  });

  it('[B23] only refused connections trip the refused policy', () => {
    const b = bench({ ...D, trip: [{ kind: 'refused', failures: 2 }] });
    b.acq().failure('refused');
    b.acq().failure('server_error');
    b.acq().failure('refused');
    expect(b.breaker.state).toBe('closed');
    b.acq().failure('refused');
    expect(b.breaker.state).toBe('open');
  });

  it('[B13] [I26] [W25] ignored, cancelled and local outcomes count nowhere; a 404 is a success', () => {
    const b = bench();
    for (const kind of ['ignored', 'cancelled', 'rejected_local'] as const) {
      expect(b.acq().failure(kind)).toBe('inconclusive');
    }
    expect(b.status().window).toEqual({ calls: 0, failures: 0, slow: 0 });
    b.acq().failure('client_error');
    expect(b.status().window).toEqual({ calls: 1, failures: 0, slow: 0 });
  });

  it('[B26] a cancelled slow call counts as slow where that is asked for', () => {
    const slow = {
      ...D,
      trip: [{ kind: 'slow', slowMs: 1_000, rate: 0.5, minimumCalls: 2 }],
    } as const;
    for (const [cancelledCountsAsSlow, state] of [
      [false, 'closed'],
      [true, 'open'],
    ] as const) {
      const b = bench({ ...slow, cancelledCountsAsSlow });
      const calls = [b.acq(), b.acq()];
      b.adv(1_000);
      for (const call of calls) call.cancel();
      expect(b.breaker.state).toBe(state);
      expect(b.status().window.calls).toBe(0);
    }
  });

  it('[B27] [W22] the guard period is stricter, then it is over', () => {
    for (const [waitMs, state] of [
      [0, 'open'],
      [29_999, 'open'],
      [30_000, 'closed'],
    ] as const) {
      const b = bench(withRecovery(D, { guardMs: 30_000 }));
      b.trip();
      b.adv(10_000);
      b.acq().success();
      b.adv(waitMs);
      for (const _ of [1, 2]) b.acq().failure('server_error');
      expect(b.breaker.state).toBe(state);
    }
  });

  it('[I34] memory does not follow the number of calls', () => {
    const b = bench({ ...D, window: { kind: 'time', durationMs: 10_000 } });
    const calls = runs(200_000);
    for (let i = 0; i < calls; i++) b.acq().success(i % 100);
    expect(b.status().inFlight).toBe(0);
    expect(JSON.stringify(b.breaker.snapshot()).length).toBeLessThan(20_000);
  });
});
