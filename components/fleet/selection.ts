/** What is selected, and where a range starts. Ids only: a row keeps its mark wherever it moves. */
export type Selection = { readonly ids: ReadonlySet<string>; readonly anchor: string | null };

export const NO_SELECTION: Selection = { ids: new Set(), anchor: null };

export function toggle(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id };
}

/** Adds everything from the anchor to `id` in the order shown; without an anchor only `id`. */
export function extendTo(selection: Selection, id: string, shown: readonly string[]): Selection {
  const to = shown.indexOf(id);
  const from = selection.anchor === null ? to : shown.indexOf(selection.anchor);
  if (to === -1) return selection;
  if (from === -1) return toggle({ ...selection, anchor: null }, id);
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor ?? id };
}

export const selectAll = (shown: readonly string[]): Selection => ({
  ids: new Set(shown),
  anchor: shown[0] ?? null,
});

/** Without those that are gone; the same object when nothing was. */
export function keepExisting(selection: Selection, exists: (id: string) => boolean): Selection {
  const ids = [...selection.ids].filter(exists);
  return ids.length === selection.ids.size ? selection : { ...selection, ids: new Set(ids) };
}
