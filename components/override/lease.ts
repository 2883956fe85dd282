import { formatClock, formatInstant, formatLocal } from '@/components/ui/format';
import type { Kind } from './kinds';

const MINUTE_MS = 60_000;
/** Repeats the protocol's numbers: importing them would bring its schemas into the browser. */
export const LEASES_MS = [5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
export const FORCE_CLOSED_MAX_MS = 30 * MINUTE_MS;
export const DEFAULT_LEASE_MS = 15 * MINUTE_MS;
export const BREAK_GLASS_REASON_MIN = 20;
export const BREAK_GLASS_MAX_MS = 30 * MINUTE_MS;
export const START_AHEAD_MAX_MS = 7 * 24 * 60 * MINUTE_MS;

export function leasesFor(kind: Kind, breakGlass = false): number[] {
  if (kind === 'reset') return [];
  const most = breakGlass ? BREAK_GLASS_MAX_MS : Infinity;
  return LEASES_MS.filter(
    (lease) => lease <= most && (kind !== 'force_closed' || lease <= FORCE_CLOSED_MAX_MS),
  );
}

export const minutes = (ms: number): string => `${Math.round(ms / MINUTE_MS)} min`;

/** The absolute end in two zones, so that nobody has to add in the head. */
export function endsText(from: number, leaseMs: number, offsetMinutes?: number): string {
  const end = from + leaseMs;
  return `Ends ${formatClock(end)}, here ${formatLocal(end, offsetMinutes).slice(11)}`;
}

/** A start is often on another day: both zones with their dates. */
export const startsText = (at: number, offsetMinutes?: number): string =>
  `Starts ${formatInstant(at)}, here ${formatLocal(at, offsetMinutes)}`;

/** `text` as a `datetime-local` field gives it, which is in the zone of the browser. */
export function startError(text: string, now: number): string | null {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return 'Choose a day and a time, or start now.';
  if (at <= now) return 'This has passed. Choose a later time, or start now.';
  return at - now > START_AHEAD_MAX_MS ? 'At most seven days ahead.' : null;
}

/** What a `datetime-local` field starts with: an hour from now, on the minute, in local time. */
export function soonLocal(now: number, offsetMinutes = -new Date(now).getTimezoneOffset()): string {
  const at = Math.ceil((now + 60 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS;
  return new Date(at + offsetMinutes * MINUTE_MS).toISOString().slice(0, 16);
}
