import { formatClock, formatLocal } from '@/components/ui/format';
import type { Kind } from './kinds';

const MINUTE_MS = 60_000;
/** Repeats the protocol's presets: importing them would bring its schemas into the browser. */
export const LEASES_MS = [5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
export const FORCE_CLOSED_MAX_MS = 30 * MINUTE_MS;
export const DEFAULT_LEASE_MS = 15 * MINUTE_MS;

export function leasesFor(kind: Kind): number[] {
  if (kind === 'reset') return [];
  return LEASES_MS.filter((lease) => kind !== 'force_closed' || lease <= FORCE_CLOSED_MAX_MS);
}

export const minutes = (ms: number): string => `${Math.round(ms / MINUTE_MS)} min`;

/** The absolute end in two zones, so that nobody has to add in the head. */
export function endsText(now: number, leaseMs: number, offsetMinutes?: number): string {
  const end = now + leaseMs;
  return `Ends ${formatClock(end)}, here ${formatLocal(end, offsetMinutes).slice(11)}`;
}
