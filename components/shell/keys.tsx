'use client';

import { useRouter } from 'next/navigation';
import { ShortcutHelpKey } from '../shortcuts/help-dialog';
import { useShortcut, useShortcutListener } from '../shortcuts/use-shortcut';
import { useLanding } from './landing';
import { densities } from './preferences';
import { usePreferences } from './providers';

/** The keys that mean the same on every page. */
export function ShellKeys() {
  const router = useRouter();
  const { preferences, prefer } = usePreferences();
  useShortcutListener();
  useLanding();
  useShortcut('go.fleet', () => router.push('/'));
  useShortcut('go.services', () => router.push('/services'));
  useShortcut('go.overrides', () => router.push('/overrides'));
  useShortcut('go.audit', () => router.push('/audit'));
  useShortcut('go.wall', () => router.push('/wall'));
  useShortcut('go.profile', () => router.push('/settings/profile'));
  useShortcut('density', () => {
    const other = densities.find((density) => density !== preferences.density);
    if (other !== undefined) prefer({ density: other });
  });
  return <ShortcutHelpKey />;
}
