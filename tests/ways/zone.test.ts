import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextZone } from '@/components/shell/zone';
import { formatClock, formatDay, formatInstant } from '@/components/ui/format';
import { isZone, offsetMinutes, resolveZone, UTC, zoneChanges } from '@/components/ui/zone';

const at = (text: string) => Date.parse(text);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const walk = (browser: string, chosen: string | null) => {
  const seen = [UTC];
  for (let steps = 0; steps < 3; steps += 1) {
    seen.push(nextZone(seen.at(-1) ?? UTC, browser, chosen));
  }
  return seen;
};

describe('[U-08] one instant in three time bases', () => {
  it('UTC says Z, every other zone its offset', () => {
    const instant = at('2026-03-02T22:02:09Z');
    expect(formatInstant(instant)).toBe('2026-03-02 22:02:09Z');
    expect(formatInstant(instant, 'Asia/Kathmandu')).toBe('2026-03-03 03:47:09+05:45');
    expect(formatInstant(instant, 'America/Los_Angeles')).toBe('2026-03-02 14:02:09-08:00');
    expect(formatClock(instant, 'America/St_Johns')).toBe('18:32:09-03:30');
    expect(formatDay(instant, 'Asia/Kathmandu')).toBe('2026-03-03');
  });

  it('tells the two half past one of the night when clocks go back apart', () => {
    const first = at('2026-10-25T00:30:00Z');
    expect(formatClock(first, 'Europe/Berlin')).toBe('02:30:00+02:00');
    expect(formatClock(first + HOUR_MS, 'Europe/Berlin')).toBe('02:30:00+01:00');
  });

  it('reads back as the same instant, in every zone and at every time', () => {
    const zones = [UTC, ...Intl.supportedValuesOf('timeZone')];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at('1990-01-01'), max: at('2040-01-01') }),
        (zone, instant) => {
          const whole = Math.floor(instant / 1_000) * 1_000;
          expect(Date.parse(formatInstant(whole, zone).replace(' ', 'T'))).toBe(whole);
        },
      ),
    );
  });

  it('a zone that is unknown, or a clock that is not a number, is UTC', () => {
    expect(isZone('Mars/Olympus')).toBe(false);
    expect(resolveZone('Mars/Olympus', 'Europe/Berlin')).toBe(UTC);
    expect(offsetMinutes('Mars/Olympus', 0)).toBe(0);
    expect(offsetMinutes('Europe/Berlin', Number.NaN)).toBe(0);
    expect(resolveZone('browser', 'Europe/Berlin')).toBe('Europe/Berlin');
    expect(resolveZone('utc', 'Europe/Berlin')).toBe(UTC);
  });

  it('the key goes through UTC, here and the chosen zone, each once', () => {
    expect(walk('Europe/Berlin', 'Asia/Tokyo')).toEqual([UTC, 'Europe/Berlin', 'Asia/Tokyo', UTC]);
    expect(walk('Europe/Berlin', null)).toEqual([UTC, 'Europe/Berlin', UTC, 'Europe/Berlin']);
    expect(walk(UTC, null)).toEqual([UTC, UTC, UTC, UTC]);
  });
});

describe('[U-08] where the clocks of a zone step', () => {
  const days = 24 * HOUR_MS;

  it('finds both nights of a year, to the minute', () => {
    const changes = zoneChanges('Europe/Berlin', at('2026-01-01'), at('2027-01-01'));
    expect(changes).toEqual([
      { at: at('2026-03-29T01:00:00Z'), before: 60, after: 120 },
      { at: at('2026-10-25T01:00:00Z'), before: 120, after: 60 },
    ]);
  });

  it('finds the half hour of Lord Howe', () => {
    const [change] = zoneChanges('Australia/Lord_Howe', at('2026-04-01'), at('2026-04-10'));
    expect(change).toEqual({ at: at('2026-04-04T15:00:00Z'), before: 660, after: 630 });
  });

  it('finds none in UTC, in a zone without them, and in an empty range', () => {
    expect(zoneChanges(UTC, 0, 400 * days)).toEqual([]);
    expect(zoneChanges('Asia/Kathmandu', at('2020-01-01'), at('2021-01-01'))).toEqual([]);
    expect(zoneChanges('Europe/Berlin', 5, 5)).toEqual([]);
  });
});
