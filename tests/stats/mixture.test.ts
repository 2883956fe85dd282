import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LatencyHistogram, mixtureQuantile } from '@/lib/stats';

function of(values: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

const latencies = fc.array(fc.double({ min: 0.1, max: 60_000, noNaN: true }), {
  minLength: 1,
  maxLength: 200,
});

describe('the quantile of a mixture', () => {
  it('of one part is that part’s own', () => {
    fc.assert(
      fc.property(latencies, fc.constantFrom(0.5, 0.9, 0.95, 0.99, 1), (values, q) => {
        const histogram = of(values);
        const mixed = mixtureQuantile([{ histogram, weight: 3, scale: 1 }], q);
        expect(mixed).toBe(histogram.quantile(q));
      }),
    );
  });

  it('weighted by their counts is that of all values together', () => {
    fc.assert(
      fc.property(latencies, latencies, fc.constantFrom(0.5, 0.9, 0.99), (a, b, q) => {
        const parts = [a, b].map((values) => ({
          histogram: of(values),
          weight: values.length,
          scale: 1,
        }));
        const together = of([...a, ...b]).quantile(q);
        expect(Math.abs(mixtureQuantile(parts, q) - together)).toBeLessThan(0.04 * together);
      }),
    );
  });

  it('goes by the weights, whatever the sizes', () => {
    const fast = { histogram: of(Array.from({ length: 1_000 }, () => 10)), scale: 1 };
    const slow = { histogram: of([1_000]), scale: 1 };
    const mix = (a: number, b: number, q: number) =>
      mixtureQuantile(
        [
          { ...fast, weight: a },
          { ...slow, weight: b },
        ],
        q,
      );
    expect(mix(9, 1, 0.9)).toBe(10);
    expect(mix(9, 1, 0.91)).toBe(1_000);
    expect(mix(1, 9, 0.5)).toBe(1_000);
    expect(mix(1, 0, 1)).toBe(10);
  });

  it('scales its parts before they are ranked', () => {
    const parts = [
      { histogram: of([100, 100]), weight: 1, scale: 0.1 },
      { histogram: of([50, 50]), weight: 1, scale: 1 },
    ];
    expect(mixtureQuantile(parts, 0.5)).toBeCloseTo(10);
    expect(mixtureQuantile(parts, 0.9)).toBeCloseTo(50);
  });

  it('is endless among timeouts and 0 when there is nothing', () => {
    const parts = [
      { histogram: of([10]), weight: 1, scale: 1 },
      { histogram: of([Infinity]), weight: 1, scale: 0.5 },
    ];
    expect(mixtureQuantile(parts, 0.9)).toBe(Infinity);
    expect(mixtureQuantile([], 0.5)).toBe(0);
  });
});
