import { describe, expect, it } from 'vitest';
import { areaPath, linePath } from '@/lib/series/paths';

const dots = [
  { x: 0, y: 10 },
  { x: 5, y: 20.04 },
  { x: 8, y: null },
  { x: 9, y: 30 },
  { x: 12, y: 30 },
];

describe('paths', () => {
  it('keeps a value until the next one in a step line', () => {
    expect(linePath(dots, 'step')).toBe('M0 10H5V20M9 30H12V30');
  });
  it('[U-07] never crosses what is not known', () => {
    expect(linePath(dots, 'straight')).toBe('M0 10L5 20M9 30L12 30');
    expect(linePath([{ x: 1, y: null }], 'step')).toBe('');
  });
  it('closes each stretch of an area on the floor', () => {
    expect(areaPath(dots, 50)).toBe('M0 50V10H5V20H5V50ZM9 50V30H12V30V50Z');
    expect(areaPath([], 50)).toBe('');
  });
});
