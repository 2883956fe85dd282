import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions, RecoveryOptions } from '@/lib/breaker';
import { bench, R, withRecovery } from './support';

const DAY_MS = 86_400_000;
const whole = { kind: 'percent', share: 1 } as const;

function options(recovery: RecoveryOptions = {}): BreakerOptions {
  return {
    ...withRecovery(R, {
      admission: whole,
      maxInFlight: 50,
      minimumSuccesses: 5,
      maxHalfOpenMs: 1e9,
      latency: {},
      writesFromStep: 0,
      ...recovery,
    }),
    window: { kind: 'time', durationMs: 1_000, buckets: 4 },
    trip: [{ kind: 'consecutive', failures: 4 }],
    slowMs: 10_000,
  };
}

type Bench = ReturnType<typeof bench>;

/** Calls one after another, 20 ms apart, answered at once with the latencies in turn. */
function calls(b: Bench, count: number, latencies: readonly number[], idempotent = true): void {
  for (let i = 0; i < count; i++) {
    b.tryAcq(idempotent)?.success(latencies[i % latencies.length]);
    b.adv(20);
  }
}

/** Half-open; before that reads of 30 ms and writes of 300 ms, so many of each. */
function learned(reads: number, writes: number, given: BreakerOptions = options()): Bench {
  const b = bench(given);
  for (let i = 0; i < Math.max(reads, writes); i++) {
    if (i < reads) calls(b, 1, [30]);
    if (i < writes) calls(b, 1, [300], false);
  }
  // What is younger than a window is forgotten at the trip.
  for (let i = 0; i < 110; i++) {
    b.acq().failure('client_error');
    b.adv(20);
  }
  b.trip();
  b.adv(10_000);
  expect(b.breaker.state).toBe('half_open');
  return b;
}

function hold(b: Bench): string | undefined {
  return b.status().hold?.cause;
}

describe('like with like', () => {
  it('[B116] slow reads are seen beside reads, though writes take as long always', () => {
    const b = learned(400, 400);
    calls(b, 5, [120]);
    expect(hold(b)).toBe('latency');
    expect(b.of('hold')[0]?.data.baselineMs).toBeCloseTo(30, 0);
  });

  it('[B116] normal writes are not slow beside writes, though reads are ten times as fast', () => {
    const b = learned(400, 400);
    calls(b, 5, [300], false);
    expect(hold(b)).toBeUndefined();
    const slow = learned(400, 400);
    calls(slow, 5, [1_000], false);
    expect(slow.of('hold')[0]?.data.baselineMs).toBeCloseTo(300, -1);
  });

  it('[B116] a mix is compared with the same mix, whatever the mix before the trip', () => {
    // Before: nine reads to a write, so that the P90 of all calls is that of a read.
    const b = learned(900, 100);
    for (let i = 0; i < 10; i++) {
      calls(b, 1, [30]);
      calls(b, 1, [300], false);
    }
    expect(b.status().ledger?.successes).toBe(20);
    expect(hold(b)).toBeUndefined();
    const slow = learned(900, 100);
    for (let i = 0; i < 10; i++) {
      calls(slow, 1, [30]);
      calls(slow, 1, [1_000], false);
    }
    expect(hold(slow)).toBe('latency');
  });

  it('[B116] the status tells both classes and all calls', () => {
    const { baseline } = learned(900, 100).status();
    expect(baseline?.classes.idempotent).toMatchObject({ samples: 900 });
    expect(baseline?.classes.idempotent?.p99).toBeCloseTo(30, 0);
    expect(baseline?.classes.other).toMatchObject({ samples: 100 });
    expect(baseline?.classes.other?.p50).toBeCloseTo(300, -1);
    expect(baseline).toMatchObject({ samples: 1_000 });
    expect(baseline?.p50).toBeCloseTo(30, 0);
    expect(baseline?.p95).toBeCloseTo(300, -1);
  });

  it('[B117] a class of which too little is known is in no quantile', () => {
    const b = learned(400, 19);
    calls(b, 60, [5_000], false);
    expect(b.status().baseline?.classes.other).toBeNull();
    expect(b.types()).not.toContain('hold');
    const known = learned(400, 20);
    calls(known, 5, [5_000], false);
    expect(hold(known)).toBe('latency');
  });

  it('[B117] latencyMultiple does not wait for what an unknown class cannot tell', () => {
    const decision = { kind: 'latencyMultiple', multiple: 2 } as const;
    const b = learned(400, 0, options({ decision, stepMs: 1_000 }));
    for (let i = 0; i < 4; i++) {
      b.acq(false).success(5_000);
      b.adv(1_000);
    }
    expect(b.breaker.state).toBe('half_open');
    b.acq(false).success(5_000);
    expect(b.breaker.state).toBe('closed');
  });

  it('[B117] the ladder goes by the class that is known less', () => {
    const given = options({ minimumSuccesses: 1e6, latency: { skipFirst: 0 } });
    const b = learned(400, 50, given);
    calls(b, 9, [30]);
    calls(b, 11, [1_000], false);
    expect(b.of('hold')[0]?.data).toMatchObject({ quantile: 0.5, samples: 20 });
    const reads = learned(400, 50, given);
    calls(reads, 9, [30]);
    calls(reads, 11, [1_000]);
    expect(reads.of('hold')[0]?.data).toMatchObject({ quantile: 0.9, samples: 20 });
  });

  it('[B118] a probe lives long enough for the slower class', () => {
    const given = { ...options(), callTimeoutMs: 5_000, probeTimeoutFraction: 0.1 };
    const mixed = learned(400, 400, given).acq();
    expect(mixed.expiresAt - mixed.admittedAt).toBeGreaterThan(3.3 * 290);
    const reads = learned(400, 0, given).acq();
    expect(reads.expiresAt - reads.admittedAt).toBe(500);
  });
});

