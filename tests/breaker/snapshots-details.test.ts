/** What a snapshot keeps beside the state, and what it does not know. */
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions } from '@/lib/breaker';
import { FakeClock } from '@/tests/support/fake-clock';
import { bench, D } from './support';

const by = { reason: 'drill', actor: 'ann' };

const restored = (from: ReturnType<typeof bench>, awayMs: number, options: BreakerOptions) => {
  const snapshot = from.breaker.snapshot();
  const clock = new FakeClock(500);
  const breaker = CircuitBreaker.restore(
    'inventory',
    {
      clock: clock.now,
      wallClock: () => snapshot.takenAtWallMs + awayMs,
      timer: clock,
      ...options,
    },
    snapshot,
  );
  return { breaker, clock };
};

describe('a snapshot', () => {
  it('watches calls of a closed breaker grow slow again', () => {
    const options: BreakerOptions = {
      ...D,
      trip: [{ kind: 'slow', slowMs: 500, rate: 0.5, minimumCalls: 2, pending: true }],
    };
    const { breaker, clock } = restored(bench(options), 0, options);
    breaker.tryAcquire();
    breaker.tryAcquire();
    clock.advance(500);
    expect(breaker.state).toBe('open');
  });

  it('keeps the automatic state while one of its overrides goes on', () => {
    const b = bench();
    b.breaker.override('forced_closed', { ...by, resume: 'half_open' });
    b.breaker.override('forced_open', { ...by, expiresInMs: 100, resume: 'open' });
    expect(restored(b, 1_000, D).breaker.status().automatic).toBe('closed');
    const timed = bench();
    timed.breaker.override('forced_closed', { ...by, expiresInMs: 5_000, resume: 'open' });
    expect(restored(timed, 1_000, D).breaker.status().automatic).toBe('closed');
    expect(restored(timed, 6_000, D).breaker.status().automatic).toBe('open');
  });

  it('of a breaker in shadow mode knows of no recovery', () => {
    const shadow: BreakerOptions = { ...D, mode: 'shadow' };
    expect(restored(bench(shadow), 0, shadow).breaker.snapshot().recoveredForMs).toBeNull();
  });

  it('of an open breaker recovers, although the beginning of its outage is not known', () => {
    const b = bench();
    b.trip();
    const { breaker, clock } = restored(b, 0, D);
    clock.advance(10_000);
    const probe = breaker.tryAcquire();
    expect(probe.granted && probe.success(1)).toBe('counted');
    expect(breaker.state).toBe('closed');
  });

  it('keeps how many calls its latency is made of', () => {
    const options: BreakerOptions = { ...D, window: { kind: 'time', durationMs: 400, buckets: 4 } };
    const b = bench(options);
    for (let i = 0; i < 200; i++) {
      b.acq().success(30);
      b.adv(20);
    }
    const { count } = b.breaker.snapshot().baseline.latency;
    expect(count).toBeGreaterThan(0);
    const kept = (options_: object) =>
      CircuitBreaker.restore('inventory', options, {
        ...b.breaker.snapshot(),
        ...options_,
      }).snapshot().baseline.latency.count;
    expect(kept({})).toBe(count);
    // As older versions wrote it.
    expect(kept({ baseline: { ...b.breaker.snapshot().baseline, classes: null } })).toBe(count);
  });
});
