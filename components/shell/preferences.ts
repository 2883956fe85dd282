import { isShortcutId, type KeyChanges } from '../shortcuts/catalogue';
import { chordsOf } from '../shortcuts/chord';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const densities = ['comfortable', 'dense'] as const;
export type Density = (typeof densities)[number];

export type Preferences = {
  theme: Theme;
  density: Density;
  /** `utc`, `browser`, or a zone of the IANA list. */
  zone: string;
  /** The zone chosen last beside these two; null when none was. */
  otherZone: string | null;
  /** Whether keys without Ctrl or Cmd do anything. */
  singleKeys: boolean;
  keys: KeyChanges;
  /** The query of the fleet page that this person starts with; empty is the whole fleet. */
  landing: string;
};

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  density: 'comfortable',
  zone: 'utc',
  otherZone: null,
  singleKeys: true,
  keys: {},
  landing: '',
};

/** A cookie, not local storage: the server renders the right theme, so none flashes. */
export const PREFERENCES_COOKIE = 'recloser-preferences';

const YEAR_S = 31_536_000;
const MAX_LANDING = 500;
/** Longer than the longest zone of the IANA list. */
const ZONE = /^[A-Za-z][\w+\-/]{1,60}$/;

function oneOf<T extends string>(values: readonly T[], value: unknown, otherwise: T): T {
  return values.find((known) => known === value) ?? otherwise;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readZone = (value: unknown): string | null =>
  typeof value === 'string' && ZONE.test(value) ? value : null;

function readKeys(value: unknown): KeyChanges {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter(
      ([id, keys]) =>
        isShortcutId(id) && typeof keys === 'string' && [1, 2].includes(chordsOf(keys).length),
    ),
  );
}

/** Whatever stands there, preferences come out: what cannot be read is as if never chosen. */
export function readPreferences(value: unknown): Preferences {
  const given = isObject(value) ? value : {};
  const { landing } = given;
  return {
    theme: oneOf(themes, given['theme'], DEFAULT_PREFERENCES.theme),
    density: oneOf(densities, given['density'], DEFAULT_PREFERENCES.density),
    zone: readZone(given['zone']) ?? DEFAULT_PREFERENCES.zone,
    otherZone: readZone(given['otherZone']),
    singleKeys: given['singleKeys'] !== false,
    keys: readKeys(given['keys']),
    landing: typeof landing === 'string' && landing.length <= MAX_LANDING ? landing : '',
  };
}

export function parsePreferences(text: string | null | undefined): Preferences {
  try {
    return readPreferences(JSON.parse(text ?? ''));
  } catch {
    return DEFAULT_PREFERENCES;
  }
}

/** What <html> carries; `system` carries nothing and the style sheet follows the system. */
export function rootAttributes({ theme, density }: Preferences) {
  return {
    'data-density': density,
    ...(theme === 'system' ? {} : { 'data-theme': theme }),
  };
}

const shelf = (personId: string) => `${PREFERENCES_COOKIE}:${personId}`;

function show(preferences: Preferences): void {
  const root = document.documentElement;
  if (preferences.theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = preferences.theme;
  root.dataset['density'] = preferences.density;
}

/**
 * The cookie is what this browser shows now. The shelf keeps what each person chose on it, so that
 * two people at one screen do not change each other's console.
 */
export function remember(preferences: Preferences, personId: string | null): void {
  const text = JSON.stringify(preferences);
  show(preferences);
  document.cookie = `${PREFERENCES_COOKIE}=${encodeURIComponent(text)}; path=/; max-age=${YEAR_S}; samesite=lax`;
  try {
    if (personId !== null) window.localStorage.setItem(shelf(personId), text);
  } catch {
    // Storage that is full or forbidden costs the memory of the next visit, nothing now.
  }
}

/** What this person chose on this device before; null when never. */
export function recall(personId: string): Preferences | null {
  try {
    const text = window.localStorage.getItem(shelf(personId));
    return text === null ? null : parsePreferences(text);
  } catch {
    return null;
  }
}
