import type { OverrideEntry } from '../fleet/entries';

/** How long a restarted or a new instance has for its answer. */
export const REAPPLY_WITHIN_MS = 30_000;

/** Until when it may be applied for the first time at this instance, on the monotonic clock. */
export function deliverByMono(entry: OverrideEntry, instanceId: string): number {
  return entry.targetsMono.get(instanceId) ?? entry.deliverByMono;
}
