/** What is learned of a target, and what an own pause takes back. */
import { describe, expect, it } from 'vitest';
import { cutShare } from '@/lib/breaker/adaptive';
import { mixedQuantile } from '@/lib/breaker/baseline';
import { LearnedLatency } from '@/lib/breaker/learned-latency';
import { noteLoopDelay, takeBlame } from '@/lib/breaker/loop';
import { LatencyHistogram } from '@/lib/stats/latency-histogram';
import { bench, classic, D } from './support';

/** Quantiles that drift has capped at half of what the histogram holds. */
const known = (slowestMs: number) => {
  const histogram = new LatencyHistogram();
  for (let i = 1; i <= 100; i++) histogram.record((i * slowestMs) / 100);
  const half = (q: number) => histogram.quantile(q) / 2;
  return {
    p50: half(0.5),
    p90: half(0.9),
    p95: half(0.95),
    p99: half(0.99),
    samples: 100,
    histogram,
  };
};

const anchorOf = (lost: number) => {
  const histogram = new LatencyHistogram();
  for (let i = 0; i < 1_000 - lost; i++) histogram.record(10);
  for (let i = 0; i < lost; i++) histogram.record(Infinity);
  const learned = new LearnedLatency(2);
  learned.merge(histogram, 0);
  return learned.save(0).anchor;
};

const ledger = (cause: 'latency' | 'self' | null) => ({
  hold: cause === null ? null : { sinceMs: 3, cause },
  latency: null,
  idempotentLatencies: 1,
  exceeding: 1,
  reading: {},
});

const late = (auto: object, mask: object | null) => {
  const told: unknown[] = [];
  const core = {
    record: { auto, mask, stepSeq: 0, epoch: 0 },
    now: 9,
    loopNotedAt: 0,
    loopDelayed: true,
    config: { maxLoopDelayMs: 50 },
    learner: { discardSince: () => undefined },
    environment: { wallClock: () => 0 },
    events: { push: (event: unknown) => told.push(event) },
  };
  return { core: core as never, told };
};

const blamed = (cause: 'latency' | 'self' | null) => {
  const auto = { kind: 'half_open', step: 0, ledger: ledger(cause) };
  const { core, told } = late(auto, null);
  takeBlame(core, 9, auto as never);
  return { told, hold: auto.ledger.hold };
};

describe('what is normal', () => {
  it('of one class alone is what is known of it', () => {
    const [one, other] = [known(100), known(1_000)];
    expect(mixedQuantile(null, null, 0, 0, 0.9)).toBe(0);
    expect(mixedQuantile(one, null, 5, 3, 0.9)).toBe(one.p90);
    expect(mixedQuantile(null, other, 5, 3, 0.9)).toBe(other.p90);
    expect(mixedQuantile(one, other, 5, 0, 0.9)).toBe(one.p90);
    expect(mixedQuantile(one, other, 0, 5, 0.9)).toBe(other.p90);
  });

  it('of both lies between them, capped as each of them is', () => {
    const mixed = mixedQuantile(known(100), known(100), 5, 5, 0.9);
    expect(mixed / known(100).p90).toBeCloseTo(1, 1);
    const empty = { ...known(1), histogram: new LatencyHistogram() };
    expect(mixedQuantile(empty, known(100), 5, 5, 0.9) / known(100).p90).toBeCloseTo(1, 1);
    const lost = { ...known(1), histogram: new LatencyHistogram() };
    for (let i = 0; i < 10; i++) lost.histogram.record(Infinity);
    expect(mixedQuantile(lost, known(100), 1, 1, 0.5)).toBeGreaterThan(known(100).p90);
  });

  it('is no measure of drift while one in a hundred never answers', () => {
    expect(anchorOf(5)).toMatchObject({ ageMs: 0 });
    expect(anchorOf(50)).toBeNull();
  });

  it('[B37] is not learned in the guard period', () => {
    const b = bench({
      ...D,
      window: { kind: 'time', durationMs: 400, buckets: 4 },
      trip: [{ kind: 'consecutive', failures: 4 }],
      recovery: { ...classic, guardMs: 10_000 },
    });
    const failures = (count: number) => {
      for (let i = 0; i < count; i++) {
        b.acq().failure('server_error', 5);
        b.acq().success(5);
        b.adv(20);
      }
      return b.breaker.snapshot().baseline.failures;
    };
    expect(failures(100)).toBeGreaterThan(0);
    b.trip();
    b.adv(10_000);
    b.acq().success(1);
    expect(b.breaker.state).toBe('closed');
    const before = failures(0);
    expect(failures(100)).toBe(before);
    b.adv(10_000);
    expect(failures(100)).toBeGreaterThan(before);
  });
});

describe('a late event loop', () => {
  it('takes back what a step has measured, unless the step is hidden', () => {
    for (const mask of [null, { kind: 'forced_closed' }]) {
      const auto = { kind: 'half_open', step: 0, ledger: ledger(null) };
      noteLoopDelay(late(auto, mask).core, 51);
      expect(auto.ledger.exceeding).toBe(mask === null ? 0 : 1);
    }
    const open = { kind: 'open', ledger: ledger(null) };
    noteLoopDelay(late(open, null).core, 51);
    expect(open.ledger.exceeding).toBe(1);
  });

  it('takes the blame for a hold once, and only where there is one', () => {
    expect(blamed(null)).toEqual({ told: [], hold: null });
    expect(blamed('self')).toEqual({ told: [], hold: { sinceMs: 3, cause: 'self' } });
    expect(blamed('latency')).toMatchObject({
      told: [{ type: 'hold', reason: 'self', monoMs: 9 }],
      hold: { sinceMs: 3, cause: 'self' },
    });
  });
});

describe('an adaptive share', () => {
  it('leaves no more in hand than a burst at its lower rate', () => {
    const ledger = { share: 10_000, tokens: 50, ratePerMs: 1, judgedAt: null, goodSince: null };
    const halfOpen = { ledger, baseline: { callsPerMs: 0.1 } } as never;
    const admission = { kind: 'adaptive', low: 0.1, high: 1, evalEveryMs: 100 };
    cutShare({ config: { recovery: { admission } }, nextDue: 0 } as never, 5, halfOpen);
    expect(ledger.share).toBe(5_000);
    expect(ledger.tokens).toBe(Math.max(1, ledger.ratePerMs * 100));
    expect(ledger.tokens).toBeLessThan(50);
  });
});
