/** How long after the last key the list still belongs to the hand. */
export const KEY_HOLD_MS = 5_000;

export type Hand = { pointerInside: boolean; focusInside: boolean; lastKeyAt: number | null };

export function isHeld(hand: Hand, now: number): boolean {
  const recentKey = hand.lastKeyAt !== null && now - hand.lastKeyAt < KEY_HOLD_MS;
  return hand.pointerInside || hand.focusInside || recentKey;
}

/** The order under the hand: nothing moves, what is gone leaves, what is new waits at the end. */
export function keepOrder(held: readonly string[], wanted: readonly string[]): string[] {
  const still = new Set(wanted);
  const kept = held.filter((id) => still.delete(id));
  return [...kept, ...wanted.filter((id) => still.has(id))];
}

export function sameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
