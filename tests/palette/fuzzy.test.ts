import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { find, makeEntry, startsWithTypo } from '@/lib/client/fuzzy';

const names = [
  'payments-db',
  'payments-api',
  'inventory-db',
  'pricingService',
  'search-index',
  'Größenrechner',
  'checkout',
];
const entries = names.map((name) => makeEntry(name, name, 'edge → upstream · production'));
const favourOne = (name: string) => (name === 'payments-db' ? 30 : 0);
const best = (query: string) => find(entries, query, 10).map(({ item }) => item);

describe('[U-34] finding by a few letters', () => {
  it.each([
    ['payments-db', 'payments-db'],
    ['pay db', 'payments-db'],
    ['db inv', 'inventory-db'],
    ['index', 'search-index'],
    ['service', 'pricingService'],
    ['großen', 'Größenrechner'],
    ['GRÖßEN', 'Größenrechner'],
    ['heck', 'checkout'],
  ])('“%s” finds %s first', (query, wanted) => {
    expect(best(query)[0]).toBe(wanted);
  });

  it.each([
    ['a wrong letter', 'inbentory'],
    ['a missing letter', 'inentory'],
    ['a letter too many', 'inventtory'],
    ['two that changed places', 'invnetory'],
    ['a wrong first letter', 'unventory'],
    ['only the start, with a slip', 'invrnt'],
  ])('forgives %s', (_slip, query) => {
    expect(best(query)).toEqual(['inventory-db']);
  });

  it('does not forgive two slips, nor one in a word of two letters', () => {
    expect(best('inbemtory')).toEqual([]);
    expect(best('xb')).toEqual([]);
  });

  it('puts what is typed right before what is typed almost right', () => {
    const likes = ['chackout', 'checkout'].map((name) => makeEntry(name, name, ''));
    expect(find(likes, 'checkout', 10).map(({ item }) => item)).toEqual(['checkout', 'chackout']);
  });

  it('asks for every word', () => {
    expect(best('payments nowhere')).toEqual([]);
    expect(best('production checkout')).toEqual(['checkout']);
  });

  it('puts the name before what stands beside it', () => {
    const two = [makeEntry('beside', 'alpha', 'orders'), makeEntry('name', 'orders', 'alpha')];
    expect(find(two, 'orders', 10)[0]?.item).toBe('name');
  });

  it('favours what was used lately among equals, within the limit', () => {
    expect(find(entries, 'payments', 1, favourOne)).toMatchObject([{ item: 'payments-db' }]);
  });

  it('finds nothing for nothing', () => {
    expect(best('   ')).toEqual([]);
  });
});

/** Words that are as typed but for one slip, by trying every one: slow and plainly right. */
function nearby(typed: string, letters: string): Set<string> {
  const all = new Set([typed]);
  for (let at = 0; at <= typed.length; at += 1) {
    const [head, tail] = [typed.slice(0, at), typed.slice(at)];
    if (tail !== '') all.add(head + tail.slice(1));
    if (tail.length > 1) all.add(head + tail.charAt(1) + tail.charAt(0) + tail.slice(2));
    for (const letter of letters) {
      all.add(head + letter + tail);
      if (tail !== '') all.add(head + letter + tail.slice(1));
    }
  }
  return all;
}

describe('[U-34] one slip', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });

  it('is the same as trying every slip', () => {
    fc.assert(
      fc.property(word, word, (target, typed) => {
        const slow = [...nearby(typed, 'abc')].some((one) => target.startsWith(one));
        expect(startsWithTypo(target, typed)).toBe(slow);
      }),
      { numRuns: 2_000 },
    );
  });
});
