import { describe, expect, it } from 'vitest';
import { admittedSeries, peakOf, rampingTotal } from '@/lib/series/admitted';

const point = (at: number, part = {}) => ({
  at,
  ramping: 2,
  steady: 6,
  refused: 4,
  probing: 1,
  ...part,
});
const range = { domain: { from: 0, to: 8_000 }, resolutionMs: 2_000 };

describe('what reaches a target', () => {
  it('is a rate in each bucket, and a gap where nobody reported', () => {
    expect(admittedSeries([point(0), point(4_000, { ramping: 0 })], range)).toEqual([
      { at: 0, ramping: 1, steady: 3, refused: 2, probing: 1 },
      { at: 2_000, ramping: null, steady: null, refused: null, probing: null },
      { at: 4_000, ramping: 0, steady: 3, refused: 2, probing: 1 },
      { at: 6_000, ramping: null, steady: null, refused: null, probing: null },
    ]);
  });

  it('leaves out the bucket that is not over', () => {
    const ends = { ...range, domain: { from: 0, to: 7_999 } };
    expect(admittedSeries([point(6_000)], ends).map(({ at }) => at)).toEqual([0, 2_000, 4_000]);
  });

  it('scales to the higher of what gets through and what does not', () => {
    expect(peakOf(admittedSeries([point(0)], range))).toBe(4);
    expect(peakOf(admittedSeries([point(0, { refused: 100 })], range))).toBe(50);
    expect(peakOf([])).toBe(0);
  });

  it('sums what ramps let through over the range, beside all that got through', () => {
    expect(rampingTotal([point(0), point(2_000, { ramping: 0 }), point(4_000)])).toEqual({
      calls: 4,
      share: 4 / 22,
    });
    expect(rampingTotal([point(0, { ramping: 0, steady: 0 })])).toEqual({ calls: 0, share: null });
    expect(rampingTotal([])).toEqual({ calls: 0, share: null });
  });
});
