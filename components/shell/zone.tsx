'use client';

import { changeAddress } from '@/lib/client/address';
import { useSearchParams } from 'next/navigation';
import { createContext, use, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { useSettledAddress } from './use-settled-address';
import { useShortcut } from '../shortcuts/use-shortcut';
import { browserZone, isZone, resolveZone, UTC } from '../ui/zone';
import { ZoneContext } from '../ui/zone-context';
import { usePreferences } from './providers';

/** The part of the address that names the zone; without it, it is this person's own. */
const ZONE_PARAM = 'tz';

type Chooser = { zone: string; browser: string; choose: (kept: string) => void };
const ChooserContext = createContext<Chooser>({
  zone: UTC,
  browser: UTC,
  choose: () => undefined,
});

export const useZoneChooser = (): Chooser => use(ChooserContext);

const never = () => () => undefined;

/** The server does not know where the browser stands; both agree on UTC for the first picture. */
const useBrowserZone = (): string => useSyncExternalStore(never, browserZone, () => UTC);

/** UTC, where the browser stands, and the one that was chosen: which comes after which. */
export function nextZone(zone: string, browser: string, chosen: string | null): string {
  const zones = [UTC, browser, ...(chosen === null ? [] : [chosen])];
  const distinct = [...new Set(zones)];
  return distinct[(distinct.indexOf(zone) + 1) % distinct.length] ?? UTC;
}

const kept = (zone: string, browser: string) =>
  zone === UTC ? 'utc' : zone === browser ? 'browser' : zone;

/**
 * One zone for every time on the page: that of the address, else that of the person. The address
 * always says which, unless it is UTC, so that a link opens with the same words elsewhere.
 */
export function ZoneProvider({ children }: { children: ReactNode }) {
  const { preferences, prefer } = usePreferences();
  const browser = useBrowserZone();
  const asked = useSearchParams().get(ZONE_PARAM);
  const own = resolveZone(preferences.zone, browser);
  const zone = asked !== null && isZone(asked) ? asked : own;

  useSettledAddress();
  useEffect(() => {
    const wanted = zone === UTC ? null : zone;
    if (asked !== wanted) changeAddress({ [ZONE_PARAM]: wanted });
  }, [asked, zone]);

  const choose = (next: string) => {
    const name = resolveZone(next, browser);
    changeAddress({ [ZONE_PARAM]: name === UTC ? null : name });
    prefer({
      zone: kept(name, browser),
      ...(name !== UTC && name !== browser ? { otherZone: name } : {}),
    });
  };
  useShortcut('zone', () => choose(nextZone(zone, browser, preferences.otherZone)));

  return (
    <ChooserContext value={{ zone, browser, choose }}>
      <ZoneContext value={zone}>{children}</ZoneContext>
    </ChooserContext>
  );
}
