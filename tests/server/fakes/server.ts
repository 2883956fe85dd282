import { connect } from 'node:net';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { CSRF_HEADER } from '@/lib/protocol/csrf';
import type { Backend } from '@/server/backend';
import { parseConfig, type Config } from '@/server/config';
import { startServer, type StartOptions } from '@/server/start';
import { recordingLog } from './log';
import { fakeIdentity, TEST_CSRF } from './identity';
import { fakeBus, fakeServices } from './services';

export const testConfig = (environment: Record<string, string> = {}): Config =>
  parseConfig(
    { PORT: '0', RECLOSER_LOG_LEVEL: 'silent', RECLOSER_PAGES: 'off', ...environment },
    process.cwd(),
  );

export function fakeBackend() {
  const services = fakeServices();
  const bus = fakeBus();
  const identity = fakeIdentity();
  const backend: Backend & {
    services: typeof services;
    identity: typeof identity;
    bus: typeof bus;
    closed: boolean;
    problem: string | null;
    writable: () => Promise<void>;
  } = {
    services,
    identity,
    openIdentity: () => identity,
    bus,
    closed: false,
    problem: null,
    writable: async () => {},
    checkWritable: () => backend.writable(),
    checkIntegrity: async () => backend.problem,
    close: async () => {
      backend.closed = true;
    },
  };
  return backend;
}

/** A real server on a port of its own, over fake services. */
export async function startFake(
  options: Partial<StartOptions> & { backend?: ReturnType<typeof fakeBackend> } = {},
  environment: Record<string, string> = {},
) {
  const { backend = fakeBackend(), ...rest } = options;
  const log = recordingLog();
  const server = await startServer(testConfig(environment), {
    log,
    openBackend: async () => backend,
    ...rest,
  });
  return {
    ...server,
    backend,
    services: backend.services,
    identity: backend.identity,
    log,
    host: `127.0.0.1:${server.port}`,
  };
}

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  json(): Record<string, unknown>;
};

export type Ask = {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
};

/** `node:http`, because `fetch` sets the headers that these tests are about. */
export function ask(port: number, path: string, options: Ask = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: () => JSON.parse(text) as Record<string, unknown>,
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

export const post = (port: number, path: string, body: unknown, headers = {}): Promise<Answer> =>
  ask(port, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [CSRF_HEADER]: TEST_CSRF, ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });

/** Exactly these bytes, and everything that comes back until the server hangs up. */
export function speak(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => (answer += chunk));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
