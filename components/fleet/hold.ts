/** How long after the last key the list still belongs to the hand. */
export const KEY_HOLD_MS = 5_000;

export type Hand = { pointerInside: boolean; focusInside: boolean; lastKeyAt: number | null };

export function isHeld(hand: Hand, now: number): boolean {
  const recentKey = hand.lastKeyAt !== null && now - hand.lastKeyAt < KEY_HOLD_MS;
  return hand.pointerInside || hand.focusInside || recentKey;
}

type Known = {
  /** Whether it is still there at all, listed or not. */
  readonly exists: (id: string) => boolean;
  /** False where a new row would push others away: it waits for the new order then. */
  readonly append: boolean;
};

/**
 * The order under the hand: nothing moves. A row that no longer matches stays until the hand is
 * gone, one that no longer exists leaves, and what is new waits at the end.
 */
export function keepOrder(
  held: readonly string[],
  wanted: readonly string[],
  { exists, append }: Known,
): string[] {
  const fresh = new Set(wanted);
  const kept = new Set<string>();
  for (const id of held) if (fresh.delete(id) || exists(id)) kept.add(id);
  return append ? [...kept, ...fresh] : [...kept];
}

export function sameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

/** Gives the earlier of two equal lists, so that what hangs on it is not computed again. */
export function stableOrder(): (ids: readonly string[]) => readonly string[] {
  let kept: readonly string[] = [];
  return (ids) => {
    if (!sameOrder(kept, ids)) kept = ids;
    return kept;
  };
}
