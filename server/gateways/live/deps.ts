import type { Bus } from '../../bus/port';
import type { User } from '../../auth/identity/sessions';
import type { Clock, LiveFeed, Logger } from '../../services/contract';

export type LiveGatewayDeps = {
  readonly feed: LiveFeed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly newId: () => string;
  /** [S-05] True once, for a ticket of that session. */
  readonly redeemTicket: (ticket: string, sessionId: string) => boolean;
  /** [S-10] The same session now; null when it has ended. */
  readonly refresh: (sessionId: string) => Promise<User | null>;
};
