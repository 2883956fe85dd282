/** [S-05] One-use tickets for the live socket: what a page of another origin cannot have. */
import { randomBytes } from 'node:crypto';
import type { LiveTicketBody } from '@/lib/protocol/people';
import type { Clock } from '../../services/contract';
import { sha256Hex } from '../sha256';

const LIFE_MS = 30_000;
const BYTES = 16;
const MAX_OPEN = 5_000;

type Open = { readonly sessionId: string; readonly until: number };

export type Tickets = {
  issue(sessionId: string): LiveTicketBody;
  /** True once, for the session that it was made for, in time. */
  redeem(ticket: string, sessionId: string): boolean;
};

export function createTickets(clock: Pick<Clock, 'mono'>): Tickets {
  const open = new Map<string, Open>();

  function forgetOld(): void {
    const now = clock.mono();
    // In the order made, so the first that is good ends the search.
    for (const [hash, { until }] of open) {
      if (until > now && open.size < MAX_OPEN) break;
      open.delete(hash);
    }
  }

  return {
    issue(sessionId) {
      forgetOld();
      const ticket = randomBytes(BYTES).toString('base64url');
      open.set(sha256Hex(ticket), { sessionId, until: clock.mono() + LIFE_MS });
      return { ticket, expiresInMs: LIFE_MS };
    },
    redeem(ticket, sessionId) {
      const hash = sha256Hex(ticket);
      const found = open.get(hash);
      // Whoever presents it, it is used up.
      open.delete(hash);
      return found !== undefined && found.until > clock.mono() && found.sessionId === sessionId;
    },
  };
}
