import { describe, expect, it } from 'vitest';
import { binomialTail, criticalCount } from '@/lib/stats';

describe('criticalCount', () => {
  it.each([
    [10, 0.001, 2],
    [50, 0.001, 3],
    [200, 0.001, 4],
    [1000, 0.001, 6],
    [10, 0.01, 3],
    [50, 0.01, 5],
    [200, 0.01, 9],
    [1000, 0.01, 22],
  ])('of %i calls at a normal rate of %f is %i', (n, p, expected) => {
    expect(criticalCount(n, p, 0.001, 2)).toBe(expected);
  });
});

describe('binomialTail', () => {
  it('holds its edges', () => {
    expect(binomialTail(10, 0.5, 0)).toBe(1);
    expect(binomialTail(10, 0.5, 11)).toBe(0);
    expect(binomialTail(10, 0, 1)).toBe(0);
    expect(binomialTail(10, 1, 10)).toBe(1);
    expect(binomialTail(2, 0.5, 2)).toBeCloseTo(0.25, 12);
  });
});
