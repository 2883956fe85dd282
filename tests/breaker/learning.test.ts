import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions } from '@/lib/breaker';
import { bench, R, withRecovery } from './support';

const by = { reason: 'test', actor: 'ann' };

/** A window of 400 ms is learned in slices of 100 ms, each believed when four more have passed. */
const timed: BreakerOptions = {
  ...withRecovery(R, {
    admission: { kind: 'ramp', steps: [1, 1] },
    stepMs: 0,
    minimumSuccesses: [1, 1_000],
    maxInFlight: 99,
    failureBudget: 'statistical',
    maxHalfOpenMs: 1e9,
    maxStepWaitMs: 1e9,
    pendingLimitMs: 1e9,
  }),
  window: { kind: 'time', durationMs: 400, buckets: 4 },
  trip: [{ kind: 'refused', failures: 3 }],
};

type Bench = ReturnType<typeof bench>;
type Answer = (permit: ReturnType<Bench['acq']>, i: number) => void;

const well: Answer = (permit) => permit.success(20);

/** `perSlice` calls at the start of each of so many slices. */
function load(b: Bench, slices: number, perSlice: number, answer: Answer = well): void {
  for (let slice = 0; slice < slices; slice++) {
    for (let i = 0; i < perSlice; i++) answer(b.acq(), i);
    b.adv(100);
  }
}

const learned = (b: Bench) => b.breaker.snapshot().baseline;

describe('[B66] the normal load', () => {
  it('is believed a window later, slice by slice', () => {
    const b = bench(timed);
    const calls: number[] = [];
    for (let i = 0; i < 8; i++) {
      load(b, 1, 10);
      b.acq().ignore();
      calls.push(learned(b).calls);
    }
    // The fifth slice to end makes the first one believed.
    expect(calls).toEqual([0, 0, 0, 0, 10, 20, 30, 40]);
  });

  it('is what the first slice says, then moves a fifth of the way with each', () => {
    const b = bench(timed);
    load(b, 10, 10);
    expect(learned(b).callsPerMs).toBeCloseTo(0.1, 10);
    expect(learned(b).inFlight).toBeCloseTo(2, 10);
    load(b, 4, 30, (permit) => permit.success(40));
    b.acq().ignore();
    expect(learned(b).callsPerMs).toBeCloseTo(0.1, 10);
    load(b, 1, 30, (permit) => permit.success(40));
    b.acq().ignore();
    expect(learned(b).callsPerMs).toBeCloseTo(0.1 + 0.2 * 0.2, 10);
    expect(learned(b).inFlight).toBeCloseTo(2 + 0.2 * 10, 10);
    load(b, 1, 30, (permit) => permit.success(40));
    b.acq().ignore();
    expect(learned(b).callsPerMs).toBeCloseTo(0.14 + 0.2 * 0.16, 10);
  });

  it('goes on from where it was after a restart', () => {
    const b = bench(timed);
    load(b, 10, 10);
    const saved = b.breaker.snapshot();
    const restored = CircuitBreaker.restore('x', { ...timed, clock: b.clock.now }, saved);
    for (let slice = 0; slice < 6; slice++) {
      for (let i = 0; i < 20; i++) {
        const permit = restored.tryAcquire();
        if (permit.granted) permit.success(20);
      }
      b.adv(100);
    }
    const { callsPerMs } = restored.snapshot().baseline;
    expect(callsPerMs).toBeGreaterThan(0.1);
    expect(callsPerMs).toBeLessThan(0.15);
  });

  it('of a count window goes by calls, a quarter of them a slice', () => {
    const b = bench({
      ...timed,
      window: { kind: 'count', size: 38 },
      trip: [{ kind: 'refused', failures: 3 }],
    });
    const calls: number[] = [];
    for (let i = 0; i < 70; i++) {
      b.acq().success(5);
      b.adv(10);
      calls.push(learned(b).calls);
    }
    expect(calls.indexOf(10)).toBe(50);
    expect(calls.filter((n) => n === 10)).toHaveLength(10);
    expect(learned(b).callsPerMs).toBeCloseTo(0.1, 10);
  });

  it('is not told by a slice that took no time', () => {
    const b = bench({
      ...timed,
      window: { kind: 'count', size: 8 },
      trip: [{ kind: 'refused', failures: 3 }],
    });
    for (let i = 0; i < 40; i++) b.acq().success(5);
    expect(learned(b)).toMatchObject({ callsPerMs: 0, inFlight: 0 });
    expect(learned(b).calls).toBeGreaterThan(20);
  });
});

const failing =
  (everyNth: number): Answer =>
  (permit, i) => {
    if (i % everyNth === 0) permit.failure('server_error', 20);
    else permit.success(20);
  };
/** The budget after 20 successes and one failure of the second step. */
const budget = (b: Bench) => {
  for (let i = 0; i < 3; i++) b.acq().failure('refused');
  b.adv(b.status().retryInMs ?? 0);
  expect(b.status().ledger?.budget).toBe(1);
  b.acq().success(20);
  expect(b.status().step).toBe(1);
  expect(b.status().ledger?.budget).toBe(2);
  for (let i = 0; i < 20; i++) {
    // The rate cap lets no more through than was normal.
    b.adv(100);
    b.acq().success(20);
  }
  expect(b.status().ledger?.budget).toBe(2);
  b.acq().failure('server_error');
  expect(b.breaker.state).toBe('half_open');
  return b.status().ledger?.budget;
};

