'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { readView, viewQuery, type AuditView } from './filter';

/** The filter lives in the address only: a link shows the same rows to somebody else. */
export function useView() {
  const view = readView(useSearchParams());
  const pathname = usePathname();
  const change = (part: Partial<AuditView>) => {
    window.history.replaceState(null, '', pathname + viewQuery({ ...view, ...part }));
  };
  return { view, change };
}
