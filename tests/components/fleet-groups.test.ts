import { describe, expect, it } from 'vitest';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import { EMPTY_ADDRESS, type FleetAddress } from '@/components/fleet/address';
import { linesOf } from '@/components/fleet/groups';
import {
  extendTo,
  keepExisting,
  NO_SELECTION,
  selectAll,
  toggle,
} from '@/components/fleet/selection';
import type { BreakerView } from '@/lib/protocol/views';

const NOW = 1_800_000_000_000;

const ROWS = [
  breakerFixture(NOW, { id: 'b', state: 'open', service: 'billing', target: 'ledger' }),
  breakerFixture(NOW, { id: 'a', service: 'checkout', target: 'ledger' }),
  breakerFixture(NOW, { id: 'c', service: 'billing', target: 'mail' }),
  breakerFixture(NOW, { id: 'd', service: 'billing', target: 'ledger', environment: 'staging' }),
];
const byId = new Map<string, BreakerView>(ROWS.map((row) => [row.id, row]));
const rowOf = (id: string) => byId.get(id) ?? null;
const ids = ROWS.map(({ id }) => id);

function shown(part: Partial<FleetAddress>, columns = 1): string[] {
  const lines = linesOf(ids, rowOf, { address: { ...EMPTY_ADDRESS, ...part }, columns });
  return lines.map((line) =>
    line.kind === 'group' ? `${line.group.title} @ ${line.group.environment}` : line.ids.join(' '),
  );
}

const picked = ({ ids: set }: { ids: ReadonlySet<string> }) => [...set].sort().join('');

describe('lines of the list', () => {
  it('are the breakers in their order, in as many columns as there is room for', () => {
    expect(shown({})).toEqual(['b', 'a', 'c', 'd']);
    expect(shown({}, 3)).toEqual(['b a c', 'd']);
  });

  it('come by group, the one with the worst breaker first, environments apart', () => {
    expect(shown({ group: 'service' })).toEqual([
      'billing @ production',
      'b',
      'c',
      'checkout @ production',
      'a',
      'billing @ staging',
      'd',
    ]);
    expect(shown({ group: 'target' }, 2)).toEqual([
      'ledger @ production',
      'b a',
      'mail @ production',
      'c',
      'ledger @ staging',
      'd',
    ]);
    expect(shown({ group: 'environment' })).toEqual([
      'production @ null',
      'b',
      'a',
      'c',
      'staging @ null',
      'd',
    ]);
  });

  it('of a folded group are its head alone, which still counts what is in it', () => {
    const address: FleetAddress = {
      ...EMPTY_ADDRESS,
      group: 'target',
      flipped: ['production/ledger'],
    };
    const [head] = linesOf(ids, rowOf, { address, columns: 1 });
    expect(head?.kind === 'group' && head.group.summary).toMatchObject({ total: 2, open: 1 });
    expect(shown(address)).toEqual([
      'ledger @ production',
      'mail @ production',
      'c',
      'ledger @ staging',
      'd',
    ]);
  });
});

describe('[U-32] selection', () => {
  it('toggles one and ranges from the last one toggled, either way', () => {
    const one = toggle(NO_SELECTION, 'c');
    expect(picked(one)).toBe('c');
    expect(picked(extendTo(one, 'a', ids))).toBe('ac');
    expect(picked(extendTo(one, 'b', ids))).toBe('abc');
    expect(picked(toggle(one, 'c'))).toBe('');
  });

  it('starts a range where nothing was selected, or where the start is gone', () => {
    expect(picked(extendTo(NO_SELECTION, 'a', ids))).toBe('a');
    expect(picked(extendTo(toggle(NO_SELECTION, 'gone'), 'a', ids))).toBe('agone');
    expect(picked(extendTo(NO_SELECTION, 'gone', ids))).toBe('');
  });

  it('takes all that is shown, and lets go of what no longer exists', () => {
    const all = selectAll(ids);
    expect(picked(all)).toBe('abcd');
    expect(picked(keepExisting(all, (id) => id !== 'b'))).toBe('acd');
    expect(keepExisting(all, () => true)).toBe(all);
  });
});
