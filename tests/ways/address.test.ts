import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterQuery, readFilter, stateFilters } from '@/components/fleet/filter';
import { withParams } from '@/lib/client/address';

const textOrNone = fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: null });

describe('[U-35] what is looked at is in the address', () => {
  it('changes one part and leaves the others', () => {
    expect(withParams('?env=production&tz=Asia%2FTokyo', { env: null, q: 'a b' })).toBe(
      '?tz=Asia%2FTokyo&q=a+b',
    );
    expect(withParams('?q=x', { q: null })).toBe('');
  });

  it('100 random views come back as they were, beside whatever else the address holds', () => {
    fc.assert(
      fc.property(
        fc.record({
          text: fc.string({ unit: 'grapheme' }),
          state: fc.option(fc.constantFrom(...stateFilters), { nil: null }),
          environment: textOrNone,
          service: textOrNone,
        }),
        textOrNone,
        (filter, zone) => {
          const address = withParams(filterQuery(filter), { tz: zone });
          const params = new URLSearchParams(address);
          expect(readFilter(params)).toEqual(filter);
          expect(params.get('tz')).toBe(zone);
        },
      ),
      { numRuns: 100 },
    );
  });
});
