'use client';

import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import type { Place } from '@/lib/protocol/access';

const EVERYWHERE: Place = {};

const PlaceContext = createContext<Place>(EVERYWHERE);
const SetPlaceContext = createContext<(place: Place) => void>(() => undefined);

/** What the page is about: all of the console, one environment, one service of it. */
export const usePlace = (): Place => use(PlaceContext);

/** Tells the bar what the page is about while mounted, so that two windows cannot be mixed up. */
export function usePagePlace(
  environment: string | null | undefined,
  service: string | null = null,
): void {
  const setPlace = use(SetPlaceContext);
  useEffect(() => {
    if (environment === null || environment === undefined) return undefined;
    setPlace({ environment, service });
    return () => setPlace(EVERYWHERE);
  }, [setPlace, environment, service]);
}

export function PlaceProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState(EVERYWHERE);
  return (
    <SetPlaceContext value={setPlace}>
      <PlaceContext value={place}>{children}</PlaceContext>
    </SetPlaceContext>
  );
}
