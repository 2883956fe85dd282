import { describe, expect, it } from 'vitest';
import type { BreakerOptions, FailureKind } from '@/lib/breaker';
import { bench, D, R, withRecovery } from './support';

const lumped: BreakerOptions = { ...D, failureLumpMs: 1_000 };

/** So many failures within 10 ms. */
function burst(b: ReturnType<typeof bench>, failures: number, kind: FailureKind = 'server_error') {
  const permits = Array.from({ length: failures }, () => b.acq());
  for (const [i, permit] of permits.entries()) {
    if (i % 10 === 9) b.adv(1);
    expect(permit.failure(kind)).toBe('counted');
  }
}

describe('[B114] failures that come together', () => {
  it('[case 108] a hundred within 10 ms are one, where that is asked for', () => {
    const b = bench(lumped);
    burst(b, 100);
    expect(b.status()).toMatchObject({ state: 'closed', window: { calls: 1, failures: 1 } });
    expect(b.status().counters.settled.server_error).toBe(100);
    const plain = bench({ ...D, trip: [{ kind: 'count', failures: 10 }] });
    burst(plain, 9);
    expect(plain.status().window.failures).toBe(9);
  });

  it('a lump ends a fixed time after the failure that counted, however many follow', () => {
    const b = bench(lumped);
    for (let ms = 0; ms < 3_000; ms += 100) {
      b.acq().failure('server_error');
      b.adv(100);
    }
    expect(b.status().window.failures).toBe(3);
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('the last instant still belongs to it, the next does not', () => {
    const b = bench(lumped);
    b.acq().failure('server_error');
    b.adv(999);
    b.acq().failure('server_error');
    expect(b.status().window.failures).toBe(1);
    b.adv(1);
    b.acq().failure('server_error');
    expect(b.status().window.failures).toBe(2);
  });

  it('successes are counted one by one', () => {
    const b = bench(lumped);
    burst(b, 50);
    for (let i = 0; i < 5; i++) b.acq().success();
    expect(b.status().window).toEqual({ calls: 6, failures: 1, slow: 0 });
  });

  it.each(['consecutive', 'refused'] as const)('a lump is one in a run of kind %s', (kind) => {
    const b = bench({ ...lumped, trip: [{ kind, failures: 3 }] });
    for (let i = 0; i < 2; i++) {
      burst(b, 50, 'refused');
      b.adv(1_000);
    }
    expect(b.breaker.state).toBe('closed');
    b.acq().failure('refused');
    expect(b.breaker.state).toBe('open');
  });

  it('[B34] the wait that a lumped answer asks for is kept', () => {
    const b = bench({ ...lumped, trip: [{ kind: 'consecutive', failures: 2 }] });
    b.acq().failure('server_error');
    b.acq().failure({ kind: 'overload', retryAfterMs: 60_000 });
    b.adv(1_000);
    b.acq().failure('server_error');
    expect(b.status().openTimeoutMs).toBe(59_000);
  });

  it('a new time begins without a lump', () => {
    const b = bench(lumped);
    b.acq().failure('server_error');
    b.breaker.reset();
    b.acq().failure('server_error');
    expect(b.status().window.failures).toBe(1);
  });

  it('half-open counts each failure', () => {
    const b = bench({
      ...withRecovery(R, {
        admission: { kind: 'percent', share: 1 },
        failureBudget: 3,
        maxInFlight: 9,
      }),
      failureLumpMs: 1_000,
    });
    for (let i = 0; i < 4; i++) {
      b.acq().failure('server_error');
      b.adv(1_000);
    }
    b.adv(10_000);
    for (let i = 0; i < 3; i++) b.acq().failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it.each([
    [{ kind: 'count', failures: 7 }],
    [{ kind: 'mixed', failures: 7, rate: 0.1, minimumCalls: 1 }],
  ] as const)('[B115] %o cannot be reached in five lumps and is refused', (policy) => {
    const window = { kind: 'time', durationMs: 5_000, buckets: 5 } as const;
    const make = (failures: number) =>
      bench({ window, trip: [{ ...policy, failures }], failureLumpMs: 1_000 });
    expect(() => make(7)).toThrow('"trip[0].failures" is 7; it accepts');
    expect(() => make(6)).not.toThrow();
  });
});
