import { describe, expect, it } from 'vitest';
import { breakerFixture, everyState, quietFleet } from '@/components/design/breaker-fixtures';
import { attentionOrder } from '@/components/fleet/attention';

const NOW = 1_800_000_000_000;
const gone = { total: 3, live: 0, stale: 3, offline: 0 };
const row = (id: string, part = {}) => breakerFixture(NOW, { id, name: id, ...part });

const openWith = (a: number, b: number) =>
  attentionOrder(
    [
      row('a', { state: 'open', refusedPerSecond: a }),
      row('b', { state: 'open', refusedPerSecond: b }),
    ],
    NOW,
  );

describe('attention order', () => {
  it('puts forced closed first, then open, half-open, news, failing, stale, normal', () => {
    const rows = [
      row('normal'),
      row('stale', { state: 'open', instances: gone }),
      row('failing', { failureShare: 0.2 }),
      row('half', { state: 'half_open' }),
      row('news', { state: 'closed', since: NOW - 5_000 }),
      row('open', { state: 'open' }),
      row('forced', { state: 'forced_closed' }),
    ];
    expect(attentionOrder(rows, NOW)).toEqual([
      'forced',
      'open',
      'half',
      'news',
      'failing',
      'stale',
      'normal',
    ]);
  });

  it('orders open breakers by what they refuse, then by what is newer', () => {
    const rows = [
      row('few', { state: 'open', refusedPerSecond: 2 }),
      row('many', { state: 'open', refusedPerSecond: 300 }),
      row('old', { state: 'open', since: NOW - 90_000 }),
      row('new', { state: 'open', since: NOW - 80_000 }),
    ];
    expect(attentionOrder(rows, NOW)).toEqual(['many', 'few', 'new', 'old']);
  });

  it('does not swap two rows for a few calls more or less', () => {
    expect(openWith(100, 104)).toEqual(openWith(104, 100));
  });

  it('leaves the first screen of an incident to what is wrong', () => {
    const order = attentionOrder([...quietFleet(NOW, 480), ...everyState(NOW)], NOW);
    const quiet = order.slice(0, 12).filter((id) => id.startsWith('quiet-'));
    expect(quiet.length / 12).toBeLessThanOrEqual(0.4);
  });
});
