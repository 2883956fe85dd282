import { basisPoints } from '../checks';

const WHOLE = 10_000;

/** How many endpoints of `total` may be missing. At least one, unless the share is 0. */
export function maxEjected(share: number, total: number): number {
  // Half a basis point of room: 0.29 of 100 is a little less than 29 in binary.
  return share === 0 ? 0 : Math.max(1, Math.floor((basisPoints(share) * total) / WHOLE));
}

/** In basis points of one endpoint; `shares` are what each takes of its turns, 0 to 1. */
export function missing(shares: readonly number[]): number {
  return shares.reduce((total, share) => total + WHOLE - basisPoints(share), 0);
}

/** More is missing than allowed, or everything is. */
export function isPanic(missingBp: number, total: number, cap: number): boolean {
  return missingBp > cap * WHOLE || missingBp >= total * WHOLE;
}

/**
 * Of the turns that fall on endpoints which do not take them, the part in basis points that those
 * in service take over during panic. With it each of them carries as much as if exactly the cap
 * were missing, and never more: 1 / (total − cap) of all calls.
 */
export function takenOver(total: number, serving: number, cap: number): number {
  const others = total - serving;
  const full = total - cap;
  if (serving === 0) return 0;
  return Math.min(WHOLE, Math.floor((serving * cap * WHOLE) / (full * others)));
}
