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

/**
 * Writes what is being looked at into the address, beside what others keep there. It replaces the
 * entry of the history: the way back leads to the page before, not to the view before.
 */
export function changeAddress(changes: Changes): void {
  const { pathname, search, hash } = window.location;
  const next = withParams(search, changes);
  if (next !== search) window.history.replaceState(null, '', pathname + next + hash);
}
