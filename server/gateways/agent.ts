import type { Bus } from '../bus/port';
import { CloseCode } from '@/lib/protocol/version';
import { AgentConnection } from './agent/connection';
import type { AgentGatewayDeps, AgentToken } from './agent/deps';
import { INGEST_BUDGET_BYTES } from './agent/limits';
import { createBudget } from './budget';
import { createRecentSet } from './recent-set';
import type { SocketPort } from './socket';

export type { AgentGatewayDeps } from './agent/deps';

export type AgentGateway = {
  readonly connections: number;
  /**
   * The token has been looked up for this very handshake. Resolves when the connection is over and
   * what came over it has been dealt with.
   */
  accept(socket: SocketPort, token: AgentToken): Promise<void>;
  stop(): Promise<void>;
};

/** Everybody coming back within a second is what a restart must not cause. */
const RETURN_RATE_PER_SECOND = 250;
const MIN_RETURN_SPREAD_MS = 2_000;
const FIRST_RETURN_MS = 500;

export function createAgentGateway(deps: AgentGatewayDeps): AgentGateway {
  const connections = new Set<AgentConnection>();
  const budget = createBudget(INGEST_BUDGET_BYTES);
  // A token can be revoked between its lookup and the end of the handshake.
  const revoked = createRecentSet(1_000);
  let stopping = false;

  const unsubscribe = deps.bus.subscribe((publication) => hear(publication));

  function hear(publication: Parameters<Parameters<Bus['subscribe']>[0]>[0]): void {
    if (publication.type === 'token_revoked') {
      revoked.add(publication.tokenId);
      for (const connection of connections) {
        if (connection.token.id === publication.tokenId) {
          connection.close(CloseCode.Unauthorized, 'the token was revoked');
        }
      }
    } else if (publication.type === 'checkpoint') {
      for (const connection of connections) connection.checkpoint(publication.checkpoint);
    } else if (publication.type === 'desired') {
      const wanted = new Set(publication.instanceIds);
      for (const connection of connections) {
        if (connection.instanceId !== null && wanted.has(connection.instanceId)) {
          connection.desiredChanged();
        }
      }
    }
  }

  function accept(socket: SocketPort, token: AgentToken): Promise<void> {
    const connection = new AgentConnection(socket, token, { ...deps, budget });
    connections.add(connection);
    const done = connection.done.then(() => void connections.delete(connection));
    if (stopping) connection.close(CloseCode.Restarting, 'the server restarts');
    if (revoked.has(token.id)) connection.close(CloseCode.Unauthorized, 'the token was revoked');
    return done;
  }

  async function stop(): Promise<void> {
    stopping = true;
    unsubscribe();
    const spreadMs = Math.max(
      MIN_RETURN_SPREAD_MS,
      (connections.size / RETURN_RATE_PER_SECOND) * 1000,
    );
    await Promise.all(
      [...connections].map((connection) =>
        connection.restart(Math.round(FIRST_RETURN_MS + deps.random() * spreadMs)),
      ),
    );
  }

  return {
    get connections() {
      return connections.size;
    },
    accept,
    stop,
  };
}
