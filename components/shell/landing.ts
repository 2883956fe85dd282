'use client';

import { changeAddress } from '@/lib/client/address';
import { useEffect } from 'react';
import { usePreferences } from './providers';

/** What the fleet starts with: only for an address that asks for nothing, and once a visit. */
export function landingParams(pathname: string, search: string, landing: string) {
  if (pathname !== '/' || landing === '') return null;
  const asked = new URLSearchParams(search);
  asked.delete('tz');
  return asked.size > 0 ? null : Object.fromEntries(new URLSearchParams(landing));
}

export function useLanding(): void {
  const { preferences } = usePreferences();
  const { landing } = preferences;
  useEffect(() => {
    const { pathname, search } = window.location;
    const params = landingParams(pathname, search, landing);
    if (params !== null) changeAddress(params);
    // Somebody who clears the filter, or changes this preference, is not sent back.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
}
