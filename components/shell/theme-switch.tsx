'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useMedia } from '../fleet/use-media';
import { IconButton } from '../ui/button';
import { MenuItem } from '../ui/menu';
import { themes, type Theme } from './preferences';
import { usePreferences } from './providers';
import styles from './top-bar.module.css';

const ICONS = { system: Monitor, light: Sun, dark: Moon };
const WORDS: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' };

function after(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
}

function useThemeStep() {
  const { preferences, prefer } = usePreferences();
  const { theme } = preferences;
  const next = after(theme);
  return {
    Icon: ICONS[theme],
    label: `Theme: ${WORDS[theme]}. Switch to ${WORDS[next]}`,
    step: () => prefer({ theme: next }),
  };
}

/** One button through three choices; its name says where it is and where it goes. */
export function ThemeSwitch() {
  const { Icon, label, step } = useThemeStep();
  return (
    <span className={styles.wide}>
      <IconButton label={label} onClick={step}>
        <Icon aria-hidden="true" />
      </IconButton>
    </span>
  );
}

/** The same on a phone, whose bar has no room for the button. */
export function ThemeItem() {
  const { Icon, label, step } = useThemeStep();
  const isPhone = useMedia('(max-width: 640px)');
  if (!isPhone) return null;
  return (
    <MenuItem icon={<Icon size={14} />} stays onSelect={step}>
      {label}
    </MenuItem>
  );
}
