import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MIN_SPAN_MS,
  brushTo,
  clampAt,
  clip,
  contains,
  fromRatio,
  liveDomain,
  panBy,
  spanOf,
  toRatio,
  zoomAbout,
} from '@/lib/series/domain';
import {
  linearTicks,
  logBounds,
  logTicks,
  niceCeil,
  timeStep,
  timeTicks,
} from '@/lib/series/ticks';

const HOUR = 3_600_000;
const limits = { from: 0, to: HOUR };

describe('domain', () => {
  it('aligns the live domain to whole seconds', () => {
    expect(liveDomain(10_400, 5_000)).toEqual({ from: 6_000, to: 11_000 });
  });
  it('has its start inside and its end outside', () => {
    expect([contains(limits, 0), contains(limits, HOUR)]).toEqual([true, false]);
    expect(clampAt(limits, -5)).toBe(0);
    expect(clip(limits, { from: -10, to: 10 })).toEqual({ from: 0, to: 10 });
    expect(clip(limits, { from: HOUR, to: HOUR + 1 })).toBeNull();
  });
  it('converts between instants and ratios', () => {
    expect(toRatio(limits, HOUR / 4)).toBe(0.25);
    expect(fromRatio(limits, 0.25)).toBe(HOUR / 4);
  });
});

describe('zoom', () => {
  it('takes a drag in either direction', () => {
    expect(brushTo(limits, 600_000, 1_200_000)).toEqual({ from: 600_000, to: 1_200_000 });
    expect(brushTo(limits, 1_200_000, 600_000)).toEqual({ from: 600_000, to: 1_200_000 });
  });
  it('does not take a click for a drag', () => {
    expect(brushTo(limits, 1_000, 1_500)).toBeNull();
  });
  it('never goes below the smallest span', () => {
    expect(brushTo({ from: 0, to: 60_000 }, 0, 2_000)).toEqual({ from: 0, to: MIN_SPAN_MS });
  });
  it('keeps the instant under the pointer in place', () => {
    const view = zoomAbout(limits, limits, 900_000, 0.5);
    expect(spanOf(view)).toBe(HOUR / 2);
    expect(toRatio(view, 900_000)).toBeCloseTo(0.25, 9);
  });
  it('stays inside the limits, whatever is asked', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.01, max: 5, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (ratio, factor, shift) => {
          const view = panBy(limits, zoomAbout(limits, limits, ratio * HOUR, factor), shift);
          expect(view.from).toBeGreaterThanOrEqual(limits.from);
          expect(view.to).toBeLessThanOrEqual(limits.to + 1e-6);
          expect(spanOf(view)).toBeGreaterThanOrEqual(MIN_SPAN_MS - 1e-6);
        },
      ),
    );
  });
});

describe('ticks', () => {
  it('picks round steps of time', () => {
    expect(timeStep(300_000, 6)).toBe(60_000);
    expect(timeStep(900_000, 6)).toBe(300_000);
    expect(timeTicks({ from: 30_000, to: 200_000 }, 4)).toEqual([60_000, 120_000, 180_000]);
  });
  it('aligns to a zone with an odd offset', () => {
    const nepal = (5 * 60 + 45) * 60_000;
    const ticks = timeTicks({ from: 0, to: 6 * HOUR }, 6, nepal);
    expect(ticks.every((at) => (at + nepal) % HOUR === 0)).toBe(true);
  });
  it('rounds up to 1, 2, 5', () => {
    expect([0, 0.3, 1, 1.1, 34, 700].map(niceCeil)).toEqual([1, 0.5, 1, 2, 50, 1000]);
  });
  it('makes linear ticks from zero over the maximum', () => {
    expect(linearTicks(34, 4)).toEqual([0, 10, 20, 30, 40]);
    expect(linearTicks(0, 2).at(0)).toBe(0);
  });
  it('leaves out ticks that would touch on a log axis', () => {
    const ticks = logTicks([1_000, 60_000], 6);
    const gaps = ticks.slice(1).map((tick, index) => Math.log(tick / (ticks[index] ?? 1)));
    expect(Math.min(...gaps) / Math.log(60)).toBeGreaterThanOrEqual(0.16);
  });
  it('bounds a log axis by round durations and keeps both ends', () => {
    expect(logBounds(9_100, 48_000)).toEqual([5_000, 60_000]);
    expect(logBounds(1_000, 1_000)).toEqual([1_000, 2_000]);
    const ticks = logTicks([5, 60_000], 4);
    expect(ticks.length).toBeLessThanOrEqual(4);
    expect([ticks.at(0), ticks.at(-1)]).toEqual([5, 60_000]);
  });
});
