import { describe, expect, it } from 'vitest';
import { chain } from '@/lib/breaker';
import { bench, D, R, withRecovery } from './support';

function probing(options = D) {
  const b = bench(options);
  b.trip();
  b.adv(10_000);
  return b;
}

describe('late results', () => {
  it('[case 1] [S1] a success from before the trip does not close', () => {
    const b = bench();
    const a = b.acq();
    b.trip();
    const { retryAt } = b.status();
    b.adv(1_000);
    expect(a.success()).toBe('late');
    expect(b.breaker.state).toBe('open');
    expect(b.status().retryAt).toBe(retryAt);
  });

  it('[case 2] nor do five of them, also in half-open [W29]', () => {
    const b = bench();
    const pending = Array.from({ length: 5 }, () => b.acq());
    b.trip();
    b.adv(10_000);
    expect(b.breaker.state).toBe('half_open');
    for (const permit of pending) expect(permit.success()).toBe('late');
    expect(b.breaker.state).toBe('half_open');
    expect(b.types()).not.toContain('closed');
  });

  it('[case 4] [S6] [W5] a failure from before the trip does not reopen', () => {
    const b = bench(R);
    const a = b.acq();
    b.trip();
    b.adv(10_000);
    b.acq();
    expect(a.failure('timeout')).toBe('late');
    expect(b.breaker.state).toBe('half_open');
    expect(b.status().level).toBe(0);
  });

  it('[case 5] one trip, one event', () => {
    const b = bench();
    const permits = Array.from({ length: 6 }, () => b.acq());
    for (const permit of permits) permit.failure('server_error');
    expect(b.of('opened')).toHaveLength(1);
  });

  it('[B11] [case 7] a late settlement says so and is counted as such', () => {
    const b = bench();
    const a = b.acq();
    b.trip();
    const before = b.status();
    expect(a.success()).toBe('late');
    expect(b.status()).toEqual({ ...before, counters: { ...before.counters, late: 1 } });
  });

  it('[case 9] [S9] a hundred old permits leave the probe ledger empty', () => {
    const b = bench();
    const old = Array.from({ length: 100 }, () => b.acq());
    b.trip();
    b.adv(10_000);
    expect(b.breaker.state).toBe('half_open');
    for (const permit of old) permit.success();
    expect(b.status().ledger).toMatchObject({ admitted: 0, successes: 0, failures: 0 });
    expect(b.status().inFlight).toBe(0);
  });

  it('[S8] [W43] an old permit gives back no place of the probes', () => {
    const b = bench();
    const old = b.acq();
    b.trip();
    b.adv(10_000);
    b.acq();
    old.failure('server_error');
    b.adv(1);
    expect(b.reason()).toBe('in_flight');
  });

  it('[B30] [case 43] late failures leave the open time alone', () => {
    const b = bench();
    const permits = Array.from({ length: 6 }, () => b.acq());
    for (const permit of permits.slice(0, 4)) permit.failure('server_error');
    b.adv(5_000);
    for (const permit of permits.slice(4)) permit.failure('server_error');
    b.adv(5_000);
    expect(b.breaker.state).toBe('half_open');
  });

  it('[case 61] late failures do not count towards the next trip', () => {
    const b = bench();
    const late = [b.acq(), b.acq()];
    b.trip();
    for (const permit of late) permit.failure('server_error');
    b.adv(10_000);
    b.acq().success();
    for (let i = 0; i < 3; i++) b.acq().failure('server_error');
    expect(b.breaker.state).toBe('closed');
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('[W6] [W35] [W44] a probe of one round says nothing in the next', () => {
    const b = bench(
      withRecovery(D, { maxInFlight: 2, admission: { kind: 'fixed', calls: 2, periodMs: 1 } }),
    );
    b.trip();
    b.adv(10_000);
    const hanging = b.acq();
    b.acq().failure('server_error');
    b.adv(10_000);
    b.acq();
    expect(hanging.failure('timeout')).toBe('late');
    expect(b.breaker.state).toBe('half_open');
    expect(b.status().inFlight).toBe(1);
  });

  it('[B54] [I5] a success of an earlier step does not count, a failure does', () => {
    const b = bench(
      withRecovery(R, {
        stepMs: 0,
        minimumSuccesses: 1,
        failureBudget: 2,
        maxInFlight: 10,
        pendingLimitMs: 60_000,
        admission: { kind: 'ramp', steps: [1, 1, 1] },
      }),
    );
    b.trip();
    b.adv(10_000);
    const good = b.acq();
    const ill = b.acq();
    const ill2 = b.acq();
    b.acq().success();
    expect(b.status().step).toBe(1);
    expect(good.success()).toBe('late');
    expect(b.status().ledger?.successes).toBe(0);
    expect(ill.failure('server_error')).toBe('counted');
    expect(b.status().ledger?.failures).toBe(1);
    ill2.failure('server_error');
    expect(b.breaker.state).toBe('open');
  });

  it('[W4] [I17] three probes that fail together raise the level once', () => {
    const b = bench({
      ...withRecovery(R, { maxInFlight: 3, admission: { kind: 'percent', share: 1 } }),
      open: { kind: 'exponential', baseMs: 10_000, jitter: 0, maxMs: 60_000 },
    });
    b.trip();
    b.adv(10_000);
    const probes = [b.acq(), b.acq(), b.acq()];
    for (const probe of probes) probe.failure('server_error');
    expect(b.status().level).toBe(1);
    expect(b.status().openTimeoutMs).toBe(20_000);
  });

  it('[B10] [I3] a permit settles once', () => {
    const b = bench();
    const a = b.acq();
    expect(a.success()).toBe('counted');
    const before = b.status();
    expect([a.success(), a.failure('refused'), a.cancel(), a.ignore()]).toEqual(
      Array.from({ length: 4 }, () => 'duplicate'),
    );
    expect(b.status()).toEqual(before);
  });
});

describe('stuck half-open', () => {
  it('[B12] [case 20] [W31] [W34] a probe that nobody settles expires as a timeout', () => {
    const b = probing();
    const probe = b.acq();
    b.adv(30_000);
    expect(b.breaker.state).toBe('open');
    expect(b.of('opened').at(-1)).toMatchObject({ monoMs: probe.expiresAt, reason: 'failures' });
    expect(b.of('probe_expired')).toHaveLength(1);
    expect(probe.success()).toBe('expired');
    expect(b.status().counters).toMatchObject({ expired: 1, late: 0 });
  });

  it('[B3] [G2] a settlement exactly at the expiry is expired', () => {
    const b = probing();
    const probe = b.acq();
    b.clock.jump(30_000);
    expect(probe.success()).toBe('expired');
  });

  it.each([
    ['[case 22] [case 28] ignored', 'ignored'],
    ['[case 24] [case 35] cancelled', 'cancelled'],
    ['[case 53] rejected by something local', 'rejected_local'],
  ] as const)('%s gives the place back and says nothing', (_, kind) => {
    const b = probing();
    expect(b.acq().failure(kind)).toBe('inconclusive');
    expect(b.status()).toMatchObject({
      state: 'half_open',
      inFlight: 0,
      ledger: { failures: 0, successes: 0 },
    });
    expect(b.tryAcq()).not.toBeNull();
  });

  it('[case 26] [case 27] [S2] an ignored probe neither sticks nor closes', () => {
    const b = probing();
    b.acq().ignore();
    expect(b.breaker.state).toBe('half_open');
    expect(b.types()).not.toContain('closed');
  });

  it('[case 33] a client error proves that the target answers', () => {
    const b = probing();
    expect(b.acq().failure('client_error')).toBe('counted');
    expect(b.breaker.state).toBe('closed');
  });

  it('[case 23] abandoned probes count when their life ends', () => {
    const b = probing(
      withRecovery(D, {
        maxInFlight: 5,
        admission: { kind: 'fixed', calls: 5, periodMs: 1 },
        minimumSuccesses: 5,
        failureBudget: 3,
      }),
    );
    const probes = Array.from({ length: 5 }, () => b.acq());
    for (const probe of probes.slice(0, 3)) probe.success();
    b.adv(30_000);
    expect(b.status().ledger).toMatchObject({ successes: 3, failures: 2 });
    expect(b.status().inFlight).toBe(0);
  });

  it('[case 30] two failed rounds do not spoil the third', () => {
    const b = bench();
    b.trip();
    for (let i = 0; i < 2; i++) {
      b.adv(10_000);
      b.acq().failure('server_error');
      expect(b.breaker.state).toBe('open');
    }
    b.adv(10_000);
    b.acq().success();
    expect(b.breaker.state).toBe('closed');
  });

  it.each(['open', 'closed'] as const)(
    '[B58] [case 37] [W23] the limit of half-open leads to %s',
    (then) => {
      // oxlint-disable-next-line unicorn/no-thenable -- a word of the options, not a promise
      const limit = { maxHalfOpenMs: 60_000, then };
      const b = probing(withRecovery(R, limit));
      b.adv(60_000);
      expect(b.breaker.state).toBe(then);
      expect(b.events.at(-1)?.data.cause).toBe('half_open_limit');
    },
  );

  it('[case 34] a callback that throws leaves the place free', async () => {
    const b = bench({
      ...D,
      classify: () => {
        throw new Error('callback');
      },
    });
    b.trip();
    b.adv(10_000);
    await expect(
      b.breaker.run(() => {
        throw Object.assign(new Error('gone'), { name: 'AbortError' });
      }),
    ).rejects.toThrow('gone');
    expect(b.status().inFlight).toBe(0);
    expect(b.problems).toHaveLength(1);
    expect(b.tryAcq()).not.toBeNull();
  });

  it('[B48] at most maxInconclusive probes in a step come back without an answer', () => {
    const b = probing(
      withRecovery(R, { maxInconclusive: 3, admission: { kind: 'percent', share: 1 } }),
    );
    for (let i = 0; i < 3; i++) b.acq().cancel();
    expect(b.of('starved')).toHaveLength(1);
    expect(b.reason()).toBe('share');
    b.adv(1_000);
    expect(b.reason()).toBe('granted');
  });

  it('[W33] a cap below the minimum limits what is under way, not the total', () => {
    const b = probing(withRecovery(D, { minimumSuccesses: 3 }));
    for (let i = 0; i < 3; i++) {
      b.acq().success();
      b.adv(1);
    }
    expect(b.breaker.state).toBe('closed');
  });

  it('[case 31] [B98] a chain acquires all or releases all', () => {
    const due = probing();
    const open = bench();
    open.trip();
    const both = chain(due.breaker, open.breaker);
    expect(both.tryAcquire()).toMatchObject({ granted: false, reason: 'open' });
    expect(due.status()).toMatchObject({ state: 'half_open', inFlight: 0 });
    open.adv(10_000);
    const permit = both.tryAcquire();
    expect(permit.granted && permit.success()).toEqual(['counted', 'counted']);
    expect([due.breaker.state, open.breaker.state]).toEqual(['closed', 'closed']);
  });
});
