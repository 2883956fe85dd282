const MAX_RECENT = 8;
const shelf = (personId: string) => `recloser-recent:${personId}`;

/** Ids of what this person chose here lately, newest first. */
export function readRecent(personId: string): string[] {
  try {
    const value: unknown = JSON.parse(window.localStorage.getItem(shelf(personId)) ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export const withRecent = (recent: readonly string[], id: string): string[] =>
  [id, ...recent.filter((other) => other !== id)].slice(0, MAX_RECENT);

export function keepRecent(personId: string, id: string): void {
  try {
    const recent = withRecent(readRecent(personId), id);
    window.localStorage.setItem(shelf(personId), JSON.stringify(recent));
  } catch {
    // Storage that is full or forbidden costs the order of the next list, nothing else.
  }
}
