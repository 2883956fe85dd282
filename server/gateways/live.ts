import { CloseCode } from '@/lib/protocol/version';
import { LiveConnection } from './live/connection';
import type { LiveGatewayDeps } from './live/deps';
import { createFanOut } from './live/fan-out';
import { createPresence } from './live/presence';
import type { User } from '../auth/identity/sessions';
import type { SocketPort } from './socket';

export type LiveGateway = {
  readonly connections: number;
  /** `user`: whose cookie came with the upgrade. `settled`: once its ticket was good. */
  accept(socket: SocketPort, user: User, settled?: () => void): void;
  stop(): void;
};

export function createLiveGateway(deps: LiveGatewayDeps): LiveGateway {
  const connections = new Set<LiveConnection>();
  const shared = {
    fanOut: createFanOut(deps.feed, deps.clock),
    presence: createPresence(deps.clock),
  };
  let stopping = false;
  const leave = deps.bus.subscribe((publication) => {
    if (publication.type !== 'access_changed') return;
    for (const connection of connections) connection.accessChanged(publication.personId);
  });

  return {
    get connections() {
      return connections.size;
    },
    accept(socket, user, settled = () => undefined) {
      const connection: LiveConnection = new LiveConnection(socket, user, deps, shared, {
        settled,
        gone: () => connections.delete(connection),
      });
      connections.add(connection);
      if (stopping) connection.close(CloseCode.Restarting, 'the server restarts');
    },
    stop() {
      stopping = true;
      leave();
      shared.fanOut.stop();
      for (const connection of connections) {
        connection.close(CloseCode.Restarting, 'the server restarts');
      }
    },
  };
}
