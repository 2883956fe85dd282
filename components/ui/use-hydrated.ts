'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False on the server and for the first picture, which must be the server's; true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
