/**
 * [S-21] How often somebody may try to prove who they are: by account and by address, with a wait
 * that grows with each failure in a row and never becomes a lockout.
 */
import type { Clock } from '../../services/contract';
import { RecloserError } from '../../services/errors';

const WINDOW_MS = 60_000;
const PER_ACCOUNT = 5;
const PER_ADDRESS = 20;
/** So many wrong ones in a row cost nothing: people mistype. */
const FREE_FAILURES = 2;
const LONGEST_WAIT_MS = 60_000;
/** Failures that are older are forgotten. */
const FORGET_MS = 15 * 60_000;
const MAX_KEYS = 20_000;

type Track = { times: number[]; failures: number; lastFailure: number };

export type Attempt = { succeeded(): void; failed(): void };

export type Attempts = {
  /** Throws `too_many` with `details.retryAfterMs`. An attempt counts when it begins. */
  begin(account: string, address: string | null): Attempt;
};

export function createAttempts(clock: Pick<Clock, 'mono'>): Attempts {
  const tracks = new Map<string, Track>();

  function trackOf(key: string, now: number): Track {
    const known = tracks.get(key);
    tracks.delete(key);
    const track = known ?? { times: [], failures: 0, lastFailure: 0 };
    track.times = track.times.filter((at) => now - at < WINDOW_MS);
    if (now - track.lastFailure > FORGET_MS) track.failures = 0;
    // The one used longest ago goes first.
    for (const oldest of tracks.keys()) {
      if (tracks.size < MAX_KEYS) break;
      tracks.delete(oldest);
    }
    tracks.set(key, track);
    return track;
  }

  function waitOf({ times, failures, lastFailure }: Track, limit: number, now: number): number {
    const [oldest = now] = times.slice(-limit);
    const full = times.length >= limit ? oldest + WINDOW_MS - now : 0;
    const over = failures - FREE_FAILURES;
    const grown = over <= 0 ? 0 : Math.min(LONGEST_WAIT_MS, 1_000 * 2 ** (over - 1));
    return Math.max(full, grown === 0 ? 0 : lastFailure + grown - now);
  }

  return {
    begin(account, address) {
      const now = clock.mono();
      const own = trackOf(`account ${account}`, now);
      const shared = trackOf(`address ${address ?? ''}`, now);
      // Many people may share an address: there only the rate counts.
      const wait = Math.max(
        waitOf(own, PER_ACCOUNT, now),
        waitOf({ ...shared, failures: 0 }, PER_ADDRESS, now),
      );
      if (wait > 0) {
        throw new RecloserError('too_many', 'Too many attempts; wait a little.', {
          details: { retryAfterMs: Math.ceil(wait) },
        });
      }
      own.times.push(now);
      shared.times.push(now);
      return {
        succeeded: () => {
          own.failures = 0;
        },
        failed: () => {
          own.failures += 1;
          own.lastFailure = clock.mono();
        },
      };
    },
  };
}
