/** A built console with an empty data folder and the fleet, for tests, benchmarks and pictures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { z } from 'zod';
import { fleetBody } from '@/lib/protocol/api';
import type { BreakerView } from '@/lib/protocol/views';
import { bundleDemo } from '@/scripts/lib/bundle-demo.mjs';
import { startConsole } from '@/scripts/lib/console-process.mjs';
import { root } from '@/scripts/lib/paths.mjs';
import { firstFreePort } from '@/scripts/lib/ports.mjs';
import type { Fault } from './faults';
import { call } from './http-client';
import { seedDemoPeople } from './people';
import { pause } from './service';
import { signIn, type DemoSession } from './session';
import { startDemo } from './supervisor';

const FIRST_PORT = 4700;

export type StageOptions = { readonly scenario?: boolean };

export async function openStage({ scenario = false }: StageOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'recloser-stage-'));
  const port = await firstFreePort(FIRST_PORT);
  const [admin, operator] = await seedDemoPeople(dataDir, root);
  if (admin === undefined || operator === undefined) throw new Error('the demo has no people');
  let server = await startConsole({ port, dataDir });
  const { childPath } = await bundleDemo();
  const demo = await startDemo({ consoleUrl: server.url, admin, childPath, scenario });
  const session = await signIn(server.url, admin);
  const acting = await signIn(server.url, operator);

  return {
    url: server.url,
    /** An admin, for what the console is asked besides its pages. */
    session,
    /** Signs a browser in as the operator Mara, or as the admin. */
    enter: async (browser: Browser, as: 'operator' | 'admin' = 'operator', options = {}) => {
      const context = await browser.newContext(options);
      const { cookie } = as === 'admin' ? session : acting;
      await context.addCookies([{ ...cookie, url: server.url }]);
      return context;
    },
    panelUrl: demo.panelUrl,
    consolePid: server.pid,
    childPids: demo.processIds,
    fault: (service: string, fault: Fault) =>
      call(`${demo.panelUrl}/fault`, { method: 'POST', body: { service, ...fault } }),
    /** What the processes of the fleet say about themselves. */
    status: async (): Promise<{ services: MemberStatus[] }> =>
      JSON.parse(await call(`${demo.panelUrl}/status`)),
    breaker: (service: string, name: string) => findBreaker(session, service, name),
    /** Holds a breaker open for a quarter of an hour, as the admin. */
    forceOpen: (breakerId: string, reason: string) => forceOpen(session, breakerId, reason),
    /** Stops the console and starts it again on the same port with the same data. */
    restartConsole: async () => {
      await server.stop();
      server = await startConsole({ port, dataDir });
    },
    close: async () => {
      await demo.stop();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
export type Stage = Awaited<ReturnType<typeof openStage>>;

export type MemberStatus = {
  readonly service: string;
  readonly instance: string;
  readonly pid: number;
  readonly served: number;
  readonly breakers: Readonly<
    Record<string, { state: string; counters: { rejected: Record<string, number> } }>
  >;
};

export async function readFleet({ url, headers }: DemoSession): Promise<z.infer<typeof fleetBody>> {
  return fleetBody.parse(JSON.parse(await call(`${url}/api/fleet`, { headers })));
}

async function findBreaker(
  session: DemoSession,
  service: string,
  name: string,
): Promise<BreakerView> {
  const { breakers } = await readFleet(session);
  const found = breakers.find((view) => view.service === service && view.name === name);
  if (!found) throw new Error(`the console knows no breaker ${name} of ${service}`);
  return found;
}

async function forceOpen(
  { url, headers }: DemoSession,
  breakerId: string,
  reason: string,
): Promise<void> {
  const impact = await call(`${url}/api/breakers/${breakerId}/impact?kind=force_open`, { headers });
  const body = {
    breakerId,
    kind: 'force_open',
    reason,
    leaseMs: 15 * 60_000,
    expectedGeneration: JSON.parse(impact).generation,
    idempotencyKey: `stage-${breakerId}`,
  };
  await call(`${url}/api/overrides`, { method: 'POST', headers, body });
}

/** Looks five times a second until the answer is yes; says what it last saw when it never is. */
export async function until<T>(
  look: () => Promise<T>,
  isEnough: (seen: T) => boolean,
  withinMs = 30_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const seen = await look();
      if (isEnough(seen)) return seen;
      last = seen;
    } catch (error) {
      last = error;
    }
    await pause(200);
  }
  throw new Error(`not within ${withinMs} ms; last seen: ${describe(last)}`);
}

function describe(value: unknown): string {
  return value instanceof Error ? value.message : JSON.stringify(value).slice(0, 2_000);
}
