import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

const MAX_BODY = 8 * 1024;

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Listens on loopback only; port 0 lets the system choose. Resolves with the port. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

export type JsonHandler = (path: string, body: unknown) => Promise<unknown>;

/**
 * A control door on loopback. Any page in a browser can reach loopback, so it takes JSON only,
 * which a page of another origin may not send unasked, and only under its own name.
 */
export function controlDoor(handlers: Readonly<Record<string, JsonHandler>>): RequestListener {
  return (request, response) => {
    void respond(request, response, handlers);
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  handlers: Readonly<Record<string, JsonHandler>>,
): Promise<void> {
  try {
    const body = await answer(request, handlers);
    if (body === undefined) sendJson(response, 404, { error: 'no such door' });
    else sendJson(response, 200, body);
  } catch (error) {
    sendJson(response, 400, { error: error instanceof Error ? error.message : String(error) });
  }
}

async function answer(
  request: IncomingMessage,
  handlers: Readonly<Record<string, JsonHandler>>,
): Promise<unknown> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const handler = handlers[`${request.method} ${path}`];
  if (!handler) return undefined;
  if (!isLoopbackName(request.headers.host)) throw new Error('unknown host');
  if (request.method !== 'POST') return handler(path, undefined);
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new Error('content-type must be application/json');
  }
  return handler(path, JSON.parse(await readBody(request)));
}

function isLoopbackName(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host ?? '');
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_BODY) throw new Error('body too large');
  }
  return text;
}
