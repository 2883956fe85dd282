'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { IconButton } from '../ui/button';
import { themes, type Theme } from './preferences';
import { usePreferences } from './providers';

const ICONS = { system: Monitor, light: Sun, dark: Moon };
const WORDS: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' };

function after(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
}

/** One button through three choices; its name says where it is and where it goes. */
export function ThemeSwitch() {
  const { preferences, prefer } = usePreferences();
  const { theme } = preferences;
  const next = after(theme);
  const Icon = ICONS[theme];
  return (
    <IconButton
      label={`Theme: ${WORDS[theme]}. Switch to ${WORDS[next]}`}
      onClick={() => prefer({ theme: next })}
    >
      <Icon aria-hidden="true" />
    </IconButton>
  );
}
