/** Named looks of the fleet page: a name and the query that brings it. */
export type SavedView = { readonly name: string; readonly query: string };

export const BUILT_IN: readonly SavedView[] = [
  { name: 'All breakers', query: '' },
  { name: 'What is wrong', query: '?state=open,recovering,forced' },
  { name: 'By target', query: '?group=target' },
  { name: 'By service, as tiles', query: '?view=tiles&group=service' },
];

export const MAX_NAME = 60;
const MAX_VIEWS = 50;
const MAX_QUERY = 4_000;

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, query } = value as { name?: unknown; query?: unknown };
  return (
    typeof name === 'string' &&
    name.length > 0 &&
    name.length <= MAX_NAME &&
    typeof query === 'string' &&
    query.length <= MAX_QUERY &&
    (query === '' || query.startsWith('?'))
  );
}

/** Whatever is not a view is left out: the store of a browser may hold anything. */
export function readViews(text: string | null): SavedView[] {
  if (text === null) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isView).slice(0, MAX_VIEWS) : [];
  } catch {
    return [];
  }
}

/** A view with the same name is replaced. Null when the name cannot be used. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] | null {
  const name = view.name.trim();
  const next = { name, query: view.query };
  if (!isView(next) || BUILT_IN.some((one) => one.name === name)) return null;
  const others = views.filter((one) => one.name !== name);
  return others.length >= MAX_VIEWS ? null : [...others, next];
}
