/** The only place that runs Next. Loaded after the server listens, because that takes a while. */
import { Server, type IncomingMessage, type ServerResponse } from 'node:http';

export type PageHost = {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Never listens. Next puts its upgrade listener on it, where only hot reload gets to. */
  readonly upgrades: Server;
  close(): Promise<void>;
};

export type PageOptions = {
  readonly dir: string;
  readonly hostname: string;
  readonly port: number;
  readonly isDevelopment: boolean;
  readonly failed: (thrown: unknown) => void;
};

export function startPages(options: PageOptions): PageHost {
  const upgrades = new Server();
  const prepared = prepare(options, upgrades);
  // Whoever asks for a page hears of it too; this keeps it from being nobody's.
  prepared.catch(options.failed);
  return {
    upgrades,
    async handle(request, response) {
      const { handler } = await prepared;
      await handler(request, response);
    },
    async close() {
      const app = await prepared.catch(() => null);
      await app?.close();
    },
  };
}

async function prepare({ dir, hostname, port, isDevelopment }: PageOptions, upgrades: Server) {
  // Read by React and Next while they load: which build to take, and not to call home.
  Object.assign(process.env, {
    NODE_ENV: isDevelopment ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  });
  const { default: next } = await import('next');
  const app = next({ dev: isDevelopment, dir, hostname, port, httpServer: upgrades, quiet: true });
  await app.prepare();
  return { handler: app.getRequestHandler(), close: () => app.close() };
}
