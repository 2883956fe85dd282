export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const densities = ['comfortable', 'dense'] as const;
export type Density = (typeof densities)[number];

export type Preferences = { theme: Theme; density: Density };

/** Cookies, not local storage: the server renders the right theme, so none flashes. */
export const THEME_COOKIE = 'recloser-theme';
export const DENSITY_COOKIE = 'recloser-density';

const YEAR_S = 31_536_000;

function oneOf<T extends string>(values: readonly T[], value: string | undefined, otherwise: T): T {
  return values.find((known) => known === value) ?? otherwise;
}

export function readPreferences(cookie: (name: string) => string | undefined): Preferences {
  return {
    theme: oneOf(themes, cookie(THEME_COOKIE), 'system'),
    density: oneOf(densities, cookie(DENSITY_COOKIE), 'comfortable'),
  };
}

/** What <html> carries; `system` carries nothing and the style sheet follows the system. */
export function rootAttributes({ theme, density }: Preferences) {
  return {
    'data-density': density,
    ...(theme === 'system' ? {} : { 'data-theme': theme }),
  };
}

export function remember(preferences: Preferences): void {
  const root = document.documentElement;
  if (preferences.theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = preferences.theme;
  root.dataset['density'] = preferences.density;
  const rest = `; path=/; max-age=${YEAR_S}; samesite=lax`;
  document.cookie = `${THEME_COOKIE}=${preferences.theme}${rest}`;
  document.cookie = `${DENSITY_COOKIE}=${preferences.density}${rest}`;
}