/** Known by 2,000 calls of 100 ms; then, everything takes sixteen times as long. */
function drifting(given: BreakerOptions, hours: readonly number[]): (number | undefined)[] {
  const b = bench(given);
  calls(b, 2_000, [100]);
  return hours.map((hour, i) => {
    b.adv((hour - (hours[i - 1] ?? 0)) * 3_600_000);
    calls(b, 20_000, [1_600]);
    return b.status().baseline?.classes.idempotent?.p50;
  });
}

describe('[B119] drift', () => {
  it('the baseline moves by at most the factor within a day, and follows in the end', () => {
    const days = drifting({ ...options(), baselineDriftPerDay: 2 }, [1, 12, 22, 25, 40, 50, 75]);
    expect(days.map((ms) => Math.round((ms ?? 0) / 10) * 10)).toEqual([
      200, 200, 200, 400, 400, 800, 1_600,
    ]);
  });

  it('the default is one and a half; the P99 is held too', () => {
    const b = bench(options());
    calls(b, 2_000, [100]);
    calls(b, 5_000, [1_000]);
    const known = b.status().baseline;
    expect(known?.p50).toBeCloseTo(150, -1);
    expect(known?.p99).toBeCloseTo(150, -1);
    expect(b.breaker.config.baselineDriftPerDay).toBe(1.5);
  });

  it('falls no faster', () => {
    const b = bench(options());
    calls(b, 2_000, [300]);
    calls(b, 8_000, [10]);
    expect(b.status().baseline?.p50).toBeCloseTo(200, -1);
  });

  it('a slow decay does not become the normal that it is held to', () => {
    const b = bench(options({ minimumSuccesses: 10 }));
    calls(b, 2_000, [30]);
    calls(b, 20_000, [200]);
    b.trip();
    b.adv(10_000);
    calls(b, 10, [200]);
    expect(hold(b)).toBe('latency');
  });

  it('before 1,000 samples there is nothing to drift from', () => {
    const b = bench(options());
    calls(b, 400, [100]);
    calls(b, 1_500, [1_000]);
    expect(b.status().baseline?.p50).toBeCloseTo(1_000, -2);
  });

  it('a factor of 1 keeps the normal of the first day for ever, but for a millisecond a day', () => {
    const b = bench({ ...options(), baselineDriftPerDay: 1 });
    calls(b, 2_000, [100]);
    const { p50 = 0 } = b.status().baseline ?? {};
    calls(b, 5_000, [1_000]);
    expect(b.status().baseline?.p50).toBe(p50 + 1);
  });

  it('a restart does not forget from where, nor since when', () => {
    const b = bench(options());
    calls(b, 2_000, [100]);
    calls(b, 5_000, [1_000]);
    const saved: unknown = JSON.parse(JSON.stringify(b.breaker.snapshot()));
    const after = (awayMs: number) => {
      let now = 0;
      const restored = CircuitBreaker.restore(
        'x',
        {
          ...options(),
          clock: () => now,
          wallClock: () => b.breaker.snapshot().takenAtWallMs + awayMs,
        },
        saved,
      );
      for (let i = 0; i < 500; i++) {
        const permit = restored.tryAcquire();
        if (permit.granted) permit.success(1_000);
        now += 20;
      }
      return restored.status().baseline?.p50;
    };
    expect(after(3_600_000)).toBeCloseTo(150, -1);
    expect(after(DAY_MS)).toBeCloseTo(225, -1);
  });
});

