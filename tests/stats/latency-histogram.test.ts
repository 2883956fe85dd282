import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketIndex,
  bucketLowerMs,
  bucketValueMs,
  LatencyHistogram,
  OVERFLOW_INDEX,
} from '@/lib/stats';

function of(values: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

function nearestRank(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? 0;
}

const latency = fc.double({ min: 0.001, max: 1e7, noNaN: true });

describe('buckets', () => {
  it('represents every value within 2 %', () => {
    fc.assert(
      fc.property(latency, (ms) => {
        expect(Math.abs(bucketValueMs(bucketIndex(ms)) - ms) / ms).toBeLessThan(0.02);
      }),
    );
  });

  it('is monotone and starts each bucket at its lower edge', () => {
    for (let index = 1; index < OVERFLOW_INDEX; index++) {
      expect(bucketIndex(bucketLowerMs(index))).toBe(index);
      expect(bucketLowerMs(index + 1)).toBeGreaterThan(bucketLowerMs(index));
    }
  });
});

describe('LatencyHistogram', () => {
  it('answers quantiles within 2 % of the nearest rank', () => {
    fc.assert(
      fc.property(
        fc.array(latency, { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0, 0.5, 0.9, 0.95, 0.99, 1),
        (values, q) => {
          const exact = nearestRank(values, q);
          expect(Math.abs(of(values).quantile(q) - exact)).toBeLessThanOrEqual(0.02 * exact);
        },
      ),
    );
  });

  it('is total: NaN is left out, a negative value is 0, Infinity overflows', () => {
    const histogram = of([Number.NaN, -5, 10, Infinity, Infinity]);
    expect(histogram.count).toBe(4);
    expect(histogram.quantile(0.25)).toBe(0);
    expect(histogram.quantile(0.5)).toBeCloseTo(10, 0);
    expect(histogram.quantile(0.99)).toBe(Infinity);
    expect(histogram.sumMs).toBe(10);
    expect(histogram.maxMs).toBe(10);
  });

  it('merges to what one histogram of all values would hold', () => {
    fc.assert(
      fc.property(fc.array(latency), fc.array(latency), (left, right) => {
        const merged = of(left);
        merged.merge(of(right));
        expect(merged.toSparse().buckets).toEqual(of([...left, ...right]).toSparse().buckets);
        expect(merged.count).toBe(left.length + right.length);
      }),
    );
  });

  it('counts on where two bytes a bucket are no longer enough', () => {
    const many = new LatencyHistogram();
    for (let i = 0; i < 65_537; i++) many.record(3);
    many.record(5);
    many.record(200);
    expect(many.count).toBe(65_539);
    expect(many.toSparse().buckets.map(([, count]) => count)).toEqual([65_537, 1, 1]);
    const twice = LatencyHistogram.fromSparse(many.toSparse());
    twice.merge(many);
    expect(twice.toSparse().buckets.map(([, count]) => count)).toEqual([131_074, 2, 2]);
  });

  it('survives its sparse form and JSON, timeouts included', () => {
    const histogram = of([0, 0.5, 12, 12, 900, Infinity]);
    const wire = JSON.parse(JSON.stringify(histogram.toSparse()));
    expect(LatencyHistogram.fromSparse(wire).toSparse()).toEqual(histogram.toSparse());
  });

  it('leaves out sparse pairs that nobody could have written', () => {
    const read = LatencyHistogram.fromSparse({
      buckets: [
        [-1, 3],
        [1.5, 2],
        [OVERFLOW_INDEX + 1, 1],
        [40, 0],
        [41, 2],
      ],
      count: 99,
      sumMs: Number.NaN,
      maxMs: -1,
    });
    expect(read.toSparse()).toEqual({ buckets: [[41, 2]], count: 2, sumMs: 0, maxMs: 0 });
  });

  it('keeps a thin tail when it halves, over and over', () => {
    const histogram = new LatencyHistogram();
    for (let round = 0; round < 20; round++) {
      for (let ms = 1; ms <= 1_000; ms++) histogram.record(ms);
      histogram.halve();
    }
    expect(histogram.count).toBeGreaterThan(980);
    expect(histogram.quantile(0.99)).toBeGreaterThan(960);
    expect(histogram.quantile(0.5)).toBeGreaterThan(480);
    expect(histogram.quantile(0.5)).toBeLessThan(520);
  });

  it('forgets on reset and halves on demand', () => {
    const histogram = of([1, 1, 1, 1, 200, 200]);
    histogram.halve();
    expect(histogram.count).toBe(3);
    histogram.reset();
    expect(histogram.count).toBe(0);
    expect(histogram.quantile(0.5)).toBe(0);
  });
});
