import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { AGENT_SUBPROTOCOL, LIMITS } from '@/lib/protocol/version';
import { parseAgentFrame } from '@/lib/protocol/parse';
import type { AgentFrame } from '@/lib/protocol/agent-frames';
import type { ServerFrame } from '@/lib/protocol/server-frames';
import { socketAgent } from './support/harness';

const undo: (() => unknown)[] = [];
const stray: unknown[] = [];
const onStray = (error: unknown) => stray.push(error);

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
  const errors = stray.splice(0);
  if (errors.length > 0) throw new Error('an error reached the host', { cause: errors[0] });
});

function agentFor(port: number) {
  process.on('unhandledRejection', onStray);
  process.on('uncaughtExceptionMonitor', onStray);
  undo.push(() => process.off('unhandledRejection', onStray));
  undo.push(() => process.off('uncaughtExceptionMonitor', onStray));
  const subject = socketAgent(`http://127.0.0.1:${port}`);
  undo.push(() => subject.agent.close(0));
  return subject;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  undo.push(() => server.closeAllConnections());
  return (server.address() as AddressInfo).port;
}

const send = (socket: WebSocket, frame: ServerFrame) => socket.send(JSON.stringify(frame));

const welcome: ServerFrame = {
  type: 'welcome',
  serverEpoch: 's',
  clock: { at: 0, mono: 0 },
  ackedSeq: 0,
  samplesSeq: 0,
  heartbeatMs: 20_000,
  limits: { ...LIMITS },
};

/** Frames of one connection, in order, each awaited once. */
function frames(socket: WebSocket) {
  const queue: AgentFrame[] = [];
  const waiting: ((frame: AgentFrame) => void)[] = [];
  socket.on('message', (data: Buffer) => {
    const parsed = parseAgentFrame(data.toString());
    if (!parsed.ok) throw new Error(parsed.problem);
    const next = waiting.shift();
    if (next) next(parsed.value);
    else queue.push(parsed.value);
  });
  return () => {
    const frame = queue.shift();
    return frame === undefined
      ? new Promise<AgentFrame>((resolve) => waiting.push(resolve))
      : Promise.resolve(frame);
  };
}

async function console_() {
  const server = createServer();
  const sockets = new WebSocketServer({ server, path: '/ws/agent', perMessageDeflate: true });
  undo.push(() => sockets.close());
  const port = await listen(server);
  const connection = async () => {
    const [socket, request] = (await once(sockets, 'connection')) as [WebSocket, IncomingMessage];
    return { socket, request, next: frames(socket) };
  };
  return { port, connection };
}

describe('the socket', () => {
  it('asks for the protocol with its token, and for nothing else', async () => {
    const { port, connection } = await console_();
    const pending = connection();
    agentFor(port);
    const { socket, request, next } = await pending;
    expect(socket.protocol).toBe(AGENT_SUBPROTOCOL);
    expect(request.url).toBe('/ws/agent');
    expect(request.headers.authorization).toBe('Bearer rcl_a_test');
    expect(request.headers.origin).toBeUndefined();
    expect(request.headers['sec-websocket-extensions']).toBeUndefined();
    expect(await next()).toMatchObject({ type: 'hello', service: 'checkout', firstSeq: 1 });
  });

  it('reports and obeys end to end', async () => {
    const { port, connection } = await console_();
    const pending = connection();
    const { agent, breaker } = agentFor(port);
    const { socket, next } = await pending;
    await next();
    send(socket, welcome);
    expect(await next()).toMatchObject({ type: 'state', breakers: [{ target: 'stock' }] });
    expect(await next()).toMatchObject({ type: 'events', events: [{ type: 'registered' }] });
    send(socket, {
      type: 'desired',
      revision: 1,
      overrides: [
        {
          id: 'o1',
          breaker: 'inventory',
          kind: 'force_open',
          generation: 1,
          deliverWithinMs: 30_000,
          remainingMs: 60_000,
          reason: 'test',
          actor: 'ann',
          scope: 'instance',
        },
      ],
    });
    expect(await next()).toMatchObject({ type: 'applied', results: [{ outcome: 'applied' }] });
    expect(await next()).toMatchObject({
      type: 'events',
      events: [{ seq: 2, type: 'transition', to: 'forced_open', overrideId: 'o1', actor: 'ann' }],
    });
    expect(breaker.effective).toBe('forced_open');
    const goodbye = agent.close(0);
    const last = [await next(), await next()];
    expect(last.map((frame) => frame.type)).toEqual(['events', 'goodbye']);
    await goodbye;
  });

  it('[R-35] takes HTTP 401 as a refusal and 503 as a wait', async () => {
    const answers = ['401 Unauthorized\r\n', '503 Busy\r\nRetry-After: 7\r\n', '200 OK\r\n'];
    const server = createServer();
    server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
      socket.end(`HTTP/1.1 ${answers.shift()}Content-Length: 0\r\n\r\n`);
    });
    const { time, nextWait } = agentFor(await listen(server));
    expect(await nextWait()).toBe(300_000);
    const second = nextWait();
    time.advance(300_000);
    expect(await second).toBe(7_000);
    const third = nextWait();
    time.advance(7_000);
    expect(await third).toBe(0);
  });

  it('survives a server that is not there', async () => {
    const server = createServer();
    const port = await listen(server);
    await undo.pop()?.();
    await undo.pop()?.();
    const { nextWait, said } = agentFor(port);
    expect(await nextWait()).toBe(0);
    expect(said).toEqual(['console not connected, breakers go on by their local rules']);
  });
});

/** Answers the upgrade properly and then sends the given bytes. */
function rawServer(bytes: Buffer): Server {
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
    duplex.on('error', () => undefined);
    sockets.handleUpgrade(request, duplex, head, (socket) => {
      socket.on('error', () => undefined);
      duplex.write(bytes);
    });
  });
  return server;
}

const header64 = (bytes: number) => {
  const header = Buffer.alloc(10);
  header[0] = 0x81;
  header[1] = 127;
  header.writeBigUInt64BE(BigInt(bytes), 2);
  return header;
};

describe('[R-05] a server that breaks the rules of WebSocket', () => {
  const cases: [string, Buffer][] = [
    ['a frame of 64 KiB and one byte', Buffer.concat([header64(65_537), Buffer.alloc(65_537, 97)])],
    ['a frame that claims 100 MiB', header64(100 * 1024 * 1024)],
    ['a frame that claims more than is safe', header64(Number.MAX_SAFE_INTEGER)],
    ['invalid UTF-8', Buffer.from([0x81, 0x02, 0xc3, 0x28])],
    ['a compressed frame that was not offered', Buffer.from([0xc1, 0x01, 0x00])],
    ['a masked frame', Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5])],
    ['an unknown opcode', Buffer.from([0x83, 0x00])],
    ['a fragmented control frame', Buffer.from([0x09, 0x00])],
    ['a close frame with a bad code', Buffer.from([0x88, 0x02, 0x00, 0x01])],
    ['plain HTTP text', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ];
  for (const [what, bytes] of cases) {
    it(`is left and tried again later: ${what}`, async () => {
      const { nextWait } = agentFor(await listen(rawServer(bytes)));
      expect(await nextWait()).toBe(0);
    });
  }
});
