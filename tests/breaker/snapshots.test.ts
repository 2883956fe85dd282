import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions, BreakerSnapshot } from '@/lib/breaker';
import { bench, D, withRecovery } from './support';

const by = { reason: 'test', actor: 'ann' };
const exponential: BreakerOptions = {
  ...D,
  open: { kind: 'exponential', baseMs: 10_000, jitter: 0, maxMs: 60_000, maxHintMs: 90_000 },
};

/** Restored `awayMs` after the snapshot, on a clock that starts at 500. */
function restored(saved: BreakerSnapshot, awayMs = 0, options: BreakerOptions = exponential) {
  const problems: unknown[] = [];
  let now = 500;
  const breaker = CircuitBreaker.restore(
    'x',
    {
      ...options,
      clock: () => now,
      wallClock: () => saved.takenAtWallMs + awayMs + now - 500,
      random: () => 0.5,
      onProblem: (problem) => problems.push(problem),
    },
    saved,
  );
  return {
    breaker,
    problems,
    adv: (ms: number) => {
      now += ms;
    },
  };
}

/** A snapshot in which nothing is 0 or null. */
function rich(): BreakerSnapshot {
  const b = bench(exponential);
  for (let i = 0; i < 40; i++) {
    b.acq().success(5);
    b.adv(10);
  }
  b.trip();
  for (let i = 0; i < 2; i++) {
    b.adv(b.status().retryInMs ?? 0);
    b.acq().failure('server_error');
  }
  b.adv(1_000);
  b.breaker.override('forced_closed', { ...by, expiresInMs: 7_000, id: 'o-1', resume: 'open' });
  return { ...b.breaker.snapshot(), recoveredForMs: 5, outageMs: 9 };
}

const fixed = (baseMs: number, maxHintMs: number): BreakerOptions => ({
  ...D,
  open: { kind: 'fixed', baseMs, maxHintMs },
});

const anchored = { p50: 1, p90: 2, p95: 3, p99: 4, ageMs: 5 };
const nothing = { buckets: [], count: 0, sumMs: 0, maxMs: 0 };

describe('[B101] what a snapshot holds', () => {
  it('of an open breaker', () => {
    const b = bench(exponential);
    b.trip();
    b.adv(3_000);
    expect(b.breaker.snapshot()).toEqual({
      version: 1,
      takenAtWallMs: 1_700_000_004_000,
      automatic: 'open',
      level: 0,
      epoch: 1,
      retryInMs: 7_000,
      openTimeoutMs: 10_000,
      recoveredForMs: null,
      outageMs: null,
      baseline: {
        latency: nothing,
        classes: {
          idempotent: { latency: nothing, anchor: null },
          other: { latency: nothing, anchor: null },
        },
        callsPerMs: 0,
        inFlight: 0,
        calls: 0,
        failures: 0,
      },
      overrides: [],
    });
  });

  it('of a breaker that has recovered, and of one that never had to', () => {
    const b = bench(exponential);
    b.adv(100);
    expect(b.breaker.snapshot()).toMatchObject({
      automatic: 'closed',
      recoveredForMs: null,
      retryInMs: 0,
      openTimeoutMs: 0,
    });
    b.trip();
    b.adv(10_000);
    expect(b.breaker.snapshot()).toMatchObject({ automatic: 'half_open', recoveredForMs: null });
    b.acq().success();
    b.adv(250);
    expect(b.breaker.snapshot()).toMatchObject({ automatic: 'closed', recoveredForMs: 250 });
  });

  it('of overrides: durations, oldest first', () => {
    const b = bench();
    b.breaker.override('disabled', by);
    b.breaker.override('forced_open', { ...by, id: 'mine', expiresInMs: 900, resume: 'closed' });
    b.adv(300);
    expect(b.breaker.snapshot().overrides).toEqual([
      { kind: 'disabled', id: 'override-1', ...by, resume: 'closed', remainingMs: null },
      { kind: 'forced_open', id: 'mine', ...by, resume: 'closed', remainingMs: 600 },
    ]);
  });
});

