const BASE_MS = 500;
const CAP_MS = 30_000;
/** Longest wait that a server can ask for. */
const MAX_HINT_MS = 600_000;

/** A refusal that will repeat: retried only this slowly. */
export const PERMANENT_RETRY_MS = 300_000;
/** A connection that lived this long after its `welcome` ends the backoff. */
export const HEALTHY_MS = 60_000;

/** Full jitter: uniform between nothing and the doubled, capped delay. */
export function backoffDelay(attempt: number, random: () => number): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempt, 30));
  return random() * ceiling;
}

/** The server's own wait wins over the backoff; up to a second more keeps a crowd apart. */
export function hintedDelay(retryAfterMs: number, random: () => number): number {
  return Math.min(retryAfterMs, MAX_HINT_MS) + random() * 1000;
}

/** A tenth more at most, so that many refused agents do not return together. */
export function permanentDelay(random: () => number): number {
  return PERMANENT_RETRY_MS * (1 + random() / 10);
}
