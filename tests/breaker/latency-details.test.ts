import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions, FailureKind, RecoveryOptions } from '@/lib/breaker';
import { FakeClock } from '@/tests/support/fake-clock';
import { bench, R, withRecovery } from './support';

type Bench = ReturnType<typeof bench>;

/** Full share, a recovery that lasts, and a window of one second. */
function options(recovery: RecoveryOptions = {}, more: BreakerOptions = {}): BreakerOptions {
  return {
    ...withRecovery(R, {
      admission: { kind: 'percent', share: 1 },
      maxInFlight: 500,
      minimumSuccesses: 1_000,
      failureBudget: 99,
      hardRefused: 99,
      maxHalfOpenMs: 1e9,
      maxStepWaitMs: 1e9,
      pendingLimitMs: 1e9,
      minProbeIntervalMs: 1e9,
      writesFromStep: 0,
      ...recovery,
      latency: recovery.latency === null ? null : { skipFirst: 0, ...recovery.latency },
    }),
    window: { kind: 'time', durationMs: 1_000, buckets: 4 },
    trip: [{ kind: 'consecutive', failures: 4 }],
    slowMs: 20_000,
    ...more,
  };
}

/** So many calls, 20 ms apart. */
function calls(b: Bench, count: number, latencyMs: number, idempotent = true): void {
  for (let i = 0; i < count; i++) {
    b.acq(idempotent).success(latencyMs);
    b.adv(20);
  }
}

/** Half-open, with so many reads and writes known. What is younger than a window is forgotten. */
function learned(
  known: { reads?: number; readMs?: number; writes?: number; writeMs?: number },
  given: BreakerOptions = options(),
): Bench {
  const b = bench(given);
  calls(b, known.reads ?? 0, known.readMs ?? 30);
  calls(b, known.writes ?? 0, known.writeMs ?? 300, false);
  for (let i = 0; i < 110; i++) {
    b.acq().failure('client_error');
    b.adv(20);
  }
  b.trip();
  b.adv(10_000);
  expect(b.breaker.state).toBe('half_open');
  return b;
}

const cause = (b: Bench) => b.status().hold?.cause;

describe('[B60] what a step reads', () => {
  it('timeouts are endless, other failures have no latency', () => {
    const b = learned({ reads: 400 });
    const fail = (kind: FailureKind) => {
      b.adv(20);
      b.acq().failure(kind, 9_000);
    };
    for (let i = 0; i < 10; i++) fail('server_error');
    expect(cause(b)).toBeUndefined();
    for (let i = 0; i < 5; i++) fail('timeout');
    expect(cause(b)).toBe('latency');
  });

  it('[B117] a class that has no calls in the step limits nothing', () => {
    const b = learned({ reads: 20, writes: 400 });
    calls(b, 17, 300, false);
    calls(b, 2, 5_000, false);
    expect(cause(b)).toBeUndefined();
    calls(b, 1, 5_000, false);
    expect(b.of('hold')[0]?.data).toMatchObject({ quantile: 0.9, samples: 20 });
  });

  it('[B117] of both in the step, the one that is known less decides how far up is read', () => {
    const b = learned({ reads: 20, writes: 400, writeMs: 30 });
    calls(b, 1, 30);
    calls(b, 16, 30, false);
    calls(b, 3, 5_000, false);
    expect(cause(b)).toBeUndefined();
  });

  it('four answers decide nothing, also at the end of a step', () => {
    const b = learned(
      { reads: 400 },
      options({
        admission: { kind: 'ramp', steps: [1, 1] },
        minimumSuccesses: [4, 99],
        stepMs: 60,
      }),
    );
    calls(b, 4, 9_000);
    expect(b.status().step).toBe(1);
  });

  it('the end of a step is one more look, and a hold then keeps it', () => {
    const b = learned(
      { reads: 400 },
      options({
        admission: { kind: 'ramp', steps: [1, 1] },
        minimumSuccesses: [7, 99],
        stepMs: 60,
      }),
    );
    for (const ms of [30, 30, 30, 200, 200, 200, 200]) calls(b, 1, ms);
    expect(b.status()).toMatchObject({ step: 0, hold: { cause: 'latency' } });
    expect(b.of('hold')[0]?.data).toMatchObject({ samples: 7 });
  });

  it('[B64] what a hold has seen decides nothing before the twentieth', () => {
    const b = learned({ reads: 400 });
    calls(b, 5, 100);
    calls(b, 10, 75);
    calls(b, 5, 40);
    expect(b.of('release')).toEqual([]);
  });
});

