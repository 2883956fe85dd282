/** [S-21] How often in any minute something may be done, by whoever a key names. */
import type { Clock } from './contract';
import { RecloserError } from './errors';

export const MINUTE_MS = 60_000;

export type RateLimit = {
  /** Throws `too_many` with `details.retryAfterMs` when nothing is left. */
  check(key: string): void;
  count(key: string): void;
};

/** `refusal` is what the person reads. Times are kept in memory and begin anew with the server. */
export function createRateLimit(
  clock: Pick<Clock, 'mono'>,
  limit: { readonly perMinute: number; readonly refusal: string },
): RateLimit {
  const { perMinute, refusal } = limit;
  const uses = new Map<string, number[]>();
  const recent = (key: string, now: number): number[] =>
    (uses.get(key) ?? []).filter((at) => now - at < MINUTE_MS);
  return {
    check(key) {
      const now = clock.mono();
      const times = recent(key, now);
      if (times.length < perMinute) return;
      const [oldest = now] = times.slice(-perMinute);
      throw new RecloserError('too_many', refusal, {
        details: { retryAfterMs: Math.ceil(oldest + MINUTE_MS - now) },
      });
    },
    count(key) {
      const now = clock.mono();
      for (const other of uses.keys()) {
        if (recent(other, now).length === 0) uses.delete(other);
      }
      uses.set(key, [...recent(key, now), now]);
    },
  };
}
