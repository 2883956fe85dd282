import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { refuseUpgrade } from './raw-answer';

/** A listener that can be told apart from other failures of a start. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  // The other limits are only looked at this often; Node's own 30 s would triple them.
  connectionsCheckingInterval: 2_000,
} as const;

const statusByCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** PEM. `ca` and `crl` are for certificates of clients, which are asked for when there is a `ca`. */
export type TlsFiles = {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca?: Buffer;
  readonly crl?: Buffer;
};

/**
 * [S-36] Over TLS 1.2 or newer when there is a certificate. Browsers come without one of their own:
 * it is judged where agents come in.
 */
export function createHttpServer(listener: RequestListener, tls: TlsFiles | null = null): Server {
  const clients = { requestCert: tls?.ca !== undefined, rejectUnauthorized: false };
  const server =
    tls === null
      ? createServer(LIMITS, listener)
      : createTlsServer({ ...LIMITS, ...tls, ...clients, minVersion: 'TLSv1.2' }, listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    socket.on('error', () => socket.destroy());
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseUpgrade(socket, statusByCode[error.code ?? ''] ?? 400, 'unreadable request');
  });
  return server;
}

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop what uses it, or set PORT to another one.`;
    case 'EACCES':
      return `Port ${port} on ${host} may not be used by this account. Set PORT to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is not an address of this machine.`;
    default:
      return `Cannot listen on ${host}:${port}: ${error.message}`;
  }
}

/** The port that was got; throws `ListenError` with one line that says what to do. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      reject(new ListenError(listenProblem(error, host, port), { cause: error }));
    server.once('error', failed);
    server.listen(port, host, () => {
      server.off('error', failed);
      // A listening TCP server always has an address with a port.
      resolve((server.address() as AddressInfo).port);
    });
  });
}
