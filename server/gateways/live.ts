import { CloseCode } from '@/lib/protocol/version';
import { LiveConnection } from './live/connection';
import type { LiveGatewayDeps } from './live/deps';
import { createFanOut } from './live/fan-out';
import type { SocketPort } from './socket';

export type LiveGateway = {
  readonly connections: number;
  accept(socket: SocketPort): void;
  stop(): void;
};

export function createLiveGateway(deps: LiveGatewayDeps): LiveGateway {
  const connections = new Set<LiveConnection>();
  const fanOut = createFanOut(deps.feed);
  let stopping = false;

  return {
    get connections() {
      return connections.size;
    },
    accept(socket) {
      const connection: LiveConnection = new LiveConnection(socket, deps, fanOut, () =>
        connections.delete(connection),
      );
      connections.add(connection);
      if (stopping) connection.close(CloseCode.Restarting, 'the server restarts');
    },
    stop() {
      stopping = true;
      fanOut.stop();
      for (const connection of connections) {
        connection.close(CloseCode.Restarting, 'the server restarts');
      }
    },
  };
}
