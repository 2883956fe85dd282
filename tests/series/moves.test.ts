import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spanOf, toRatio } from '@/lib/series/domain';
import { holdsOf, stepsOf } from '@/lib/series/lane-marks';
import { holdMarks } from '@/lib/series/marks';
import { moveView, nextEdge, wheelFactor, type Move } from '@/lib/series/moves';
import { event, story } from './make';

const limits = { from: 0, to: 3_600_000 };
const view = { from: 1_200_000, to: 1_800_000 };

describe('moves through time', () => {
  it('halves and doubles about the cursor', () => {
    const at = 1_350_000;
    expect(spanOf(moveView(limits, view, 'in', at))).toBe(300_000);
    expect(spanOf(moveView(limits, view, 'out', at))).toBe(1_200_000);
    expect(toRatio(moveView(limits, view, 'in', at), at)).toBeCloseTo(toRatio(view, at), 9);
  });
  it('goes a quarter of the view to either side', () => {
    expect(moveView(limits, view, 'earlier')).toEqual({ from: 1_050_000, to: 1_650_000 });
    expect(moveView(limits, view, 'later')).toEqual({ from: 1_350_000, to: 1_950_000 });
  });
  it('never leaves the limits', () => {
    const moves = fc.array(fc.constantFrom<Move>('in', 'out', 'earlier', 'later'));
    fc.assert(
      fc.property(moves, (list) => {
        const end = list.reduce((now, move) => moveView(limits, now, move), view);
        expect(end.from).toBeGreaterThanOrEqual(limits.from);
        expect(end.to).toBeLessThanOrEqual(limits.to + 1e-6);
      }),
    );
  });
  it('undoes a notch of the wheel with one the other way, and tames a wild one', () => {
    expect(wheelFactor(-100)).toBeLessThan(1);
    expect(wheelFactor(100) * wheelFactor(-100)).toBeCloseTo(1, 9);
    expect(wheelFactor(1e9)).toBe(wheelFactor(400));
  });
});

describe('[U-10] from change to change', () => {
  const bands = [
    { from: 0, to: 10, state: 'closed' },
    { from: 10, to: 30, state: 'open' },
    { from: 30, to: 50, state: 'closed' },
  ];
  it('finds the nearest on either side, and none at the ends', () => {
    expect(nextEdge(bands, 10, 'after')).toBe(30);
    expect(nextEdge(bands, 10, 'before')).toBeNull();
    expect(nextEdge(bands, 40, 'before')).toBe(30);
    expect(nextEdge(bands, 40, 'after')).toBeNull();
  });
});

describe('marks of one lane', () => {
  it('has the steps and holds of that instance alone', () => {
    const events = [...story('a'), ...story('b')];
    const steps = stepsOf(events, 'b', { from: 16_000, to: 60_000 });
    expect(steps.map((one) => [one.at, one.step])).toEqual([
      [20_000, 2],
      [47_000, 1],
      [52_000, 2],
      [57_000, 3],
    ]);
    const holds = holdMarks([event(5, 'hold', {}, 'a'), event(6, 'hold', {}, 'b')], 9);
    expect(holdsOf(holds, 'b').map((one) => one.from)).toEqual([6]);
  });
});