describe('snapshots', () => {
  it('[B120] keep both classes', () => {
    const saved: unknown = JSON.parse(JSON.stringify(learned(900, 100).breaker.snapshot()));
    const restored = CircuitBreaker.restore('x', { ...options(), clock: () => 0 }, saved);
    const { classes } = restored.status().baseline ?? {};
    expect(classes?.idempotent?.samples).toBe(900);
    expect(classes?.other?.samples).toBe(100);
  });

  it('[B120] of older versions are read, all calls as idempotent; a new one holds what they read', () => {
    const { baseline, ...rest } = learned(900, 100).breaker.snapshot();
    const { classes: _classes, ...older } = baseline;
    expect(older.latency.count).toBe(1_000);
    const problems: unknown[] = [];
    const restored = CircuitBreaker.restore(
      'x',
      { ...options(), clock: () => 0, onProblem: (problem) => problems.push(problem) },
      { ...rest, baseline: older },
    );
    expect(problems).toEqual([]);
    expect(restored.status().baseline).toMatchObject({
      samples: 1_000,
      classes: { idempotent: { samples: 1_000 }, other: null },
    });
  });

  it.each([
    5,
    {},
    { idempotent: null, other: null },
    { idempotent: { latency: { buckets: 'x' }, anchor: null }, other: {} },
  ])('[B103] with classes %o start afresh', (classes) => {
    const saved = learned(100, 0).breaker.snapshot();
    const problems: unknown[] = [];
    const restored = CircuitBreaker.restore(
      'x',
      { ...options(), clock: () => 0, onProblem: (problem) => problems.push(problem) },
      { ...saved, baseline: { ...saved.baseline, classes } },
    );
    expect(problems).toHaveLength(1);
    expect(restored.status()).toMatchObject({ state: 'closed', baseline: null });
  });
});

describe('[B121] old samples', () => {
  it('are halved together: a rare class keeps its part and its tail', () => {
    const b = bench(options());
    for (let i = 0; i < 4_000; i++) {
      calls(b, 9, [30]);
      calls(b, 1, [300 + (i % 100)], false);
    }
    const known = b.status().baseline;
    expect(known?.samples).toBeLessThanOrEqual(20_000);
    const { idempotent, other } = known?.classes ?? {};
    expect((other?.samples ?? 0) / (idempotent?.samples ?? 1)).toBeCloseTo(1 / 9, 2);
    expect(other?.p99).toBeGreaterThan(390);
  });
});

const warm = (b: Bench, cold: number) => {
  calls(b, cold, [900]);
  calls(b, 16, [30]);
};

/** How many slow answers pass before five are too many. */
const skipped = (maxInFlight: number, minimumSuccesses: number) => {
  const b = learned(400, 0, options({ maxInFlight, minimumSuccesses, stepMs: 1e8 }));
  for (let i = 1; i < 60; i++) {
    calls(b, 1, [900]);
    if (hold(b) !== undefined) return i - 5;
  }
  return null;
};

describe('[B122] cold answers', () => {
  it('the first so many of each step are in no quantile', () => {
    const b = learned(400, 0, options({ latency: { skipFirst: 6 }, minimumSuccesses: 1e6 }));
    warm(b, 6);
    expect(b.types()).not.toContain('hold');
    const one = learned(400, 0, options({ latency: { skipFirst: 5 }, minimumSuccesses: 1e6 }));
    calls(one, 10, [900]);
    expect(hold(one)).toBe('latency');
    expect(one.of('hold')[0]?.data.samples).toBe(5);
  });

  it('they count as successes and as failures', () => {
    const given = options({ latency: { skipFirst: 9 }, failureBudget: 3, minimumSuccesses: 9 });
    const b = learned(400, 0, given);
    for (let i = 0; i < 3; i++) b.acq().failure('timeout');
    expect(b.breaker.state).toBe('open');
    const good = learned(400, 0, { ...given });
    calls(good, 9, [900]);
    expect(good.status().ledger?.successes).toBe(9);
    good.adv(5_000);
    expect(good.breaker.state).toBe('closed');
  });

  it('auto skips what may be under way at once, but leaves five of the minimum', () => {
    expect(skipped(3, 20)).toBe(3);
    expect(skipped(50, 20)).toBe(15);
    expect(skipped(50, 5)).toBe(0);
    expect(skipped(50, 0)).toBe(0);
  });

  it('each step begins cold; the samples after a hold do not', () => {
    const given = options({
      admission: { kind: 'ramp', steps: [1, 1] },
      latency: { skipFirst: 4 },
      minimumSuccesses: 20,
      stepMs: 100,
    });
    const b = learned(400, 0, given);
    for (let i = 0; i < 2; i++) warm(b, 4);
    expect(b.types()).not.toContain('hold');
    expect(b.types()).toContain('step');
    const held = learned(400, 0, given);
    calls(held, 9, [900]);
    expect(hold(held)).toBe('latency');
    calls(held, 5, [30]);
    expect(hold(held)).toBeUndefined();
  });

  it.each(['never', -1, 1.5, 1_001])('skipFirst %o is refused', (skipFirst) => {
    const attempt = () => bench(options({ latency: { skipFirst: skipFirst as number } }));
    expect(attempt).toThrow('"recovery.latency.skipFirst" is ');
  });
});
