import type { Clock, LiveFeed, Logger } from '../../services/contract';

export type LiveGatewayDeps = {
  readonly feed: LiveFeed;
  readonly clock: Clock;
  readonly log: Logger;
  readonly newId: () => string;
};