describe('[B102] what comes back', () => {
  it('the rest of the open time, its whole length, level and epoch', () => {
    const b = bench(exponential);
    b.trip();
    b.adv(10_000);
    b.acq().failure('server_error');
    b.adv(3_000);
    const saved = b.breaker.snapshot();
    const { breaker } = restored(saved, 2_000);
    expect(breaker.status()).toMatchObject({
      state: 'open',
      level: 1,
      epoch: saved.epoch + 1,
      stepSeq: 0,
      openedAt: 500 + 15_000 - 20_000,
      retryAt: 500 + 15_000,
      retryInMs: 15_000,
      openTimeoutMs: 20_000,
    });
    expect(breaker.tryAcquire()).toEqual({ granted: false, reason: 'open', retryAfterMs: 15_000 });
  });

  it('never longer than an opening can be', () => {
    const open = { ...bench(exponential).breaker.snapshot(), automatic: 'open' } as const;
    const wait = (retryInMs: number, options?: BreakerOptions) =>
      restored({ ...open, retryInMs, openTimeoutMs: retryInMs }, 0, options).breaker.status()
        .retryInMs;
    expect(wait(90_000)).toBe(90_000);
    expect(wait(90_001)).toBe(90_000);
    expect(wait(1e9, fixed(10_000, 5))).toBe(20_000);
    expect(wait(1e9, fixed(10_000, 25_000))).toBe(25_000);
    const long = { kind: 'exponential', baseMs: 10, maxMs: 70_000, maxHintMs: 60_000 } as const;
    expect(wait(1e9, { ...D, open: long })).toBe(70_000);
  });

  it('[B36] a health check ends the rest early, but not below the minimum', () => {
    const b = bench(exponential);
    b.trip();
    const at = (waitedMs: number) => {
      b.clock.jump(waitedMs);
      return restored(b.breaker.snapshot()).breaker;
    };
    const young = at(400);
    expect(young.healthy()).toBe(true);
    expect(young.status()).toMatchObject({ state: 'open', retryInMs: 600 });
    const old = at(2_000);
    expect(old.healthy()).toBe(true);
    expect(old.state).toBe('half_open');
  });

  it('half-open begins again at its first step, and a probe is needed', () => {
    const b = bench(exponential);
    b.trip();
    b.adv(10_000);
    const { breaker } = restored(b.breaker.snapshot());
    expect(breaker.status()).toMatchObject({ state: 'half_open', step: 0, openTimeoutMs: null });
    expect(breaker.tryAcquire()).toMatchObject({ granted: true, probe: true });
  });

  it.each([
    [59_999, 1],
    [60_000, 0],
  ])('[B35] recovered for %i ms: a trip raises the level by %i', (closedMs, raised) => {
    const stable = { ...exponential.open, stableForMs: 60_000, decayEveryMs: 1e9 } as const;
    const options = {
      ...withRecovery(exponential, { guardMs: 0 }),
      open: stable,
    } as BreakerOptions;
    const b = bench(options);
    b.trip();
    b.adv(10_000);
    b.acq().success();
    b.adv(closedMs);
    const { breaker } = restored(b.breaker.snapshot(), 0, options);
    expect(breaker.state).toBe('closed');
    for (let i = 0; i < 4; i++) {
      const permit = breaker.tryAcquire();
      if (permit.granted) permit.failure('server_error');
    }
    expect(breaker.status()).toMatchObject({ state: 'open', level: raised });
  });

  it('[B27] a recovery that was guarded is guarded anew, another is not', () => {
    const options = withRecovery(exponential, { guardMs: 30_000 });
    const b = bench(options);
    const failTwice = () => {
      const { breaker } = restored(b.breaker.snapshot(), 0, options);
      for (let i = 0; i < 2; i++) {
        const permit = breaker.tryAcquire();
        if (permit.granted) permit.failure('server_error');
      }
      return breaker.state;
    };
    expect(failTwice()).toBe('closed');
    b.trip();
    b.adv(10_000);
    b.acq().success();
    expect(failTwice()).toBe('open');
    b.adv(60_000);
    expect(failTwice()).toBe('closed');
  });

  it('[B35] a level that was saved decays from there', () => {
    const saved = { ...bench(exponential).breaker.snapshot(), level: 3, recoveredForMs: 59_000 };
    const { breaker, adv } = restored(saved);
    expect(breaker.status().level).toBe(3);
    adv(999);
    expect(breaker.status().level).toBe(3);
    adv(1);
    expect(breaker.status().level).toBe(2);
  });

  it('[B70] live overrides with what is left of them; ended ones have resumed their way', () => {
    const b = bench(exponential);
    b.breaker.override('disabled', { ...by, id: 'a', expiresInMs: 50_000 });
    b.breaker.override('forced_closed', { ...by, id: 'b', expiresInMs: 5_000, resume: 'open' });
    const saved = b.breaker.snapshot();
    const both = restored(saved, 1_000);
    expect(both.breaker.overrides().map(({ id }) => id)).toEqual(['a', 'b']);
    expect(both.breaker.status()).toMatchObject({
      state: 'forced_closed',
      override: { id: 'b', remainingMs: 4_000 },
    });
    const older = restored(saved, 5_000);
    expect(older.breaker.status()).toMatchObject({
      state: 'disabled',
      override: { id: 'a', remainingMs: 45_000, ...by },
    });
    const none = restored(saved, 50_000);
    expect(none.breaker.overrides()).toEqual([]);
    expect(none.breaker.status()).toMatchObject({ state: 'open', retryInMs: 10_000, level: 0 });
  });

  it('[B70] an override without an end outlives any absence', () => {
    const b = bench();
    b.breaker.override('forced_open', by);
    const { breaker, adv } = restored(b.breaker.snapshot(), 1e9);
    adv(1e9);
    expect(breaker.status()).toMatchObject({
      state: 'forced_open',
      override: { remainingMs: null },
    });
  });

  it('[B66] what was learned, for the next recovery', () => {
    const saved = rich();
    const base = {
      latency: { buckets: saved.baseline.latency.buckets, count: 0, sumMs: 0, maxMs: 0 },
      classes: null,
      callsPerMs: 0.25,
      inFlight: 3,
      calls: 40,
      failures: 4,
    };
    expect(restored({ ...saved, baseline: base, overrides: [] }).breaker.snapshot()).toMatchObject({
      outageMs: 9,
      baseline: { callsPerMs: 0.25, inFlight: 3, calls: 40, failures: 4 },
    });
  });

  it('[B74] a shadow breaker comes back watching', () => {
    const b = bench(exponential);
    b.trip();
    const { breaker } = restored(b.breaker.snapshot(), 0, { ...exponential, mode: 'shadow' });
    expect(breaker.status()).toMatchObject({ state: 'metrics_only', automatic: 'closed' });
    expect(breaker.tryAcquire().granted).toBe(true);
  });

  it('[B102] a wall clock that went back counts as no time', () => {
    const b = bench(exponential);
    b.trip();
    b.breaker.override('disabled', { ...by, expiresInMs: 900 });
    const { breaker } = restored(b.breaker.snapshot(), -1e9);
    expect(breaker.status().override).toMatchObject({ remainingMs: 900 });
  });
});

