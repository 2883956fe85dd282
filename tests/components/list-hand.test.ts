import { describe, expect, it } from 'vitest';
import { isHeld, keepOrder, KEY_HOLD_MS, sameOrder, stableOrder } from '@/components/fleet/hold';
import { moveTo } from '@/components/fleet/move';

const free = { pointerInside: false, focusInside: false, lastKeyAt: null };

const gone = (...ids: string[]) => ({ exists: (id: string) => !ids.includes(id), append: true });

describe('[U-03] rows under the hand', () => {
  it('are held by the pointer, by focus, and by a key for five seconds', () => {
    expect(isHeld(free, 0)).toBe(false);
    expect(isHeld({ ...free, pointerInside: true }, 0)).toBe(true);
    expect(isHeld({ ...free, focusInside: true }, 0)).toBe(true);
    expect(isHeld({ ...free, lastKeyAt: 1_000 }, 1_000 + KEY_HOLD_MS - 1)).toBe(true);
    expect(isHeld({ ...free, lastKeyAt: 1_000 }, 1_000 + KEY_HOLD_MS)).toBe(false);
  });

  it('keep their places; what is new waits at the end, what is gone leaves', () => {
    expect(keepOrder(['a', 'b', 'c'], ['d', 'c', 'a'], gone('b'))).toEqual(['a', 'c', 'd']);
  });

  it('stay when they stop matching: the one below must not come under the pointer', () => {
    expect(keepOrder(['a', 'b', 'c'], ['a', 'c'], gone())).toEqual(['a', 'b', 'c']);
  });

  it('let new ones wait where they would push others away', () => {
    const known = { exists: () => true, append: false };
    expect(keepOrder(['a', 'b'], ['n', 'a', 'b'], known)).toEqual(['a', 'b']);
  });

  it('keep their identity while the order is the same', () => {
    const stable = stableOrder();
    const first = stable(['a', 'b']);
    expect(stable(['a', 'b'])).toBe(first);
    expect(stable(['b', 'a'])).toEqual(['b', 'a']);
  });

  it('never show a row twice or lose one', () => {
    const wanted = ['x', 'b', 'a', 'y'];
    const shown = keepOrder(['a', 'a', 'b'], wanted, gone('a', 'b'));
    expect([...shown].sort()).toEqual([...wanted].sort());
  });

  it('knows whether a new order waits', () => {
    expect(sameOrder(['a', 'b'], ['a', 'b'])).toBe(true);
    expect(sameOrder(['a', 'b'], ['b', 'a'])).toBe(false);
    expect(sameOrder(['a'], ['a', 'b'])).toBe(false);
  });
});

const row = (line: number) => ({ line, cell: 0 });

describe('[U-32] moving by keys', () => {
  const table = { widths: Array.from({ length: 10 }, () => 1), page: 7 };
  const tiles = { widths: [1, 3, 3, 1], page: 2 };

  it.each([
    ['ArrowDown', 2, 3],
    ['j', 2, 3],
    ['ArrowUp', 2, 1],
    ['k', 0, 0],
    ['PageDown', 2, 9],
    ['PageUp', 8, 1],
    ['Home', 7, 0],
    ['End', 0, 9],
    ['ArrowDown', 9, 9],
  ])('%s from row %i leads to row %i', (key, from, to) => {
    expect(moveTo(key, row(from), table)).toEqual(row(to));
  });

  it.each([
    ['ArrowRight', [1, 1], [1, 2]],
    ['ArrowRight', [1, 2], [2, 0]],
    ['ArrowLeft', [2, 0], [1, 2]],
    ['ArrowLeft', [0, 0], [0, 0]],
    ['ArrowDown', [2, 2], [3, 0]],
    ['ArrowUp', [1, 2], [0, 0]],
    ['End', [0, 0], [3, 0]],
  ] as const)('%s from tile %j leads to %j', (key, [line, cell], [toLine, toCell]) => {
    expect(moveTo(key, { line, cell }, tiles)).toEqual({ line: toLine, cell: toCell });
  });

  it('starts at the first row', () => {
    expect(moveTo('ArrowDown', null, table)).toEqual(row(0));
    expect(moveTo('End', null, table)).toEqual(row(9));
  });

  it('leaves other keys and an empty list alone', () => {
    expect(moveTo('x', row(0), table)).toBeNull();
    expect(moveTo('ArrowRight', row(0), table)).toBeNull();
    expect(moveTo('toString', row(0), table)).toBeNull();
    expect(moveTo('End', null, { widths: [], page: 1 })).toBeNull();
  });
});
