import { readFileSync } from 'node:fs';
import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import { connect as connectTcp, isIP, Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { retryAfterMs } from '../../breaker/retry-after';
import { AGENT_SUBPROTOCOL, LIMITS } from '../../protocol/version';
import type { Dial, Wire, WireEnd, WireEvents } from '../ports';

const HANDSHAKE_MS = 5_000;
/** Wait for the peer's half of the closing handshake before the socket is destroyed. */
const CLOSE_MS = 1_000;

type ClientCertificate = { readonly certFile: string; readonly keyFile: string };

/** Anew for each connection: certificates that live for hours are renewed in place. */
function secureOptions(name: string, own: ClientCertificate | undefined): ConnectionOptions {
  return {
    ...(isIP(name) ? {} : { servername: name }),
    ...(own && { cert: readFileSync(own.certFile), key: readFileSync(own.keyFile) }),
  };
}

/** Sockets that never keep the process alive, unless told to for a goodbye. */
function openSocket(
  args: ClientRequestArgs,
  secure: boolean,
  own: ClientCertificate | undefined,
): Socket {
  const { host, hostname, port } = args;
  const name = host ?? hostname ?? 'localhost';
  const where = { host: name, port: Number(port) };
  const socket = secure ? connectTls({ ...where, ...secureOptions(name, own) }) : connectTcp(where);
  socket.unref();
  // A second attempt, at another address of the same name, begins with a handle of its own.
  socket.once('connect', () => socket.unref());
  return socket;
}

/** A file that cannot be read ends the attempt like a wire that broke, once somebody listens. */
function brokenSocket(thrown: unknown): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(thrown instanceof Error ? thrown : undefined));
  return socket;
}

function wireOf(socket: WebSocket, transport: () => Socket | null): Wire {
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    bufferedBytes: () => socket.bufferedAmount,
    hold: (keepAlive) => {
      const raw = transport();
      if (keepAlive) raw?.ref();
      else raw?.unref();
    },
  };
}

/** How the server refused the upgrade. */
function refusal(response: IncomingMessage): WireEnd {
  const httpStatus = response.statusCode ?? 0;
  const wait = retryAfterMs(response.headers['retry-after'], Date.now());
  return { httpStatus, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

function listen(socket: WebSocket, events: WireEvents): void {
  let end: WireEnd = {};
  socket.on('open', () => events.opened());
  socket.on('message', (data, isBinary) => {
    events.activity();
    if (isBinary) events.binary();
    else events.text(textOf(data));
  });
  socket.on('ping', () => events.activity());
  socket.on('pong', () => events.activity());
  socket.on('unexpected-response', (_request, response) => {
    end = refusal(response);
    socket.terminate();
  });
  socket.on('error', (error) => {
    end = { error: error.message, ...end };
  });
  socket.on('close', (code, reason) => {
    events.ended({ code, reason: reason.toString('utf8'), ...end });
  });
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}

/** The real connection. Nothing here throws: a failed attempt is an end like any other. */
export function webSocketDial(url: string, token: string, certificate?: ClientCertificate): Dial {
  const secure = url.startsWith('wss:');
  return (events) => {
    let raw: Socket | null = null;
    const options: ClientOptions & { closeTimeout: number } = {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      maxPayload: LIMITS.maxFrameBytes,
      handshakeTimeout: HANDSHAKE_MS,
      closeTimeout: CLOSE_MS,
      followRedirects: false,
      createConnection: ((args: ClientRequestArgs) => {
        try {
          raw = openSocket(args, secure, certificate);
        } catch (thrown) {
          raw = brokenSocket(thrown);
        }
        return raw;
        // The declared type lists overloads of net.connect; ws calls it with the request options.
      }) as NonNullable<ClientOptions['createConnection']>,
    };
    const socket = new WebSocket(url, AGENT_SUBPROTOCOL, options);
    listen(socket, events);
    return wireOf(socket, () => raw);
  };
}