const invalid = [-1, Number.NaN, Infinity, '5', undefined, {}];

function problemOf(saved: unknown): string {
  const problems: unknown[] = [];
  const breaker = CircuitBreaker.restore(
    'x',
    { clock: () => 0, onProblem: (problem) => problems.push(problem) },
    saved,
  );
  expect(breaker.status()).toMatchObject({ state: 'closed', epoch: 0, override: null });
  expect(problems).toHaveLength(1);
  return String(problems[0]);
}

const starts = (problem: string) => `Error: Circuit breaker "x" starts afresh: ${problem}`;

describe('[B103] what cannot be read', () => {
  it('the snapshot it is measured by can be', () => {
    expect(restored(rich()).problems).toEqual([]);
    expect(restored(JSON.parse(JSON.stringify(rich()))).problems).toEqual([]);
  });

  it.each([null, undefined, 'x', 5, []])('%j', (saved) => {
    expect(problemOf(saved)).toBe(starts('the snapshot is no object'));
  });

  it.each([
    ['version', 2, 'the snapshot has an unknown version'],
    ['version', '1', 'the snapshot has an unknown version'],
    ['automatic', 'forced_open', 'the snapshot has an unknown state'],
    ['automatic', undefined, 'the snapshot has an unknown state'],
    ['baseline', null, 'the baseline of the snapshot is invalid'],
    ['baseline', [], 'the baseline of the snapshot is invalid'],
    ['overrides', null, 'an override of the snapshot is invalid'],
    ['overrides', {}, 'an override of the snapshot is invalid'],
    ['overrides', [null], 'an override of the snapshot is invalid'],
    ['level', 1.5, 'a number of the snapshot is invalid'],
    ['epoch', 1.5, 'a number of the snapshot is invalid'],
  ])('%s: %j', (field, value, problem) => {
    expect(problemOf({ ...rich(), [field]: value })).toBe(starts(problem));
  });

  it.each(['takenAtWallMs', 'level', 'epoch', 'retryInMs', 'openTimeoutMs'])(
    '%s that is no amount',
    (field) => {
      for (const value of [...invalid, null]) {
        expect(problemOf({ ...rich(), [field]: value })).toBe(
          starts(`${field} of the snapshot is invalid`),
        );
      }
    },
  );

  it.each(['recoveredForMs', 'outageMs'])('%s that is neither an amount nor null', (field) => {
    for (const value of invalid) {
      expect(problemOf({ ...rich(), [field]: value })).toBe(
        starts('a number of the snapshot is invalid'),
      );
    }
    expect(restored({ ...rich(), [field]: null }).problems).toEqual([]);
  });

  it.each(['callsPerMs', 'inFlight', 'calls', 'failures'])(
    'baseline.%s that is no amount',
    (field) => {
      const saved = rich();
      for (const value of [...invalid, null]) {
        expect(problemOf({ ...saved, baseline: { ...saved.baseline, [field]: value } })).toBe(
          starts('the baseline of the snapshot is invalid'),
        );
      }
    },
  );

  it.each([
    null,
    5,
    {},
    { buckets: 5 },
    { buckets: [5] },
    { buckets: [[1]] },
    { buckets: [[1, -2]] },
  ])('baseline.latency: %j', (latency) => {
    const saved = rich();
    expect(problemOf({ ...saved, baseline: { ...saved.baseline, latency } })).toBe(
      starts('the baseline of the snapshot is invalid'),
    );
  });

  it.each([
    5,
    [],
    {},
    { idempotent: { latency: nothing, anchor: null } },
    { other: { latency: nothing, anchor: null } },
    { idempotent: null, other: { latency: nothing, anchor: null } },
    { idempotent: { latency: null, anchor: null }, other: { latency: nothing, anchor: null } },
    { idempotent: { latency: nothing }, other: { latency: nothing, anchor: null } },
    { idempotent: { latency: nothing, anchor: {} }, other: { latency: nothing, anchor: null } },
    ...['p50', 'p90', 'p95', 'p99', 'ageMs'].map((name) => ({
      idempotent: { latency: nothing, anchor: null },
      other: { latency: nothing, anchor: { ...anchored, [name]: -1 } },
    })),
  ])('baseline.classes: %j', (classes) => {
    const saved = rich();
    expect(problemOf({ ...saved, baseline: { ...saved.baseline, classes } })).toBe(
      starts('the baseline of the snapshot is invalid'),
    );
  });

  it('a snapshot from before the classes is read, and one with an anchor comes back whole', () => {
    const saved = rich();
    for (const classes of [null, undefined]) {
      const old = restored({ ...saved, baseline: { ...saved.baseline, classes } as never });
      expect(old.problems).toEqual([]);
      expect(old.breaker.snapshot().baseline.latency).toEqual(saved.baseline.latency);
    }
    const latency = { buckets: [[3, 25]], count: 25, sumMs: 75, maxMs: 4 } as never;
    const classes = {
      idempotent: { latency, anchor: anchored },
      other: { latency: nothing, anchor: { ...anchored, ageMs: 9 } },
    };
    const now = restored({ ...saved, baseline: { ...saved.baseline, classes } });
    expect(now.breaker.snapshot().baseline.classes).toEqual(classes);
  });

  it.each([
    ['kind', 'closed'],
    ['kind', undefined],
    ['resume', 'disabled'],
    ['remainingMs', -1],
    ['remainingMs', '5'],
    ['id', 5],
    ['reason', null],
    ['actor', {}],
  ])('override.%s: %j', (field, value) => {
    const saved = rich();
    const overrides = saved.overrides.map((override) => ({ ...override, [field]: value }));
    expect(problemOf({ ...saved, overrides })).toBe(
      starts('an override of the snapshot is invalid'),
    );
    expect(problemOf({ ...saved, overrides: [...saved.overrides, ...overrides] })).toBe(
      starts('an override of the snapshot is invalid'),
    );
  });
});