describe('[B51] the normal error rate', () => {
  it('is learned from closed calls, or told', () => {
    const b = bench(timed);
    load(b, 20, 10, failing(10));
    b.acq().success(20);
    expect(learned(b)).toMatchObject({ calls: 160, failures: 16 });
    const learnedBudget = budget(b);
    expect(learnedBudget).toBe(8);
    expect(budget(bench({ ...timed, normalErrorRate: 0.1 }))).toBe(8);
    expect(budget(bench(timed))).toBe(2);
    const told = bench({ ...timed, normalErrorRate: 0 });
    load(told, 20, 10, failing(10));
    expect(budget(told)).toBe(2);
  });

  it('follows the service: old calls weigh half at 20,000', () => {
    const b = bench(timed);
    load(b, 24, 1_000, failing(10));
    const { calls, failures } = learned(b);
    expect(calls).toBeLessThan(20_000);
    expect(calls).toBeGreaterThan(9_000);
    expect(failures / calls).toBeCloseTo(0.1, 10);
  });
});

describe('[B66] what is normal', () => {
  it('neither probes nor the guard period are, to the instant', () => {
    const b = bench(withRecovery(timed, { minimumSuccesses: 1, guardMs: 1_000 }));
    load(b, 10, 10);
    for (let i = 0; i < 3; i++) b.acq().failure('refused');
    b.adv(10_000);
    const before = learned(b);
    for (let i = 0; i < 2; i++) b.acq().success(20);
    expect(b.breaker.state).toBe('closed');
    load(b, 10, 10);
    expect(learned(b)).toEqual(before);
    // The guard is over now: what comes in this very instant is normal again.
    load(b, 6, 10);
    b.acq().ignore();
    expect(learned(b).calls).toBe(before.calls + 20);
  });

  it.each(['forced_closed', 'metrics_only', 'disabled'] as const)('%s is not', (kind) => {
    const b = bench(timed);
    load(b, 10, 10);
    const before = learned(b);
    b.breaker.override(kind, { ...by, expiresInMs: 2_000 });
    load(b, 20, 30);
    expect(learned(b)).toEqual(before);
  });

  it('nor is what comes while the breaker is open under it', () => {
    const b = bench(timed);
    load(b, 10, 10);
    for (let i = 0; i < 3; i++) b.acq().failure('refused');
    const before = learned(b);
    b.breaker.override('forced_closed', by);
    expect(b.acq().success(20)).toBe('counted');
    expect(b.status().window.calls).toBe(1);
    load(b, 20, 30);
    expect(learned(b)).toEqual(before);
  });

  it('watching in shadow is', () => {
    const b = bench({ ...timed, mode: 'shadow' });
    load(b, 10, 10);
    b.acq().ignore();
    expect(learned(b)).toMatchObject({ calls: 60 });
    expect(learned(b).callsPerMs).toBeCloseTo(0.1, 10);
  });

  it('answers with an error take part in the load, not in the latencies', () => {
    const b = bench(timed);
    load(b, 10, 10, (permit, i) => {
      if (i < 3) permit.success(20);
      else if (i < 6) permit.failure('client_error', 20);
      else permit.failure('server_error', 20);
    });
    b.acq().ignore();
    expect(learned(b)).toMatchObject({ calls: 60, failures: 24, latency: { count: 18 } });
  });

  it('what says nothing is admitted and no more', () => {
    const b = bench(timed);
    load(b, 10, 10, (permit, i) => {
      if (i < 5) permit.success(20);
      else permit.cancel();
    });
    b.acq().ignore();
    expect(learned(b)).toMatchObject({ calls: 30, latency: { count: 30 } });
    expect(learned(b).callsPerMs).toBeCloseTo(0.1, 10);
  });

  it('health checks are not', () => {
    const b = bench(timed);
    load(b, 10, 10);
    for (let slice = 0; slice < 10; slice++) {
      for (let i = 0; i < 10; i++) well(b.acq(), i);
      for (let i = 0; i < 10; i++) {
        const check = b.breaker.tryAcquire({ healthCheck: true });
        if (check.granted) check.success(900);
      }
      b.adv(100);
    }
    expect(learned(b).callsPerMs).toBeCloseTo(0.1, 10);
  });

  it('[B123] what came since the loop was last in time is not', () => {
    const b = bench(timed);
    load(b, 10, 10);
    b.acq().ignore();
    const before = learned(b);
    expect(before.calls).toBe(60);
    b.breaker.noteLoopDelay(0);
    load(b, 3, 30);
    b.breaker.noteLoopDelay(5_000);
    load(b, 4, 10);
    b.acq().ignore();
    // The four slices from before stayed and are believed; the three of 30 are gone.
    expect(learned(b).calls).toBe(60 + 40);
    load(b, 2, 10);
    b.acq().ignore();
    expect(learned(b).calls).toBe(60 + 40 + 20);
  });
});