/** Of ten answers three are, by chance in one of ten thousand. */
const answers = (b: Bench, slow: number, latencyMs: number) => {
  calls(b, 10 - slow, 30);
  calls(b, slow, latencyMs);
  return cause(b);
};

describe('[B62] more answers beyond the P99 than chance allows', () => {
  it('three of ten are too many, two are not', () => {
    expect(answers(learned({ reads: 1_000 }), 2, 60)).toBeUndefined();
    const b = learned({ reads: 1_000 });
    expect(answers(b, 3, 60)).toBe('latency');
    expect(b.of('hold')[0]?.data).toMatchObject({ quantile: 0.5, samples: 10 });
  });

  it('a thousand samples are needed to know a P99', () => {
    expect(answers(learned({ reads: 999 }), 3, 60)).toBeUndefined();
  });

  it('the P99 itself is not beyond it', () => {
    const b = learned({ reads: 1_000 });
    const p99 = b.status().baseline?.p99 ?? 0;
    expect(p99).toBeGreaterThan(25);
    calls(b, 100, p99);
    expect(cause(b)).toBeUndefined();
  });

  it.each([
    [19, undefined],
    [20, undefined],
    [21, 'latency'],
  ])('answers of %d ms with a floor of 20: %s', (latencyMs, expected) => {
    const b = learned({ reads: 1_000, readMs: 10 }, options({ latency: { floorMs: 20 } }));
    calls(b, 7, 10);
    calls(b, 3, latencyMs);
    expect(cause(b)).toBe(expected);
  });

  it('the floor is 0 where no holds are asked for', () => {
    const decision = { kind: 'latencyMultiple', multiple: 2 } as const;
    const b = learned({ reads: 1_000, readMs: 1 }, options({ latency: null, decision }));
    calls(b, 5, 9);
    expect(b.breaker.state).toBe('open');
  });
});

const held = (latency: RecoveryOptions['latency']) => {
  const b = learned({ reads: 400 }, options({ latency: latency ?? {} }));
  calls(b, 5, 100);
  return b.of('hold')[0]?.data;
};

describe('[B62] the multiple and the floor', () => {
  it('a quantile exactly at either is not above it', () => {
    const seen = held({});
    const valueMs = seen?.valueMs ?? 0;
    const multiple = valueMs / (seen?.baselineMs ?? 1);
    expect(held({ floorMs: valueMs })).toBeUndefined();
    expect(held({ floorMs: valueMs - 0.001 })).toBeDefined();
    expect(held({ holdMultiple: multiple * 1.000_001 })).toBeUndefined();
    expect(held({ holdMultiple: multiple * 0.999_999 })).toBeDefined();
  });
});

describe('[B55] latencyMultiple', () => {
  const decision = { kind: 'latencyMultiple', multiple: 2 } as const;
  const soon = { decision, minimumSuccesses: 1, stepMs: 0, latency: null };

  it('without a baseline is healthy at once', () => {
    const b = bench(options(soon));
    b.trip();
    b.adv(10_000);
    b.acq().success(9_000);
    expect(b.breaker.state).toBe('closed');
  });

  it('with one waits for five answers', () => {
    const b = learned({ reads: 400 }, options(soon));
    calls(b, 4, 30);
    expect(b.breaker.state).toBe('half_open');
    calls(b, 1, 30);
    expect(b.breaker.state).toBe('closed');
  });

  it('[B47] while it waits the progress rule holds, though the step has its successes', () => {
    const thin = { kind: 'percent', share: 0.01 } as const;
    const b = learned(
      { reads: 400 },
      options({ ...soon, admission: thin, minProbeIntervalMs: 50 }),
    );
    for (let i = 0; i < 5; i++) {
      b.acq().success(30);
      b.adv(50);
    }
    expect(b.breaker.state).toBe('closed');
  });

  it('[B47] [B117] nor does it wait for its share with an unknown class', () => {
    const thin = { kind: 'percent', share: 0.01 } as const;
    const b = learned(
      { reads: 400 },
      options({ ...soon, admission: thin, minProbeIntervalMs: 50 }),
    );
    for (let i = 0; i < 5; i++) {
      expect(b.breaker.state).toBe('half_open');
      b.acq(false).success(30);
      b.adv(50);
    }
    expect(b.breaker.state).toBe('closed');
  });

  it('[B125] is undecided while the own loop is late, also with answers of before', () => {
    let delayMs = 0;
    const thin = { kind: 'percent', share: 0.01 } as const;
    const b = learned(
      { reads: 400 },
      options(
        { ...soon, stepMs: 500, admission: thin, minProbeIntervalMs: 50 },
        { loopDelay: () => delayMs },
      ),
    );
    for (let i = 0; i < 5; i++) {
      b.acq().success(30);
      b.adv(50);
    }
    delayMs = 5_000;
    b.adv(1_000);
    expect(b.breaker.state).toBe('half_open');
    // It asks for more: neither the share nor the minimum lets this one in.
    b.acq().success(30);
    expect(b.breaker.state).toBe('half_open');
    delayMs = 0;
    b.breaker.noteLoopDelay(0);
    expect(b.breaker.state).toBe('closed');
  });
});

