/** [S-20] Many who have begun a request and do not go on. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { hello } from '@/tests/gateways/agent-frames';
import { GOOD_TOKEN } from '@/tests/server/fakes/services';
import { ask, startFake } from '@/tests/server/fakes/server';

const MANY = 1_000;
const HEADER_LIMIT_MS = 10_000;

const PARTS = [
  (host: string) => `GET /api/fleet HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `,
  // In the middle of a handshake.
  (host: string) =>
    `GET /ws/agent HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuth`,
  () => 'P',
];

it(
  '[S-20] 1,000 half-open sockets keep nobody else waiting, and are ended after 10 s',
  { timeout: 60_000 },
  async () => {
    const server = await startFake();
    onTestFinished(async () => void (await server.close()));
    let ended = 0;
    const sockets = Array.from({ length: MANY }, (_, index): Socket => {
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(PARTS[index % PARTS.length]?.(server.host) ?? '');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => (ended += 1));
      socket.resume();
      return socket;
    });
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const openedAt = performance.now();

    for (let time = 0; time < 10; time += 1) {
      expect((await ask(server.port, '/api/fleet')).status).toBe(200);
    }
    const agent = new WebSocket(`ws://${server.host}/ws/agent`, 'recloser.agent.v1', {
      headers: { authorization: `Bearer ${GOOD_TOKEN}` },
    });
    onTestFinished(() => agent.terminate());
    await once(agent, 'open');
    agent.send(JSON.stringify(hello()));
    await once(agent, 'message');
    // Long before the first of them is ended.
    expect(performance.now() - openedAt).toBeLessThan(HEADER_LIMIT_MS / 2);
    expect(ended).toBe(0);

    await expect.poll(() => ended, { timeout: 20_000, interval: 100 }).toBe(MANY);
    expect(performance.now() - openedAt).toBeGreaterThan(HEADER_LIMIT_MS - 2_000);
    expect(agent.readyState).toBe(agent.OPEN);
  },
);
