/**
 * Every key of the console in one table. A page gives a key its meaning with `useShortcut(id, run)`;
 * help, the palette and the settings read this table. Keys that work inside a focused list or chart
 * only (arrows, j, k) belong to that list, and are named in `LIST_KEYS` for the help.
 */
export type ShortcutGroup = 'Anywhere' | 'Go to' | 'Act' | 'Look';

type Entry = {
  /** One key, `Mod+` and a key, or two keys in a row: `?`, `Mod+k`, `g f`. */
  readonly keys: string;
  readonly label: string;
  readonly group: ShortcutGroup;
};

const TABLE = {
  palette: { keys: 'Mod+k', label: 'Search everything', group: 'Anywhere' },
  help: { keys: '?', label: 'Show these keys', group: 'Anywhere' },
  search: { keys: '/', label: 'Go to the search field', group: 'Anywhere' },
  pause: { keys: 'p', label: 'Pause or resume updates', group: 'Anywhere' },
  zone: { keys: 't', label: 'Next time zone', group: 'Anywhere' },

  'go.fleet': { keys: 'g f', label: 'Fleet', group: 'Go to' },
  'go.services': { keys: 'g s', label: 'Services', group: 'Go to' },
  'go.overrides': { keys: 'g o', label: 'Overrides', group: 'Go to' },
  'go.audit': { keys: 'g a', label: 'Audit', group: 'Go to' },
  'go.wall': { keys: 'g w', label: 'Wall', group: 'Go to' },
  'go.profile': { keys: 'g p', label: 'Profile and settings', group: 'Go to' },

  override: {
    keys: 'o',
    label: 'Override this breaker, or the row under the cursor',
    group: 'Act',
  },
  return: { keys: 'r', label: 'Return to automatic', group: 'Act' },

  density: { keys: 'd', label: 'Dense or comfortable rows', group: 'Look' },
  layout: { keys: 'v', label: 'Table or tiles', group: 'Look' },
  order: { keys: 'n', label: 'Apply the new order', group: 'Look' },
  chartTable: { keys: 'y', label: 'Charts as a table', group: 'Look' },
} as const satisfies Record<string, Entry>;

export type ShortcutId = keyof typeof TABLE;
export type Shortcut = Entry & { readonly id: ShortcutId };
/** What a person has changed; the rest are the keys of the table. */
export type KeyChanges = Readonly<Partial<Record<ShortcutId, string>>>;

export const isShortcutId = (text: string): text is ShortcutId => Object.hasOwn(TABLE, text);

export const SHORTCUTS: readonly Shortcut[] = Object.entries(TABLE).flatMap(([id, entry]) =>
  isShortcutId(id) ? [{ id, ...entry }] : [],
);

export const keysOf = (id: ShortcutId, changes: KeyChanges = {}): string =>
  changes[id] ?? TABLE[id].keys;

export const LIST_KEYS: readonly { readonly keys: readonly string[]; readonly label: string }[] = [
  { keys: ['↓', 'j'], label: 'Next row' },
  { keys: ['↑', 'k'], label: 'Row before' },
  { keys: ['Home', 'End'], label: 'First and last row' },
  { keys: ['Page Up', 'Page Down'], label: 'A screen of rows' },
  { keys: ['Enter'], label: 'Open' },
  { keys: ['Space'], label: 'Select' },
  { keys: ['x'], label: 'Select from the last one to here' },
];
