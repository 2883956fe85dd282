import { describe, expect, it } from 'vitest';
import { admittedSeries, closedSteps, peakOf, rampingTotal, silences } from '@/lib/series/admitted';

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

  it('has a width for the last bucket before a gap, and for the last of all', () => {
    const series = admittedSeries([point(0), point(4_000), point(6_000)], range);
    expect(closedSteps(series, 2_000).map(({ at, steady }) => [at, steady])).toEqual([
      [0, 3],
      [2_000, 3],
      [2_000, null],
      [4_000, 3],
      [6_000, 3],
      [8_000, 3],
    ]);
    expect(closedSteps([], 2_000)).toEqual([]);
  });

  it('[U-07] is silent before the first report and wherever nobody reported for a while', () => {
    const long = { domain: { from: 1_000, to: 31_000 }, resolutionMs: 2_000 };
    const heard = [8_000, 10_000, 14_000, 22_000].map((at) => point(at, { ramping: 0, steady: 0 }));
    expect(silences(admittedSeries(heard, long), 2_000)).toEqual([
      { from: 0, to: 8_000 },
      { from: 16_000, to: 22_000 },
      { from: 24_000, to: 30_000 },
    ]);
    expect(silences(admittedSeries([], long), 2_000)).toEqual([{ from: 0, to: 30_000 }]);
    expect(silences(admittedSeries([point(0), point(6_000)], range), 2_000)).toEqual([]);
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
