'use client';

import { useEffect, useMemo, useState } from 'react';
import { usePreferences } from '../shell/providers';
import type { Layout } from './address';
import { useMedia } from './use-media';

const ROW_PX = { comfortable: 40, dense: 28 };
const GROUP_PX = { comfortable: 36, dense: 30 };
const CARD_PX = 104;
const TILE_PX = { comfortable: 78, dense: 68 };
const TILE_WIDTH_PX = 190;
const PHONE_TILE_WIDTH_PX = 150;

export type Shape = {
  readonly layout: 'table' | 'cards' | 'tiles';
  /** Breakers side by side. */
  readonly columns: number;
  readonly rowPx: number;
  readonly groupPx: number;
};

/** How the list is laid out here: on a phone the table becomes cards. */
export function useShape(layout: Layout) {
  // State, not a ref: the list comes and goes with what is in it.
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const { preferences } = usePreferences();
  const phone = useMedia('(max-width: 640px)');
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (frame === null) return undefined;
    // Called once right after it begins to observe, before the first paint.
    const observer = new ResizeObserver(() => setWidth(frame.clientWidth));
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame]);

  const { density } = preferences;
  const shape = useMemo((): Shape => {
    const groupPx = phone ? 44 : GROUP_PX[density];
    if (layout === 'tiles') {
      const tile = phone ? PHONE_TILE_WIDTH_PX : TILE_WIDTH_PX;
      const columns = Math.max(1, Math.floor(width / tile));
      return { layout, columns, rowPx: TILE_PX[density], groupPx };
    }
    return phone
      ? { layout: 'cards', columns: 1, rowPx: CARD_PX, groupPx }
      : { layout: 'table', columns: 1, rowPx: ROW_PX[density], groupPx };
  }, [layout, phone, density, width]);
  return { frame, setFrame, shape };
}
