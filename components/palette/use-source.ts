'use client';

import { useMemo, useState } from 'react';
import { usePolicies } from '@/lib/client/command-queries';
import { useMe, usePeopleWhen } from '@/lib/client/people-queries';
import { useBreakerList, useOverrides, useServices } from '@/lib/client/use-live';
import { usePreferences } from '../shell/providers';
import { keysOf, SHORTCUTS, type ShortcutId } from '../shortcuts/catalogue';
import { useActiveShortcuts } from '../shortcuts/use-shortcut';
import type { Source } from './choose';
import {
  breakerItems,
  personItems,
  returnItems,
  serviceItems,
  targetItems,
  toEntry,
  verbItems,
  type Item,
} from './items';
import { readRecent } from './recent';

/** Means nothing from within the palette. */
const LEFT_OUT: readonly ShortcutId[] = ['palette', 'search', 'override', 'return'];

function useKeyItems(): Item[] {
  const { preferences } = usePreferences();
  const active = useActiveShortcuts();
  return SHORTCUTS.filter(({ id }) => active.includes(id) && !LEFT_OUT.includes(id)).map(
    ({ id, label, group }): Item => ({
      id: `key:${id}`,
      kind: group === 'Go to' ? 'Page' : 'Action',
      name: label,
      detail: '',
      act: { type: 'key', id },
      keys: keysOf(id, preferences.keys),
    }),
  );
}

const COPY_LINK: Item = {
  id: 'copy-link',
  kind: 'Action',
  name: 'Copy link to this view',
  detail: 'with filter, range and time zone',
  act: { type: 'copy-link' },
};

/** The fleet as it was when the palette opened: what is being chosen from must not move. */
export function useSource(): Source {
  const { data: me = null } = useMe();
  const isAdmin = me?.person.grants.some(({ role }) => role === 'admin') ?? false;
  const { data: people } = usePeopleWhen(isAdmin);
  const { data: policies } = usePolicies();
  const [rows] = useState(useBreakerList());
  const [services] = useState(useServices());
  const overrides = useOverrides();
  const keys = useKeyItems();
  const fleet = useMemo(
    () => [...breakerItems(rows), ...targetItems(rows), ...serviceItems(services)].map(toEntry),
    [rows, services],
  );
  const first = [...returnItems(overrides, me), ...keys, ...verbItems(me), COPY_LINK];
  const others = [...first, ...personItems(people?.people ?? [])];
  return {
    entries: [...others.map(toEntry), ...fleet],
    first,
    recent: me === null ? [] : readRecent(me.person.id),
    me,
    policies: policies?.policies ?? null,
  };
}
