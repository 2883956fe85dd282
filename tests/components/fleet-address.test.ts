import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressQuery,
  EMPTY_ADDRESS,
  flip,
  groupings,
  isFolded,
  layouts,
  listKey,
  readAddress,
  type FleetAddress,
} from '@/components/fleet/address';
import { stateFilters } from '@/components/fleet/filter';
import { BUILT_IN, readViews, withView } from '@/components/fleet/views';

const read = (query: string) => readAddress(new URLSearchParams(query));

const text = fc.oneof(
  fc.string({ maxLength: 128 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('a&b=c', '<script>', 'שלום', '👩‍🚒 fire', 'a/b?c#d', '%2F', ' + '),
);
const name = fc.option(text.filter((value) => value !== ''));
const names = fc.uniqueArray(
  text.filter((value) => value !== ''),
  { maxLength: 5 },
);

const addresses: fc.Arbitrary<FleetAddress> = fc
  .record({
    filter: fc.record({
      text,
      states: fc.subarray([...stateFilters]),
      environment: name,
      service: name,
      target: name,
      only: names,
    }),
    layout: fc.constantFrom(...layouts),
    group: fc.option(fc.constantFrom(...groupings)),
    folded: fc.boolean(),
    flipped: names,
    at: name,
  })
  .map((one) => (one.group === null ? { ...one, folded: false, flipped: [] } : one));

describe('[U-35] the address of the fleet page', () => {
  it('says the whole look, whatever the names are', () => {
    fc.assert(
      fc.property(addresses, (address) => {
        expect(read(addressQuery(address))).toEqual(address);
      }),
      { numRuns: 300 },
    );
  });

  it('is empty for the plain page, and ignores what it does not know', () => {
    expect(addressQuery(EMPTY_ADDRESS)).toBe('');
    expect(read('state=melted&view=holograms&group=mood&groups=folded')).toEqual(EMPTY_ADDRESS);
  });

  it('leaves the parameters of others where they are', () => {
    const address = { ...EMPTY_ADDRESS, layout: 'tiles' as const };
    expect(addressQuery(address, '?zone=Asia%2FKathmandu&q=old')).toBe(
      '?zone=Asia%2FKathmandu&view=tiles',
    );
  });

  it('knows which changes bring another list, and which only another look at it', () => {
    const looks = [{ at: 'br_1' }, { layout: 'tiles' as const }];
    for (const look of looks) {
      expect(listKey({ ...EMPTY_ADDRESS, ...look })).toBe(listKey(EMPTY_ADDRESS));
    }
    expect(listKey({ ...EMPTY_ADDRESS, group: 'target' })).not.toBe(listKey(EMPTY_ADDRESS));
  });

  it('folds all groups but some in a short address', () => {
    const all: FleetAddress = { ...EMPTY_ADDRESS, group: 'service', folded: true };
    expect(isFolded(all, 'a')).toBe(true);
    const flipped = flip(all.flipped, 'a');
    expect(isFolded({ ...all, flipped }, 'a')).toBe(false);
    expect(flip(flipped, 'a')).toEqual([]);
  });
});

describe('saved views', () => {
  it('come back from the browser, and nothing else does', () => {
    const views = [{ name: 'Mine', query: '?q=pay' }];
    expect(readViews(JSON.stringify(views))).toEqual(views);
    const junk = [
      null,
      7,
      { name: '', query: '' },
      { name: 'x', query: 'javascript:alert(1)' },
      ...views,
    ];
    expect(readViews(JSON.stringify(junk))).toEqual(views);
    expect(readViews('{')).toEqual([]);
    expect(readViews(null)).toEqual([]);
  });

  it('replace the one of the same name, and never a built-in one', () => {
    const [builtIn] = BUILT_IN;
    const once = withView([], { name: ' Mine ', query: '?q=a' }) ?? [];
    expect(withView(once, { name: 'Mine', query: '?q=b' })).toEqual([
      { name: 'Mine', query: '?q=b' },
    ]);
    expect(withView([], { name: builtIn?.name ?? '', query: '' })).toBeNull();
    expect(withView([], { name: '  ', query: '' })).toBeNull();
  });

  it('are addresses that the page understands', () => {
    for (const { query } of BUILT_IN)
      expect(addressQuery(read(query))).toBe(query.replace(/,/g, '%2C'));
  });
});