const lifeMs = (known: Parameters<typeof learned>[0], recovery: RecoveryOptions = {}) => {
  const given = options({ probeFloorMs: 0, ...recovery }, { probeTimeoutFraction: 0.001 });
  const probe = learned(known, given).acq();
  return probe.expiresAt - probe.admittedAt;
};

describe('[B49] [B118] the life of a probe', () => {
  it('leaves room for the hold limit of the slower class, however rare', () => {
    expect(lifeMs({ reads: 3_000, writes: 20, writeMs: 300 })).toBeCloseTo(3.3 * 300, -2);
    expect(lifeMs({ reads: 400 })).toBeCloseTo(3.3 * 30, -1);
  });

  it('goes by all calls where no class is known, but all together are', () => {
    expect(lifeMs({ reads: 10, writes: 10, writeMs: 300 })).toBeCloseTo(3.3 * 300, -2);
    expect(lifeMs({ reads: 10, writes: 9, writeMs: 300 })).toBe(30);
  });
});

const saved = (b: Bench) => b.breaker.snapshot().baseline.classes?.idempotent.anchor ?? null;

describe('[B119] the anchor', () => {
  const DAY_MS = 86_400_000;
  it('is dropped at a thousand samples, not before', () => {
    expect(saved(learned({ reads: 999 }))).toBeNull();
    expect(saved(learned({ reads: 1_000 }))).not.toBeNull();
  });

  it('holds all four quantiles', () => {
    const b = learned({ reads: 1_200 });
    const anchor = saved(b);
    const { baseline } = b.status();
    for (const name of ['p50', 'p90', 'p95', 'p99'] as const) {
      expect(anchor?.[name]).toBeCloseTo(30, 0);
      expect(baseline?.classes.idempotent?.[name]).toBeCloseTo(30, 0);
      expect(baseline?.[name]).toBeCloseTo(30, 0);
    }
  });

  it('is renewed by a merge a day later, to the millisecond', () => {
    const b = bench(options());
    calls(b, 2_000, 30);
    const droppedAt = b.clock.now() - (saved(b)?.ageMs ?? 0);
    const merge = (at: number) => {
      b.adv(at - b.clock.now());
      b.acq().success(30);
      return saved(b)?.ageMs;
    };
    expect(merge(droppedAt + DAY_MS - 1)).toBe(DAY_MS - 1);
    expect(merge(droppedAt + DAY_MS + 300)).toBe(0);
  });

  it('of a fast target may fall below its millisecond, where a factor is nothing', () => {
    const b = bench(options());
    calls(b, 1_500, 0.2);
    const from = b.breaker.snapshot();
    const idempotent = from.baseline.classes?.idempotent;
    if (idempotent === undefined) throw new Error('no class');
    const anchor = { p50: 1, p90: 1, p95: 1, p99: 1, ageMs: 0 };
    const baseline = {
      ...from.baseline,
      classes: { ...from.baseline.classes, idempotent: { ...idempotent, anchor } },
    };
    const restored = CircuitBreaker.restore(
      'x',
      { ...options(), clock: b.clock.now },
      {
        ...from,
        baseline,
      },
    );
    expect(restored.status().baseline?.p99).toBeCloseTo(0.2, 1);
  });
});

