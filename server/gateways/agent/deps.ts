import type { CommandSigner } from './sign-desired';
import type { Bus } from '../../bus/port';
import type { Agents, AgentSession, Clock, Logger } from '../../services/contract';
import type { Budget } from '../budget';

export type AgentGatewayDeps = {
  readonly agents: Agents;
  /** Names this start of the server to its peers. */
  readonly serverEpoch: string;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** 0 (inclusive) to 1. */
  readonly random: () => number;
  readonly newId: () => string;
  /** [S-09] Signs commands for agents that ask for it; left out: they get none that they obey. */
  readonly commandSigner?: CommandSigner;
};

/** What is known of the token that opened a connection. */
export type AgentToken = AgentSession['token'];

export type AgentConnectionDeps = AgentGatewayDeps & { readonly budget: Budget };
