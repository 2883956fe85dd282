import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { SocketListeners, SocketPort } from '@/server/gateways/socket';
import { wsSocket } from '@/server/gateways/ws-socket';
import { fakeServerClock } from '@/tests/server/fakes/clock';
import { FakeSocket } from './fake-socket';

type Peer = {
  say(text: string): void;
  sayBinary(): void;
  leave(): void;
  readonly heard: () => string[];
  readonly closedWith: () => number | null;
};
type Pair = { readonly port: SocketPort; readonly peer: Peer };

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

async function realPair(): Promise<Pair> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  undo.push(() => server.close());
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  undo.push(() => client.terminate());
  const heard: string[] = [];
  let closedWith: number | null = null;
  client.on('message', (data: Buffer) => heard.push(data.toString()));
  client.on('close', (code) => (closedWith = code));
  const [[socket]] = await Promise.all([accepted, once(client, 'open')]);
  return {
    port: wsSocket(socket, fakeServerClock()),
    peer: {
      say: (text) => client.send(text),
      sayBinary: () => client.send(Buffer.from([1, 2, 3])),
      leave: () => client.close(1000),
      heard: () => heard,
      closedWith: () => closedWith,
    },
  };
}

async function fakePair(): Promise<Pair> {
  const socket = new FakeSocket();
  return {
    port: socket,
    peer: {
      say: (text) => socket.receive(text),
      sayBinary: () => socket.receiveBinary(),
      leave: () => socket.leave(1000),
      heard: () => socket.raw.map(String),
      closedWith: () => socket.closedWith?.code ?? null,
    },
  };
}

function listeners() {
  const messages: [string | null, number][] = [];
  const closes: number[] = [];
  const all: SocketListeners = {
    message: (raw, bytes) => void messages.push([raw, bytes]),
    pinged: () => undefined,
    pong: () => undefined,
    closed: (code) => void closes.push(code),
  };
  return { all, messages, closes };
}

describe.each([
  ['ws', realPair],
  ['the fake', fakePair],
])('a socket over %s', (_name, pair) => {
  it('passes text with its size in bytes, and binary as null', async () => {
    const { port, peer } = await pair();
    const { all, messages } = listeners();
    port.listen(all);
    peer.say('"ü"');
    peer.sayBinary();
    await expect
      .poll(() => messages)
      .toEqual([
        ['"ü"', 4],
        [null, 3],
      ]);
  });

  it('sends text and bytes alike', async () => {
    const { port, peer } = await pair();
    port.listen(listeners().all);
    port.send('{"a":1}');
    port.send(Buffer.from('{"b":2}'));
    await expect.poll(peer.heard).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('says once that it is closed, whoever closed it, and drops what is sent after', async () => {
    for (const close of [
      ({ port }: Pair) => port.close(4001, 'x'.repeat(500)),
      ({ peer }: Pair) => peer.leave(),
    ]) {
      const one = await pair();
      const { all, closes } = listeners();
      one.port.listen(all);
      close(one);
      await expect.poll(() => closes.length).toBe(1);
      one.port.send('{}');
      one.port.close(1000, 'again');
      one.port.ping();
      expect(one.peer.heard()).toEqual([]);
    }
  });
});

describe('a socket over ws', () => {
  it('is cut when the peer does not answer the close', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    undo.push(() => server.close());
    const accepted = once(server, 'connection') as Promise<[WebSocket]>;
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    undo.push(() => client.terminate());
    await once(client, 'open');
    client.pause();
    const [socket] = await accepted;
    const clock = fakeServerClock();
    const port = wsSocket(socket, clock);
    const { all, closes } = listeners();
    port.listen(all);
    port.close(4001, 'revoked');
    expect(closes).toEqual([]);
    clock.advance(1_000);
    await expect.poll(() => closes.length).toBe(1);
  });
});
