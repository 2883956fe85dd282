import type { BreakerPatch } from '../protocol/live-frames';
import type { BreakerView } from '../protocol/views';

/** The fields that changed; null when none did. A breaker that is new comes whole. */
export function diffBreaker(
  before: BreakerView | undefined,
  after: BreakerView,
): BreakerPatch | null {
  if (before === undefined) return after;
  const was: Readonly<Record<string, unknown>> = before;
  const changed = Object.entries(after).filter(([key, value]) => !sameValue(was[key], value));
  if (changed.length === 0) return null;
  return { ...(Object.fromEntries(changed) as Partial<BreakerView>), id: after.id };
}

/** Equality of plain JSON values. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keysA = Object.keys(a);
  const keysB = Object.keys(b);
  if (keysA.length !== keysB.length) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  return keysA.every((key) => Object.hasOwn(b, key) && sameValue(left[key], right[key]));
}
