'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { filterQuery, readFilter, type FleetFilter } from './filter';

/** The filter lives in the address only: a link shows the same list to somebody else. */
export function useFilter() {
  const filter = readFilter(useSearchParams());
  const pathname = usePathname();
  const change = (part: Partial<FleetFilter>) => {
    window.history.replaceState(null, '', pathname + filterQuery({ ...filter, ...part }));
  };
  return { filter, query: filterQuery(filter), change };
}
