import { describe, expect, it } from 'vitest';
import type { RecoveryOptions } from '@/lib/breaker';
import { bench, R, withRecovery } from './support';

/** Half-open with the first probe just admitted and answered. */
function growing(recovery: RecoveryOptions = {}) {
  const b = bench(
    withRecovery(R, {
      admission: { kind: 'adaptive', low: 0.1, high: 0.2, evalEveryMs: 1_000 },
      stepMs: 5_000,
      minimumSuccesses: 3,
      failureBudget: 9,
      maxInFlight: 50,
      minProbeIntervalMs: 100,
      ...recovery,
    }),
  );
  b.trip();
  b.adv(10_000);
  b.acq().success(1);
  return b;
}

/** One arrival per 10 ms, each answered well. */
function arrive(b: ReturnType<typeof bench>, ms: number): void {
  for (let i = 0; i < ms / 10; i++) {
    b.adv(10);
    b.tryAcq()?.success(1);
  }
}

describe('[B39] adaptive admission', () => {
  it('grows by a quarter per clean period, up to its top', () => {
    const b = growing();
    const shares = [b.status().share];
    for (let i = 0; i < 5; i++) {
      arrive(b, 1_000);
      shares.push(b.status().share);
    }
    expect(shares).toEqual([0.1, 0.125, 0.1563, 0.1954, 0.2, 0.2]);
  });

  it('closes at its top only, a whole step time after it got there', () => {
    const b = growing();
    arrive(b, 4_000);
    expect(b.status().share).toBe(0.2);
    arrive(b, 4_990);
    expect(b.breaker.state).toBe('half_open');
    arrive(b, 20);
    expect(b.breaker.state).toBe('closed');
    expect(b.of('closed')[0]?.monoMs).toBe(20_000);
  });

  it('does not close below its top, though every step would be over by then', () => {
    const b = growing({ stepMs: 100 });
    arrive(b, 3_000);
    expect(b.status()).toMatchObject({ state: 'half_open', share: 0.1954 });
    arrive(b, 1_200);
    expect(b.breaker.state).toBe('closed');
  });

  it('halves at a failure within the budget and begins a new period', () => {
    const b = growing();
    arrive(b, 3_000);
    b.breaker.tick();
    expect(b.status().share).toBe(0.1954);
    let probe = b.tryAcq();
    while (probe === null) {
      b.adv(1);
      probe = b.tryAcq();
    }
    probe.failure('server_error');
    expect(b.status().share).toBe(0.1);
    arrive(b, 990);
    expect(b.status().share).toBe(0.1);
    arrive(b, 10);
    expect(b.status().share).toBe(0.125);
  });

  it('halves at a hold and does not grow in it', () => {
    const b = growing({ latency: { maxHoldMs: 60_000 } });
    arrive(b, 3_000);
    b.breaker.noteLoopDelay(5_000);
    expect(b.status()).toMatchObject({ share: 0.1, hold: { cause: 'self' } });
    arrive(b, 3_000);
    expect(b.status().share).toBe(0.1);
    b.breaker.noteLoopDelay(0);
    arrive(b, 1_000);
    expect(b.status()).toMatchObject({ share: 0.125, hold: null });
  });

  it('neither grows nor closes without answers', () => {
    const b = growing();
    b.adv(1_000);
    expect(b.status().share).toBe(0.125);
    b.adv(500_000);
    expect(b.status()).toMatchObject({ state: 'half_open', share: 0.125 });
  });

  it('comes back with little traffic too: each period gets its sample', () => {
    const b = growing({ admission: { kind: 'adaptive', low: 0.01, high: 1, evalEveryMs: 1_000 } });
    b.healthy('closed', 2_000, 60);
    expect(b.breaker.state).toBe('closed');
  });

  it('admits its share, exactly', () => {
    const b = growing({
      admission: { kind: 'adaptive', low: 0.25, high: 0.5, evalEveryMs: 1e6 },
      minProbeIntervalMs: 1e6,
    });
    let granted = 0;
    for (let i = 0; i < 400; i++) {
      const permit = b.tryAcq();
      permit?.success(1);
      if (permit !== null) granted++;
    }
    expect(granted).toBe(100);
  });
});
