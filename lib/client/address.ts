type Changes = Readonly<Record<string, string | null>>;

/** The query with these parts set, or taken away where null; all other parts stay. */
export function withParams(search: string, changes: Changes): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name);
    else params.set(name, value);
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

type Place = { readonly pathname: string; readonly query: string };

/** Own changes that the router has not drawn yet, oldest first. */
let pending: Place[] = [];

const queryOf = (search: string): string => new URLSearchParams(search).toString();

/**
 * What the address says once all that was written is drawn, from `?` on, or nothing. The location is
 * no answer to build on: while the router draws an older one, it puts that back for a moment.
 */
export function searchNow(): string {
  const { pathname, search } = window.location;
  const last = pending.at(-1);
  if (last?.pathname !== pathname) return search;
  return last.query === '' ? '' : `?${last.query}`;
}

/** A step of its own in the history of the browser, so that "back" undoes it; or a correction. */
export type Step = 'push' | 'replace';

/** The page stays, and is told by the router. Nothing on the server depends on it. */
export function writeSearch(search: string, step: Step = 'replace'): void {
  const { pathname, hash } = window.location;
  const query = queryOf(search);
  if (query === queryOf(searchNow())) return;
  pending.push({ pathname, query });
  const address = pathname + (query === '' ? '' : `?${query}`) + hash;
  if (step === 'push') window.history.pushState(null, '', address);
  else window.history.replaceState(null, '', address);
}

/** The router has drawn this one: an own one with those before it, or one that somebody else asked for. */
export function settleAddress(pathname: string, query: string): void {
  const own = pending.findIndex((one) => one.pathname === pathname && one.query === query);
  pending = own === -1 ? [] : pending.slice(own + 1);
}

/**
 * Writes what is being looked at into the address, beside what others keep there. It replaces the
 * entry of the history: the way back leads to the page before, not to the view before.
 */
export function changeAddress(changes: Changes): void {
  writeSearch(withParams(searchNow(), changes));
}
