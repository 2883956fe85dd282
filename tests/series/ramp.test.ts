import { describe, expect, it } from 'vitest';
import { admittedShare, peakRefused, rampSeries } from '@/lib/series/ramp';
import { point } from './make';

describe('ramp series', () => {
  it('measures the admitted share and leaves it open when nobody called', () => {
    expect(admittedShare({ admitted: 3, refused: 7 })).toBe(0.3);
    expect(admittedShare({ admitted: 0, refused: 4 })).toBe(0);
    expect(admittedShare({ admitted: 0, refused: 0 })).toBeNull();
  });
  it('gives percent and refusals per second of the bucket width', () => {
    const [row] = rampSeries([point(0, { share: 0.3, admitted: 3, refused: 7 })], 5_000);
    expect(row).toMatchObject({ allowedPercent: 30, admittedPercent: 30, refusedPerSecond: 1.4 });
  });
  it('closes a run at the end of its last bucket and breaks the line there', () => {
    const rows = rampSeries([point(0), point(1_000), point(5_000)], 1_000);
    expect(rows.map((row) => [row.at, row.allowedPercent])).toEqual([
      [0, 100],
      [1_000, 100],
      [2_000, 100],
      [2_000, null],
      [5_000, 100],
      [6_000, 100],
      [6_000, null],
    ]);
  });
  it('never turns a silent bucket into zero', () => {
    const rows = rampSeries(
      [point(0), point(1_000, { instances: 0, share: 0 }), point(2_000)],
      1_000,
    );
    expect(rows.some((row) => row.allowedPercent === 0)).toBe(false);
    expect(rows.filter((row) => row.allowedPercent === null)).toHaveLength(2);
  });
  it('keeps to the domain, partial first bucket included', () => {
    const rows = rampSeries([point(0), point(10_000), point(20_000)], 10_000, {
      from: 5_000,
      to: 20_000,
    });
    expect(rows.map((row) => row.at)).toEqual([0, 10_000, 20_000, 20_000]);
    expect(rampSeries([], 1_000)).toEqual([]);
  });
  it('knows the peak of refusals', () => {
    expect(
      peakRefused(rampSeries([point(0, { refused: 5 }), point(1_000, { refused: 9 })], 1_000)),
    ).toBe(9);
    expect(peakRefused([])).toBe(0);
  });
});
