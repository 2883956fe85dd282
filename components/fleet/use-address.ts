'use client';

import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { searchNow, writeSearch } from '@/lib/client/address';
import { addressQuery, readAddress, type FleetAddress } from './address';
import type { FleetFilter } from './filter';

/** The look of the fleet lives in the address only. */
export function useAddress() {
  const params = useSearchParams();
  const query = params.toString();
  const address = useMemo(() => readAddress(new URLSearchParams(query)), [query]);
  const change = useCallback((part: Partial<FleetAddress>) => {
    const search = searchNow();
    const before = readAddress(new URLSearchParams(search));
    writeSearch(addressQuery({ ...before, ...part }, search));
  }, []);
  const filterBy = useCallback(
    (part: Partial<FleetFilter>) => {
      const { filter } = readAddress(new URLSearchParams(searchNow()));
      change({ filter: { ...filter, ...part } });
    },
    [change],
  );
  return { address, change, filterBy };
}
