import { describe, expect, it } from 'vitest';
import { bench, D, R, withRecovery } from './support';

const by = { reason: 'drill', actor: 'ann' };

function check(b: ReturnType<typeof bench>) {
  const permit = b.breaker.tryAcquire({ healthCheck: true });
  if (!permit.granted) throw new Error(`refused: ${permit.reason}`);
  return permit;
}

/** Everything but the counters of health checks. */
function rest(b: ReturnType<typeof bench>): unknown {
  const { counters, ...status } = b.status();
  return { ...status, counters: { ...counters, healthChecks: null }, events: b.events.length };
}

describe('[B112] health checks', () => {
  it('pass where everything else is refused [I14] [I23]', () => {
    const b = bench();
    b.breaker.override('forced_open', by);
    expect(b.reason()).toBe('forced_open');
    const permit = check(b);
    expect(permit).toMatchObject({ role: 'bypass', probe: false, step: null });
    expect(permit.success(5)).toBe('bypassed');
    expect(permit.success(5)).toBe('duplicate');
    expect(b.reason()).toBe('forced_open');
  });

  it('come one at a time, and the place is free again after the call timeout', () => {
    const b = bench();
    b.breaker.override('forced_open', by);
    const hanging = check(b);
    b.adv(10_000);
    expect(b.breaker.tryAcquire({ healthCheck: true })).toMatchObject({
      granted: false,
      reason: 'in_flight',
      retryAfterMs: 20_000,
    });
    b.adv(20_000);
    check(b).failure('timeout');
    expect(hanging.success()).toBe('expired');
    expect(b.status().counters.healthChecks).toEqual({
      issued: 2,
      passed: 0,
      failed: 1,
      refused: 1,
    });
  });

  it.each([
    ['closed', () => bench()],
    [
      'open',
      () => {
        const b = bench();
        b.trip();
        return b;
      },
    ],
    [
      'half_open',
      () => {
        const b = bench(withRecovery(R, { maxInFlight: 1 }));
        b.trip();
        b.adv(10_000);
        b.acq();
        return b;
      },
    ],
    [
      'disabled',
      () => {
        const b = bench();
        b.breaker.override('disabled', by);
        return b;
      },
    ],
  ])('[B113] in %s they change nothing that calls are judged by', (state, make) => {
    const b = make();
    expect(b.breaker.state).toBe(state);
    const before = rest(b);
    const told: unknown[] = [];
    b.breaker.onSettle((settlement) => told.push(settlement));
    for (let i = 0; i < 20; i++) check(b).failure('server_error', 9);
    for (let i = 0; i < 20; i++) check(b).success(9);
    check(b).cancel();
    expect(rest(b)).toEqual(before);
    expect(told).toEqual([]);
    expect(b.status().counters.healthChecks).toEqual({
      issued: 41,
      passed: 20,
      failed: 20,
      refused: 0,
    });
  });

  it('one taken under an override settles the same after it', () => {
    const b = bench();
    const hold = b.breaker.override('forced_open', by);
    const permit = check(b);
    hold.release();
    expect(permit.success()).toBe('bypassed');
    expect(b.status()).toMatchObject({ state: 'half_open', ledger: { successes: 0 } });
  });

  it('[B36] a passed one may end the open time early, if the caller says so', async () => {
    const b = bench();
    b.trip();
    b.adv(2_000);
    await b.breaker.run(async () => 'well', { healthCheck: true });
    expect(b.breaker.state).toBe('open');
    expect(b.breaker.healthy()).toBe(true);
    expect(b.breaker.state).toBe('half_open');
  });

  it('run gives a hanging one up at the call timeout and counts it as failed', async () => {
    const b = bench();
    b.breaker.override('forced_open', by);
    const call = b.breaker.run(() => new Promise(() => undefined), { healthCheck: true });
    b.adv(30_000);
    await expect(call).rejects.toMatchObject({ code: 'CALL_TIMEOUT' });
    expect(b.status().counters.healthChecks).toMatchObject({ issued: 1, failed: 1 });
  });

  it('end with the breaker', () => {
    const b = bench();
    const permit = check(b);
    b.breaker.dispose();
    expect(permit.success()).toBe('late');
    expect(b.breaker.tryAcquire({ healthCheck: true })).toMatchObject({ reason: 'disposed' });
    const pass = bench({ ...D, onDisposed: 'pass' });
    pass.breaker.dispose();
    expect(check(pass).role).toBe('bypass');
  });
});
