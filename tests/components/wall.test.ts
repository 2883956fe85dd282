import { describe, expect, it } from 'vitest';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import { pageAt, readWall, shiftAt, troubleOf } from '@/components/wall/wall-model';

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const ids = ['a', 'b', 'c', 'd', 'e'];

describe('[U-37] the wall', () => {
  it('shows what needs somebody, worst first, and nothing that is quiet', () => {
    const rows = [
      breakerFixture(NOW, { id: 'quiet' }),
      breakerFixture(NOW, { id: 'half', state: 'half_open' }),
      breakerFixture(NOW, { id: 'forced', state: 'forced_closed' }),
      breakerFixture(NOW, { id: 'open', state: 'open' }),
    ];
    expect(troubleOf(rows, NOW)).toEqual(['forced', 'open', 'half']);
  });

  it('stays on the worst ones unless somebody chose to turn pages', () => {
    const later = NOW + 60 * MINUTE_MS + 20_000;
    const still = { capacity: 2, rotateS: null };
    expect(pageAt(ids, { ...still, now: NOW }).ids).toEqual(['a', 'b']);
    expect(pageAt(ids, { ...still, now: later })).toMatchObject({ ids: ['a', 'b'], others: 3 });
    expect(readWall(new URLSearchParams())).toEqual({ environment: null, rotateS: null });
    expect(readWall(new URLSearchParams('rotate=7'))).toMatchObject({ rotateS: null });
  });

  it('turns through all pages by choice, and comes back to the first', () => {
    const { rotateS } = readWall(new URLSearchParams('rotate=20&env=prod'));
    const start = Math.ceil(NOW / 60_000) * 60_000;
    const pages = [0, 1, 2, 3].map(
      (turn) => pageAt(ids, { capacity: 2, rotateS, now: start + turn * 20_000 }).ids,
    );
    const first = pages.findIndex((page) => page.includes('a'));
    expect(pages.flat()).toEqual(expect.arrayContaining(ids));
    expect(first).toBeGreaterThanOrEqual(0);
    expect(pages[3]).toEqual(pages[0]);
  });

  it('has a page even when nothing fits', () => {
    expect(pageAt(ids, { capacity: 0, rotateS: null, now: NOW }).ids).toEqual(['a']);
    expect(pageAt([], { capacity: 4, rotateS: 20, now: NOW })).toMatchObject({ ids: [], pages: 1 });
  });

  it('wanders by a few pixels, each place for a minute, and comes back', () => {
    const places = Array.from({ length: 9 }, (_, minute) => shiftAt(NOW + minute * MINUTE_MS));
    expect(new Set(places.map(({ x, y }) => `${x},${y}`)).size).toBe(9);
    for (const { x, y } of places) expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(14);
    expect(shiftAt(NOW + 9 * MINUTE_MS)).toEqual(places[0]);
  });
});
