import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addressQuery, EMPTY_ADDRESS, readAddress } from '@/components/fleet/address';
import { stateFilters } from '@/components/fleet/filter';
import {
  changeAddress,
  searchNow,
  settleAddress,
  withParams,
  writeSearch,
  type Step,
} from '@/lib/client/address';

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

/** A browser with a router that draws later than it is told, and writes what it draws into the address. */
function lateRouter(start: string) {
  let address = new URL(start, 'http://localhost');
  const told: URL[] = [];
  const steps: Step[] = [];
  const write = (step: Step) => (_data: unknown, _unused: string, next: string) => {
    address = new URL(next, address);
    told.push(address);
    steps.push(step);
  };
  vi.stubGlobal('window', {
    get location() {
      return address;
    },
    history: { replaceState: write('replace'), pushState: write('push') },
  });
  const draw = () => {
    const next = told.shift();
    if (next === undefined) throw new Error('there is nothing to draw');
    address = next;
    settleAddress(next.pathname, next.searchParams.toString());
  };
  return {
    draw,
    drawAll: () => {
      while (told.length > 0) draw();
    },
    /** A link of the page, or the way back. */
    go: (to: string) => told.push(new URL(to, address)),
    location: () => address.pathname + address.search,
    steps,
  };
}

describe('[U-35] what is written into the address while the page is still being drawn', () => {
  let router: ReturnType<typeof lateRouter>;
  beforeEach(() => {
    router = lateRouter('/?env=production');
    settleAddress('/', 'env=production');
  });
  afterEach(() => vi.unstubAllGlobals());

  it('is not lost when the router puts an older one back', () => {
    changeAddress({ q: 'inv' });
    changeAddress({ q: 'inventory' });
    router.draw();
    expect(router.location()).toBe('/?env=production&q=inv');
    expect(searchNow()).toBe('?env=production&q=inventory');
    changeAddress({ view: 'tiles' });
    router.drawAll();
    expect(router.location()).toBe('/?env=production&q=inventory&view=tiles');
    expect(searchNow()).toBe('?env=production&q=inventory&view=tiles');
  });

  it('gives way to where somebody goes in between', () => {
    changeAddress({ q: 'inv' });
    router.go('/?state=open');
    router.drawAll();
    changeAddress({ tz: 'Asia/Tokyo' });
    expect(router.location()).toBe('/?state=open&tz=Asia%2FTokyo');
  });

  it('is not carried to another page', () => {
    changeAddress({ q: 'inv' });
    router.go('/services');
    router.drawAll();
    expect(searchNow()).toBe('');
  });

  it('goes on to be right when the same is written again, and when the router leaves one out', () => {
    writeSearch('?q=a');
    writeSearch('?q=b');
    writeSearch('?q=a');
    settleAddress('/', 'q=a');
    expect(searchNow()).toBe('?q=a');
    changeAddress({ tz: 'UTC' });
    expect(searchNow()).toBe('?q=a&tz=UTC');
  });

  it('makes no step in the history for nothing', () => {
    writeSearch('env=production');
    writeSearch('env=staging', 'push');
    expect(router.steps).toEqual(['push']);
    router.drawAll();
    writeSearch('');
    router.drawAll();
    expect(router.location()).toBe('/');
  });
});
