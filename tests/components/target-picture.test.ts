import { describe, expect, it } from 'vitest';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import { callersText, pictureOf } from '@/components/target/picture';

const NOW = 1_800_000_000_000;
const row = (id: string, part = {}) =>
  breakerFixture(NOW, { id, failureShare: 0, refusedPerSecond: 0, serviceId: id, ...part });

const ROWS = [
  row('refused', {
    state: 'open',
    states: { open: 3 },
    refusedPerSecond: 30,
    retryAt: NOW + 9_000,
  }),
  row('failing', { callsPerSecond: 100, failureShare: 0.1 }),
  row('ramping', { state: 'half_open', states: { half_open: 2, closed: 1 } }),
  row('mixed', { state: 'open', states: { open: 1, half_open: 1 }, retryAt: NOW + 2_000 }),
  row('well'),
  row('gone', {
    state: 'open',
    refusedPerSecond: 99,
    instances: { total: 1, live: 0, stale: 1, offline: 0 },
  }),
];

const ids = (rows: readonly { row: { id: string } }[]) => rows.map(({ row: { id } }) => id);

describe('all breakers to one target', () => {
  const picture = pictureOf(ROWS);

  it('tells who is hurting, and how much of the whole each one is', () => {
    expect(ids(picture.hurting)).toEqual(['refused', 'failing']);
    expect(picture.hurting.map(({ share }) => share)).toEqual([0.75, 0.25]);
    expect(picture.lostPerSecond).toBe(40);
  });

  it('tells who is probing with how many instances, and who will next', () => {
    expect(ids(picture.probing)).toEqual(['ramping', 'mixed']);
    expect(picture.probingInstances).toBe(3);
    expect(picture.waiting.map(({ id }) => id)).toEqual(['mixed', 'refused']);
  });

  it('takes nobody at his word who is not heard any more', () => {
    expect(ids([...picture.hurting, ...picture.probing])).not.toContain('gone');
  });

  it('finds nothing where nothing is wrong', () => {
    expect(pictureOf([row('well')])).toMatchObject({ hurting: [], probing: [], waiting: [] });
  });

  it('says where it is called from', () => {
    expect(callersText(ROWS.slice(0, 1))).toBe('1 breaker of 1 service');
    expect(callersText([row('a'), row('b', { environment: 'staging' })])).toBe(
      '2 breakers of 2 services in 2 environments',
    );
  });
});
