import { describe, expect, it } from 'vitest';
import type { BreakerOptions } from '@/lib/breaker';
import { bench, D } from './support';

const by = { reason: 'test', actor: 'ann' };
const exponential: BreakerOptions = {
  ...D,
  open: {
    kind: 'exponential',
    baseMs: 10_000,
    jitter: 0,
    maxMs: 60_000,
    maxHintMs: 90_000,
    minMs: 1_000,
  },
};

describe('an opening that others have found', () => {
  it('[D6] opens a closed breaker for what is left, without a draw', () => {
    const b = bench(exponential, 0.9);
    const out = b.acq();
    expect(b.breaker.adopt({ reason: 'peer', retryInMs: 4_000 })).toBe(true);
    expect(b.status()).toMatchObject({
      state: 'open',
      level: 0,
      epoch: 1,
      openedAt: 1_000,
      retryAt: 5_000,
      openTimeoutMs: 4_000,
      inFlight: 0,
    });
    expect(b.events).toMatchObject([
      {
        type: 'opened',
        from: 'closed',
        to: 'open',
        reason: 'peer',
        monoMs: 1_000,
        data: { cause: 'trip', openTimeoutMs: 4_000, retryInMs: 4_000, level: 0 },
      },
    ]);
    expect(out.success()).toBe('late');
    b.adv(3_999);
    expect(b.breaker.state).toBe('open');
    b.adv(1);
    expect(b.breaker.state).toBe('half_open');
  });

  it('without a known wait a closed breaker trips, and a half-open one falls back, in its own time', () => {
    const b = bench(exponential);
    expect(b.breaker.adopt({ reason: 'outlier' })).toBe(true);
    expect(b.of('opened')[0]).toMatchObject({
      reason: 'outlier',
      data: { cause: 'trip', openTimeoutMs: 10_000, level: 0 },
    });
    b.adv(10_000);
    expect(b.breaker.state).toBe('half_open');
    expect(b.breaker.adopt({ reason: 'outlier' })).toBe(true);
    expect(b.of('opened')[1]).toMatchObject({
      reason: 'outlier',
      data: { cause: 'fallback', openTimeoutMs: 20_000, level: 1 },
    });
  });

  it('[D6] half-open falls back for what is left', () => {
    const b = bench(exponential);
    b.trip();
    b.adv(10_000);
    const probe = b.acq();
    expect(b.breaker.adopt({ reason: 'peer', retryInMs: 500, level: 3 })).toBe(true);
    expect(b.status()).toMatchObject({ state: 'open', level: 3, retryInMs: 500 });
    expect(b.of('opened').at(-1)).toMatchObject({
      data: { cause: 'fallback', openTimeoutMs: 500, level: 3 },
    });
    expect(probe.failure('refused')).toBe('late');
  });

  it('[D8] the higher level of the two counts, the own one as it has decayed', () => {
    const b = bench(exponential);
    b.trip();
    for (let i = 0; i < 3; i++) {
      b.adv(b.status().retryInMs ?? 0);
      b.acq().failure('server_error');
    }
    b.adv(60_000);
    b.acq().success();
    b.adv(60_000);
    expect(b.status().level).toBe(2);
    b.breaker.adopt({ reason: 'peer', retryInMs: 100, level: 1 });
    expect(b.status().level).toBe(2);
    b.breaker.reset();
    b.breaker.adopt({ reason: 'peer', retryInMs: 100 });
    expect(b.status().level).toBe(0);
    b.breaker.reset();
    b.breaker.adopt({ reason: 'peer', retryInMs: 100, level: 5 });
    expect(b.status().level).toBe(5);
  });

  it.each([
    [-5, 0],
    [90_000, 90_000],
    [90_001, 90_000],
  ])('a wait of %d ms is one of %d', (retryInMs, expected) => {
    const b = bench(exponential);
    b.breaker.adopt({ reason: 'peer', retryInMs });
    expect(b.of('opened')[0]?.data.openTimeoutMs).toBe(expected);
  });

  it('[B36] a health check may end it early, but not before the minimum of the opening', () => {
    const b = bench(exponential);
    b.breaker.adopt({ reason: 'peer', retryInMs: 5_000 });
    expect(b.breaker.healthy()).toBe(true);
    expect(b.status().retryInMs).toBe(1_000);
    expect(b.breaker.healthy()).toBe(false);
    const short = bench(exponential);
    short.breaker.adopt({ reason: 'peer', retryInMs: 300 });
    expect(short.breaker.healthy()).toBe(false);
    expect(short.status().retryInMs).toBe(300);
  });

  it('[D7] changes nothing where it is open, under an override, watching or gone', () => {
    const open = bench(exponential);
    open.trip();
    const forced = bench(exponential);
    forced.breaker.override('forced_closed', by);
    const shadow = bench({ ...exponential, mode: 'shadow' });
    const gone = bench(exponential);
    gone.breaker.dispose();
    for (const b of [open, forced, shadow, gone]) {
      const before = b.status();
      const events = b.events.length;
      for (const opening of [{ reason: 'peer' }, { reason: 'peer', retryInMs: 1, level: 9 }]) {
        expect(b.breaker.adopt(opening)).toBe(false);
      }
      expect(b.status()).toEqual(before);
      expect(b.events).toHaveLength(events);
    }
  });

  it('[B31] [B32] it begins an outage, or goes on with one', () => {
    const adaptive: BreakerOptions = {
      ...D,
      open: { kind: 'adaptive', baseMs: 1_000, jitter: 0, maxMs: 100_000, factor: 1 },
    };
    const outage = (adopt: (b: ReturnType<typeof bench>) => void) => {
      const b = bench(adaptive);
      adopt(b);
      b.adv(b.status().retryInMs ?? 0);
      b.acq().success();
      return b.breaker.snapshot().outageMs;
    };
    // From the first opening to the middle of the last bad sign and the recovery that succeeded.
    expect(outage((b) => b.breaker.adopt({ reason: 'peer', retryInMs: 4_000 }))).toBe(2_000);
    expect(
      outage((b) => {
        b.trip();
        b.adv(1_000);
        b.breaker.adopt({ reason: 'peer', retryInMs: 4_000 });
      }),
    ).toBe(3_000);
  });

  it('[B66] what a closed breaker learned last is forgotten, as at a trip', () => {
    const b = bench({
      ...exponential,
      window: { kind: 'time', durationMs: 1_000, buckets: 4 },
    });
    const calls = (n: number, latencyMs: number) => {
      for (let i = 0; i < n; i++) {
        b.acq().success(latencyMs);
        b.adv(20);
      }
    };
    calls(400, 30);
    calls(49, 4_000);
    b.breaker.adopt({ reason: 'peer', retryInMs: 10 });
    b.breaker.reset();
    calls(100, 30);
    expect(b.status().baseline?.p99).toBeLessThan(40);
  });
});