/** Restored with so many calls in the books, all of them failed, then a believed slice of ten. */
const booked = (count: number) => {
  const b = bench(options());
  const from = b.breaker.snapshot();
  const baseline = { ...from.baseline, calls: count, failures: count };
  const restored = CircuitBreaker.restore(
    'x',
    { ...options(), clock: b.clock.now },
    {
      ...from,
      baseline,
    },
  );
  for (let slice = 0; slice < 6; slice++) {
    for (let i = 0; i < 10; i++) {
      const permit = restored.tryAcquire();
      if (permit.granted) permit.failure('client_error');
    }
    b.adv(250);
  }
  const { calls: all, failures, callsPerMs } = restored.snapshot().baseline;
  return { all, failures, callsPerMs };
};

const of = (count: number) => ({
  latency: { buckets: [[100, count] as const], count, sumMs: count, maxMs: 1 },
  anchor: null,
});

describe('[B66] how much is remembered', () => {
  it('20,000 calls are not yet too many', () => {
    expect(booked(19_990)).toMatchObject({ all: 20_000, failures: 19_990 });
    expect(booked(19_991)).toMatchObject({ all: 10_000.5, failures: 9_995.5 });
  });

  it('the first load after an empty snapshot is the load', () => {
    expect(booked(0).callsPerMs).toBeCloseTo(10 / 250, 10);
  });

  it.each([
    [9_990, 10_000, 20_000],
    [9_991, 10_000, 10_001],
  ])('[B121] %d and %d samples and a slice of ten: %d', (reads, writes, left) => {
    const from = bench(options()).breaker.snapshot();
    const baseline = {
      ...from.baseline,
      classes: { idempotent: of(reads), other: of(writes) },
    };
    const clock = new FakeClock(1_000);
    const restored = CircuitBreaker.restore(
      'x',
      { ...options(), clock: clock.now },
      {
        ...from,
        baseline,
      },
    );
    for (let slice = 0; slice < 6; slice++) {
      for (let i = 0; i < 10; i++) {
        const permit = restored.tryAcquire();
        if (permit.granted) permit.success(1);
      }
      clock.advance(250);
    }
    expect(restored.snapshot().baseline.latency.count).toBeCloseTo(left, -1);
  });
});

const adaptive = (recovery: RecoveryOptions = {}) =>
  options({
    admission: { kind: 'adaptive', low: 0.5, high: 1, evalEveryMs: 1_000 },
    latency: null,
    minProbeIntervalMs: 1e9,
    ...recovery,
  });

/** At the top. */
const grown = (given: BreakerOptions) => {
  const b = learned({ reads: 400 }, given);
  for (let i = 0; i < 400 && b.breaker.share < 1; i++) {
    b.adv(100);
    b.tryAcq()?.success(30);
  }
  expect(b.breaker.share).toBe(1);
  return b;
};

describe('adaptive shares', () => {
  it('[B45] a cut share has no more than its own burst left', () => {
    const b = grown(adaptive());
    b.adv(5_000);
    const failing = b.acq();
    failing.failure('server_error');
    expect(b.breaker.share).toBe(0.5);
    let granted = 0;
    for (let i = 0; i < 20; i++) if (b.tryAcq() !== null) granted++;
    expect(granted).toBe(3);
  });

  it('[B53] at the top nothing restarts the step clock', () => {
    const b = grown(adaptive({ minimumSuccesses: 1, stepMs: 4_000 }));
    for (let i = 0; i < 39; i++) {
      expect(b.breaker.state).toBe('half_open');
      b.adv(100);
      b.tryAcq()?.success(30);
    }
    b.adv(100);
    expect(b.breaker.state).toBe('closed');
  });
});

describe('[B45] the rate of a step', () => {
  it('is unlimited where the load is not known', () => {
    const b = bench(options({ latency: null }, { window: { kind: 'count', size: 8 } }));
    for (let i = 0; i < 80; i++) b.acq().success(5);
    b.trip();
    b.adv(10_000);
    expect(b.status().baseline).not.toBeNull();
    for (let i = 0; i < 50; i++) b.acq();
  });
});
