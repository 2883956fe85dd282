import { describe, expect, it } from 'vitest';
import { isHeld, keepOrder, KEY_HOLD_MS, sameOrder } from '@/components/fleet/hold';
import { moveTo } from '@/components/fleet/move';

const free = { pointerInside: false, focusInside: false, lastKeyAt: null };

describe('rows under the hand', () => {
  it('are held by the pointer, by focus, and by a key for five seconds', () => {
    expect(isHeld(free, 0)).toBe(false);
    expect(isHeld({ ...free, pointerInside: true }, 0)).toBe(true);
    expect(isHeld({ ...free, focusInside: true }, 0)).toBe(true);
    expect(isHeld({ ...free, lastKeyAt: 1_000 }, 1_000 + KEY_HOLD_MS - 1)).toBe(true);
    expect(isHeld({ ...free, lastKeyAt: 1_000 }, 1_000 + KEY_HOLD_MS)).toBe(false);
  });

  it('keep their places; what is new waits at the end, what is gone leaves', () => {
    expect(keepOrder(['a', 'b', 'c'], ['d', 'c', 'a'])).toEqual(['a', 'c', 'd']);
  });

  it('never show a row twice or lose one', () => {
    const wanted = ['x', 'b', 'a', 'y'];
    const shown = keepOrder(['a', 'a', 'b'], wanted);
    expect([...shown].sort()).toEqual([...wanted].sort());
  });

  it('knows whether a new order waits', () => {
    expect(sameOrder(['a', 'b'], ['a', 'b'])).toBe(true);
    expect(sameOrder(['a', 'b'], ['b', 'a'])).toBe(false);
    expect(sameOrder(['a'], ['a', 'b'])).toBe(false);
  });
});

describe('moving by keys', () => {
  it.each([
    ['ArrowDown', 2, 3],
    ['j', 2, 3],
    ['ArrowUp', 2, 1],
    ['k', 0, 0],
    ['PageDown', 2, 9],
    ['PageUp', 8, 0],
    ['Home', 7, 0],
    ['End', 0, 9],
    ['ArrowDown', -1, 0],
    ['ArrowDown', 9, 9],
  ])('%s from %i leads to %i', (key, from, to) => {
    expect(moveTo(key, from, 10, 8)).toBe(to);
  });

  it('leaves other keys and an empty list alone', () => {
    expect(moveTo('x', 0, 10, 8)).toBeNull();
    expect(moveTo('toString', 0, 10, 8)).toBeNull();
    expect(moveTo('End', -1, 0, 8)).toBeNull();
  });
});
