import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressQuery, EMPTY_ADDRESS, readAddress } from '@/components/fleet/address';
import { stateFilters } from '@/components/fleet/filter';
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
          states: fc.subarray([...stateFilters]),
          environment: textOrNone,
          service: textOrNone,
          target: textOrNone,
          only: fc.constant([]),
        }),
        textOrNone,
        (filter, zone) => {
          const address = withParams(addressQuery({ ...EMPTY_ADDRESS, filter }), { tz: zone });
          const params = new URLSearchParams(address);
          expect(readAddress(params).filter).toEqual(filter);
          expect(params.get('tz')).toBe(zone);
        },
      ),
      { numRuns: 100 },
    );
  });
});
