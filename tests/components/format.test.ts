import { describe, expect, it } from 'vitest';
import {
  formatAge,
  formatCountdown,
  formatDuration,
  formatInstant,
  formatLatency,
  formatLocal,
  formatRate,
  formatShare,
} from '@/components/ui/format';

const AT = Date.UTC(2026, 2, 2, 14, 2, 9);

describe('numbers and units', () => {
  it.each([
    [0, '0'],
    [0.01, '<0.1'],
    [0.44, '0.4'],
    [9.96, '10.0'],
    [42.4, '42'],
    [1_204, '1,204'],
  ])('rate %d is %s', (value, text) => expect(formatRate(value)).toBe(text));

  it.each([
    [null, '–'],
    [0, '0 %'],
    [0.0004, '<0.1 %'],
    [0.012, '1.2 %'],
    [0.5, '50 %'],
    [1, '100 %'],
  ])('share %s is %s', (value, text) => expect(formatShare(value)).toBe(text));

  it.each([
    [null, '–'],
    [0.42, '0.4 ms'],
    [84.4, '84 ms'],
    [1_840, '1.84 s'],
    [12_340, '12.3 s'],
  ])('latency %s is %s', (value, text) => expect(formatLatency(value)).toBe(text));

  it.each([
    [8_000, '8 s'],
    [200_000, '3 min 20 s'],
    [7_500_000, '2 h 5 min'],
    [86_400_000, '1 d'],
    [100_800_000, '1 d 4 h'],
  ])('duration %d is %s', (value, text) => expect(formatDuration(value)).toBe(text));

  it('ages have one unit, countdowns count up to the last second', () => {
    expect([900, 61_000, 7_300_000, 200_000_000].map(formatAge)).toEqual([
      '0 s',
      '1 min',
      '2 h',
      '2 d',
    ]);
    expect([-5, 250_000, 3_729_000].map(formatCountdown)).toEqual(['00:00', '04:10', '1:02:09']);
  });
});

describe('instants', () => {
  it('are UTC, with the same instant in another zone beside', () => {
    expect(formatInstant(AT)).toBe('2026-03-02 14:02:09Z');
    expect(formatLocal(AT, 345)).toBe('2026-03-02 19:47:09 +05:45');
    expect(formatLocal(AT, -210)).toBe('2026-03-02 10:32:09 -03:30');
  });
});
