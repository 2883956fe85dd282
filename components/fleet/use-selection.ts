'use client';

import { useMemo, useState } from 'react';
import { liveClient } from '@/lib/client/live';
import type { Selecting } from './list-keys';
import { extendTo, keepExisting, NO_SELECTION, selectAll, toggle } from './selection';

const exists = (id: string) => liveClient().store.breaker(id) !== null;

/** Selected breakers stay selected while they are filtered out; those that are gone are let go. */
export function useSelection(shown: readonly string[]) {
  const [held, setHeld] = useState(NO_SELECTION);
  const selection = useMemo(
    () => keepExisting(held, exists),
    // Who exists is asked again whenever the list changes.
    // oxlint-disable-next-line react/exhaustive-deps
    [held, shown],
  );
  const selecting = useMemo(
    (): Selecting => ({
      toggle: (id) => setHeld((before) => toggle(before, id)),
      extend: (id) => setHeld((before) => extendTo(before, id, shown)),
      all: () => setHeld(selectAll(shown)),
      none: () => setHeld(NO_SELECTION),
      some: selection.ids.size > 0,
    }),
    [shown, selection.ids.size],
  );
  return { selected: selection.ids, selecting };
}
