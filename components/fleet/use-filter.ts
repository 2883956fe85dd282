'use client';

import { changeAddress } from '@/lib/client/address';
import { useSearchParams } from 'next/navigation';
import { filterParams, filterQuery, readFilter, type FleetFilter } from './filter';

/** The filter lives in the address only: a link shows the same list to somebody else. */
export function useFilter() {
  const filter = readFilter(useSearchParams());
  const change = (part: Partial<FleetFilter>) => {
    changeAddress(filterParams({ ...filter, ...part }));
  };
  return { filter, query: filterQuery(filter), change };
}
