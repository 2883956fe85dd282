'use client';

import { useSearchParams } from 'next/navigation';
import { searchNow, writeSearch } from '@/lib/client/address';
import { readView, viewQuery, type AuditView } from './filter';

function change(part: Partial<AuditView>): void {
  const before = readView(new URLSearchParams(searchNow()));
  writeSearch(viewQuery({ ...before, ...part }));
}

/** The filter lives in the address only: a link shows the same rows to somebody else. */
export function useView() {
  const view = readView(useSearchParams());
  return { view, change };
}
