/**
 * The way down, in the order in which the parts need each other: no new connections, then what was
 * received reaches the store and its senders hear of it, then the file is let go.
 */
import type { Server } from 'node:http';
import type { Backend } from './backend';
import type { Identity } from './auth/identity/identity';
import type { AgentGateway } from './gateways/agent';
import type { LiveGateway } from './gateways/live';
import type { Readiness } from './http/readiness';
import type { PageHost } from './pages';
import type { Clock, Logger } from './services/contract';

/** The whole way down takes at most the sum. */
const AGENTS_MS = 4_000;
const BACKEND_MS = 4_000;
const REST_MS = 1_500;

export type Running = {
  readonly backend: Backend;
  readonly agents: AgentGateway;
  readonly live: LiveGateway;
  readonly identity: Identity;
};

type Parts = {
  readonly server: Server;
  readonly readiness: Readiness;
  readonly running: Running | null;
  readonly pages: PageHost | null;
  readonly clock: Clock;
  readonly log: Logger;
};

/** False when something did not end in time or failed to. */
export async function stopInOrder(parts: Parts): Promise<boolean> {
  const { server, readiness, running, pages } = parts;
  readiness.enter('stopping');
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  running?.live.stop();
  const steps: boolean[] = [];
  // Its agents say goodbye while somebody listens; after the restart it is stopped.
  steps.push(await within(parts, 'simulator', REST_MS, running?.backend.simulator?.stop()));
  steps.push(await within(parts, 'agents', AGENTS_MS, running?.agents.stop()));
  steps.push(await within(parts, 'backend', BACKEND_MS, running?.backend.close()));
  server.closeAllConnections();
  steps.push(await within(parts, 'pages', REST_MS, Promise.all([closed, pages?.close()])));
  return steps.every(Boolean);
}

async function within(
  { clock, log }: Parts,
  step: string,
  ms: number,
  work: Promise<unknown> | undefined,
): Promise<boolean> {
  if (work === undefined) return true;
  let timer: { cancel(): void } = { cancel: () => undefined };
  const late = new Promise<'late'>((resolve) => {
    timer = clock.after(ms, () => resolve('late'));
  });
  try {
    const ended = (await Promise.race([work, late])) !== 'late';
    if (!ended) log.error({ step, ms }, 'did not stop in time');
    return ended;
  } catch (thrown) {
    log.error({ step, err: thrown }, 'did not stop cleanly');
    return false;
  } finally {
    timer.cancel();
  }
}
