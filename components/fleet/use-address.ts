'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { addressQuery, readAddress, type FleetAddress } from './address';
import type { FleetFilter } from './filter';

/** The look of the fleet lives in the address only. */
export function useAddress() {
  const params = useSearchParams();
  const pathname = usePathname();
  const query = params.toString();
  const address = useMemo(() => readAddress(new URLSearchParams(query)), [query]);
  const change = useCallback(
    (part: Partial<FleetAddress>) => {
      const { search } = window.location;
      const before = readAddress(new URLSearchParams(search));
      const next = addressQuery({ ...before, ...part }, search);
      if (next !== search) window.history.replaceState(null, '', pathname + next);
    },
    [pathname],
  );
  const filterBy = useCallback(
    (part: Partial<FleetFilter>) => {
      const { filter } = readAddress(new URLSearchParams(window.location.search));
      change({ filter: { ...filter, ...part } });
    },
    [change],
  );
  return { address, change, filterBy };
}
