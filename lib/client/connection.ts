/**
 * `stale` and `offline` carry the server instant of the last word. `refused` means that coming back
 * as we are would only be refused again.
 */
export type Connection =
  | { status: 'connecting' }
  | { status: 'live' }
  | { status: 'stale'; since: number }
  | { status: 'offline'; since: number | null; refused: boolean };

/** Silence after which we ask for a word (an idle server speaks every 5 s only). */
export const PING_AFTER_MS = 1_500;
/** Silence after which nothing on the screen may look live. */
export const STALE_AFTER_MS = 3_000;
/** Two heartbeats: the socket is dead whatever it says. */
export const DEAD_AFTER_MS = 10_000;
/** From here on a person should read "not connected", not "late". */
export const OFFLINE_AFTER_MS = 30_000;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;

/** Full jitter: anywhere between now and the exponential bound. */
export function reconnectDelay(attempt: number, random: number): number {
  return Math.round(random * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt));
}

export function sameConnection(a: Connection, b: Connection): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
