import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on a free port whose paths are what each test says. */
export async function flakyServer(paths: Record<string, Handler>) {
  const seen: IncomingMessage[] = [];
  let arrived: (() => void)[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const waiting = arrived;
    arrived = [];
    for (const tell of waiting) tell();
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    (paths[path] ?? ((_, answer) => void answer.writeHead(404).end()))(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    host: `127.0.0.1:${port}`,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    seen,
    /** The next request has arrived. Ask before it is sent. */
    arrival: () => new Promise<void>((resolve) => void arrived.push(resolve)),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
