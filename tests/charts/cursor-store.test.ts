import { describe, expect, it } from 'vitest';
import { CursorStore } from '@/components/charts/cursor-store';

describe('[U-10] the shared cursor', () => {
  it('follows the pointer and goes back to where it was pinned', () => {
    const cursor = new CursorStore(50);
    expect(cursor.at()).toBe(50);
    cursor.hover(80);
    expect([cursor.at(), cursor.pinned()]).toEqual([80, 50]);
    cursor.hover(null);
    expect(cursor.at()).toBe(50);
  });
  it('shows what was pinned last, even under a resting pointer', () => {
    const cursor = new CursorStore();
    cursor.hover(80);
    cursor.pin(20);
    expect(cursor.at()).toBe(20);
    cursor.hover(90);
    cursor.pin(20);
    expect(cursor.at()).toBe(20);
    cursor.pin(null);
    expect(cursor.at()).toBeNull();
  });
  it('tells only of changes, and nobody who has left', () => {
    const cursor = new CursorStore();
    let told = 0;
    const leave = cursor.subscribe(() => {
      told += 1;
    });
    cursor.hover(1);
    cursor.hover(1);
    cursor.mark(1);
    cursor.mark(1);
    cursor.pin(1);
    cursor.pin(1);
    expect(told).toBe(3);
    leave();
    cursor.pin(null);
    expect(told).toBe(3);
  });
});
