import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions, BreakerStatus } from '@/lib/breaker';
import { runs } from '@/tests/support/runs';
import { bench, D, R, withRecovery } from './support';

const exponential: BreakerOptions = {
  ...R,
  open: { kind: 'exponential', baseMs: 10_000, jitter: 0, maxMs: 60_000 },
};

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (typeof gc === 'function') gc();
}

/** Made and forgotten in a frame of its own, so that nothing on the stack keeps it. */
function forgotten(): WeakRef<CircuitBreaker> {
  const b = bench();
  b.trip();
  return new WeakRef(b.breaker);
}

describe('one record', () => {
  it('[W1] [W2] [case 41] a second recovery starts with its own step, books and clock', () => {
    const b = bench(exponential);
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) b.tryAcq()?.failure('server_error');
      b.adv(b.status().retryInMs ?? 0);
      expect(b.status()).toMatchObject({
        state: 'half_open',
        step: 0,
        share: 0.1,
        ledger: { admitted: 0, successes: 0, failures: 0, firstAdmitAt: null },
      });
      b.adv(6_000);
      for (let i = 0; i < 3; i++) b.tryAcq()?.success();
      expect(b.status().step).toBe(0);
      b.healthy('closed', 50);
      expect(b.breaker.state).toBe('closed');
    }
  });

  it('[W3] a probe that fails late in half-open is followed by a whole open time', () => {
    const b = bench(exponential);
    b.trip();
    b.adv(10_000);
    const probe = b.acq();
    b.adv(20_000);
    probe.failure('server_error');
    b.adv(19_999);
    expect(b.breaker.state).toBe('open');
    b.adv(1);
    expect(b.breaker.state).toBe('half_open');
  });

  it('[case 44] [W1] whoever looks at a transition sees all of it', () => {
    const b = bench(exponential);
    const seen: BreakerStatus[] = [];
    b.breaker.on((event) => {
      const status = b.breaker.status();
      seen.push(status);
      expect(status).toMatchObject({ state: event.to, epoch: event.epoch, step: event.step });
      expect(status.retryAt === null).toBe(event.to !== 'open');
      expect(status.ledger === null).toBe(event.to !== 'half_open');
      expect((status.retryAt ?? 0) - (status.openedAt ?? 0)).toBe(status.openTimeoutMs ?? 0);
    });
    b.trip();
    b.adv(10_000);
    b.acq().failure('refused');
    b.adv(20_000);
    b.healthy('closed', 50);
    expect(seen.map(({ state, step }) => `${state} ${step}`)).toEqual([
      'open null',
      'half_open 0',
      'open null',
      'half_open 0',
      'half_open 1',
      'half_open 2',
      'half_open 3',
      'closed null',
    ]);
  });
});

describe('permits', () => {
  it('[W12] a hundred thousand arrivals do not move the share', () => {
    const b = bench(
      withRecovery(R, {
        admission: { kind: 'percent', share: 0.3 },
        minimumSuccesses: 1e6,
        maxInFlight: 9,
        minProbeIntervalMs: 1e9,
      }),
    );
    b.trip();
    b.adv(10_000);
    b.acq().success();
    let granted = 0;
    const arrivals = runs(100_000);
    for (let i = 0; i < arrivals; i++) {
      const permit = b.tryAcq();
      permit?.success(1);
      if (permit !== null) granted++;
    }
    expect(granted).toBe(0.3 * arrivals);
  });

  it('[W42] a permit is what it was when it was given', () => {
    const b = bench();
    const normal = b.acq();
    b.trip();
    b.adv(10_000);
    const probe = b.acq();
    b.breaker.reset();
    expect([normal.role, normal.probe, normal.step]).toEqual(['normal', false, null]);
    expect([probe.role, probe.probe, probe.step]).toEqual(['probe', true, 0]);
  });

  it('[W45] the permit travels as a value: two calls on one stack keep their own', async () => {
    const b = bench(withRecovery(R, { admission: { kind: 'percent', share: 1 }, maxInFlight: 9 }));
    const roles: string[] = [];
    const call =
      (name: string) => async (context: { readonly permit: { readonly role: string } }) => {
        await Promise.resolve();
        roles.push(`${name} ${context.permit.role}`);
      };
    const before = b.breaker.run(call('before'));
    b.trip();
    b.adv(10_000);
    const after = b.breaker.run(call('after'));
    await Promise.all([before, after]);
    expect(roles).toEqual(['before normal', 'after probe']);
    expect(b.status()).toMatchObject({ ledger: { successes: 1 }, counters: { late: 1 } });
  });

  it('[S4] a call that times out is one outcome and one sample', async () => {
    const b = bench();
    const told: string[] = [];
    b.breaker.onSettle(({ outcome, latencyMs }) => told.push(`${outcome} ${latencyMs}`));
    const call = b.breaker.run(() => new Promise(() => undefined), { timeoutMs: 500 });
    b.adv(500);
    await expect(call).rejects.toMatchObject({ code: 'CALL_TIMEOUT' });
    expect(told).toEqual(['timeout 500']);
    expect(b.status()).toMatchObject({
      window: { calls: 1, failures: 1, slow: 1 },
      counters: { settled: { timeout: 1, server_error: 0 } },
    });
  });
});

describe('lifetime', () => {
  it('[case 85] a breaker that nobody holds is collected', async () => {
    const weak = forgotten();
    await new Promise((resolve) => setTimeout(resolve, 0));
    collectGarbage();
    expect(weak.deref()).toBeUndefined();
  });

  it('[case 98] a restored breaker has no permits out and gives one by the same rules', () => {
    const b = bench();
    b.trip();
    b.adv(10_000);
    b.acq();
    let now = 0;
    const restored = CircuitBreaker.restore('x', { ...D, clock: () => now }, b.breaker.snapshot());
    expect(restored.status()).toMatchObject({
      state: 'half_open',
      inFlight: 0,
      counters: { admitted: 0, probes: 0 },
    });
    const granted = Array.from({ length: 20 }, () => restored.tryAcquire().granted);
    expect(granted.filter(Boolean)).toHaveLength(1);
    now += 30_000;
    expect(restored.state).toBe('open');
  });
});
