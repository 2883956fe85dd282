import { describe, expect, it } from 'vitest';
import type { BreakerOptions, RecoveryOptions } from '@/lib/breaker';
import { bench, R, withRecovery } from './support';

type Bench = ReturnType<typeof bench>;

const base: BreakerOptions = {
  ...R,
  window: { kind: 'time', durationMs: 1_000, buckets: 4 },
  trip: [{ kind: 'consecutive', failures: 4 }],
  slowMs: 10_000,
};

function calls(b: Bench, count: number, latencyMs: number): void {
  for (let i = 0; i < count; i++) {
    b.tryAcq()?.success(latencyMs);
    b.adv(20);
  }
}

/** Half-open with a normal of 30 ms and a loop that is as late as `loop.lateMs` says. */
function recovering(recovery: RecoveryOptions = {}, noted = false) {
  const loop = { lateMs: 0 };
  const b = bench({
    ...withRecovery(base, {
      admission: { kind: 'percent', share: 1 },
      maxInFlight: 50,
      minimumSuccesses: 1e6,
      maxHalfOpenMs: 1e9,
      latency: { skipFirst: 0 },
      ...recovery,
    }),
    ...(noted ? {} : { loopDelay: () => loop.lateMs }),
  });
  calls(b, 500, 30);
  b.trip();
  b.adv(10_000);
  return { b, loop };
}

const both = [
  ['the option says so', false],
  ['a note says so', true],
] as const;

describe.each(both)('while the own event loop is late, as %s,', (_, noted) => {
  function late(recovery: RecoveryOptions = {}) {
    const { b, loop } = recovering(recovery, noted);
    const be = (lateMs: number) => {
      loop.lateMs = lateMs;
      if (noted) b.breaker.noteLoopDelay(lateMs);
    };
    return { b, be };
  }

  it('[B123] the limit itself is not late', () => {
    const { b, be } = late();
    be(200);
    calls(b, 1, 30);
    expect(b.status().hold).toBeNull();
    be(201);
    calls(b, 1, 30);
    expect(b.status().hold?.cause).toBe('self');
  });

  it('[B124] no answer is in a quantile', () => {
    const { b, be } = late({ latency: null, decision: { kind: 'latencyMultiple', multiple: 2 } });
    be(500);
    calls(b, 20, 900);
    expect(b.breaker.state).toBe('half_open');
    be(0);
    calls(b, 4, 900);
    expect(b.breaker.state).toBe('half_open');
    calls(b, 1, 900);
    expect(b.breaker.state).toBe('open');
  });

  it('[B125] a hold for latency becomes its own and never falls back', () => {
    const { b, be } = late();
    calls(b, 5, 900);
    expect(b.status().hold?.cause).toBe('latency');
    const [held] = b.of('hold');
    be(500);
    for (let second = 0; second < 70; second++) {
      calls(b, 50, 900);
      be(500);
    }
    expect(b.breaker.state).toBe('half_open');
    expect(
      b
        .of('hold')
        .map(({ reason }) => reason)
        .slice(0, 2),
    ).toEqual(['latency', 'self']);
    expect((b.of('release')[0]?.monoMs ?? 0) - (held?.monoMs ?? 0)).toBe(30_000);
    expect(b.of('release').every(({ reason }) => reason === 'self')).toBe(true);
    be(0);
    calls(b, 50, 30);
    expect(b.status().hold).toBeNull();
  });

  it('[B125] with the loop in time the same hold falls back at its limit', () => {
    const { b } = late();
    calls(b, 1_600, 900);
    expect(b.of('opened').at(-1)?.data.cause).toBe('hold_limit');
  });

  it('[B125] calls that look pending only for the own pause are no fault of the target', () => {
    const { b, be } = late({ maxInFlight: 4 });
    const hanging = [b.acq(), b.acq(), b.acq()];
    b.adv(10_000);
    expect(b.status().hold?.cause).toBe('pending');
    be(5_000);
    hanging[0]?.success(30);
    expect(b.status().hold?.cause).toBe('self');
  });

  it('[B125] failures count as ever', () => {
    const { b, be } = late({ failureBudget: 2 });
    be(5_000);
    for (let i = 0; i < 2; i++) b.acq().failure('timeout');
    expect(b.of('opened').at(-1)?.reason).toBe('failures');
  });
});

describe('notes and questions', () => {
  it('[B124] a note forgets the slow answers before it', () => {
    const { b } = recovering({}, true);
    calls(b, 4, 900);
    b.breaker.noteLoopDelay(500);
    b.breaker.noteLoopDelay(0);
    calls(b, 4, 30);
    expect(b.types().filter((type) => type === 'hold')).toHaveLength(1);
    expect(b.of('hold')[0]?.reason).toBe('self');
    calls(b, 1, 900);
    expect(b.status().hold).toBeNull();
  });

  it('[B124] the baseline does not learn from a late loop', () => {
    const b = bench(base);
    for (let second = 0; second < 20; second++) {
      calls(b, 50, 30);
      b.breaker.noteLoopDelay(0);
    }
    for (let second = 0; second < 20; second++) {
      calls(b, 50, 4_000);
      b.breaker.noteLoopDelay(500);
    }
    calls(b, 500, 30);
    expect(b.status().baseline?.p99).toBeLessThan(31);
    expect(b.status().baseline?.samples).toBeGreaterThan(1_200);
  });

  it('[B123] a question that throws changes nothing and is reported', () => {
    const b = bench({
      ...withRecovery(base, { latency: {} }),
      loopDelay: () => {
        throw new Error('no histogram');
      },
    });
    b.trip();
    b.adv(10_000);
    b.acq().success(5);
    expect(b.status()).toMatchObject({ hold: null, ledger: { successes: 1 } });
    expect(b.problems.length).toBeGreaterThan(0);
  });

  it('is forgotten at the end of the longest hold, so that the step goes on', () => {
    const { b } = recovering({ latency: { skipFirst: 0, maxHoldMs: 1_000 } }, true);
    calls(b, 5, 30);
    b.breaker.noteLoopDelay(1_000);
    calls(b, 60, 30);
    expect(b.types().slice(-2)).toEqual(['hold', 'release']);
    expect(b.of('hold')).toMatchObject([{ reason: 'self' }]);
  });

  it('[B123] nobody asks while the breaker is closed', () => {
    let asked = 0;
    const b = bench({
      ...base,
      loopDelay: () => {
        asked++;
        return 0;
      },
    });
    calls(b, 200, 30);
    b.status();
    expect(asked).toBe(0);
  });
});
