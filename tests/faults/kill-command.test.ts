/**
 * A console that is really killed (SIGKILL, its own process, its file on the disk) in the middle of a
 * command, before and after every write from the request to the gradual return. The service with its
 * agent lives on.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Recloser, type GuardedBreaker } from '@/lib/agent';
import type { CommandView } from '@/lib/protocol/command-views';
import { runAuditVerify } from '@/server/audit/run-verify';
import {
  createToken,
  eventually,
  freePort,
  startServerProcess,
  type ServerProcess,
} from '@/tests/support/server-process';
import { person, seedPeople, signIn, type Session } from '@/tests/support/sign-in';

const WAIT_MS = 60_000;
const dataDir = mkdtempSync(join(tmpdir(), 'recloser-mid-command-'));
const kim = person('kim', [{ role: 'approver', environment: 'test', service: '*' }]);
const dyingServer = fileURLToPath(new URL('./children/dying-server.ts', import.meta.url));
const program = ['--import', 'tsx', dyingServer];

let port = 0;
let server: ServerProcess;
let root: Session;
let second: Session;
let recloser: Recloser;
let breaker: GuardedBreaker;
/** Every override that was ever put on the breaker. */
const forcedBy = new Set<string>();

const start = (dieAt = '') =>
  startServerProcess(dataDir, { port, program, env: { DIE_AT: dieAt } });

async function call<T>(path: string, session: Session, body?: object): Promise<[number, T]> {
  const response = await fetch(`${server.url}${path}`, {
    headers: { 'content-type': 'application/json', ...session.headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return [response.status, (await response.json()) as T];
}

async function breakerId(): Promise<string> {
  type Fleet = { breakers: { id: string; instances: { live: number } }[] };
  return eventually(
    'the breaker of a live instance',
    async () => {
      const [, { breakers }] = await call<Fleet>('/api/fleet', root);
      const [found] = breakers;
      return found?.instances.live === 1 ? found.id : null;
    },
    WAIT_MS,
  );
}

/** A request, and everything that a person sends after it; the same words each time it is sent. */
async function ask(key: string, over: object = {}): Promise<CommandView> {
  const scope = { kind: 'breaker', breakerId: await breakerId() };
  const looked = { scope, kind: 'force_open' };
  type Preview = { expectedGenerations: Record<string, number> };
  const [, preview] = await call<Preview>('/api/commands/preview', root, looked);
  const [status, body] = await call<{ command: CommandView }>('/api/commands', root, {
    ...looked,
    reason: 'the target is down',
    leaseMs: 600_000,
    deliverWithinMs: 600_000,
    expectedGenerations: preview.expectedGenerations,
    idempotencyKey: key,
    ...over,
  });
  if (status !== 202) throw new Error(JSON.stringify(body));
  return body.command;
}

const commandOf = async (id: string): Promise<CommandView> =>
  (await call<{ command: CommandView }>(`/api/commands/${id}`, root))[1].command;

const reaches = (id: string, what: string, holds: (command: CommandView) => boolean) =>
  eventually(
    what,
    async () => {
      const command = await commandOf(id);
      return holds(command) ? command : null;
    },
    WAIT_MS,
  );

async function approve({ id, digest, status }: CommandView): Promise<void> {
  if (status !== 'pending_approval') return;
  const [code, body] = await call(`/api/commands/${id}/approve`, second, { digest });
  if (code !== 200) throw new Error(JSON.stringify(body));
}

/** Long enough that a busy service has let go before anybody looks. */
const GRADUAL_MS = 5_000;

/** The one that a console which died has begun goes on by itself. */
async function letGoGradually(commandId: string): Promise<void> {
  type Releases = { releases: { overrideIds: string[] }[] };
  const [, { releases }] = await call<Releases>('/api/releases?open=1', root);
  const { overrides } = await commandOf(commandId);
  if (releases.some(({ overrideIds }) => overrideIds.includes(overrides[0]?.id ?? ''))) return;
  const gradual = { commandId, batchSize: 1, intervalMs: GRADUAL_MS };
  await call('/api/releases', root, gradual);
}

/** From the request to the end of the return. */
async function story(key: string, isGradual: boolean): Promise<CommandView> {
  const { id } = await approved(key);
  await reaches(id, 'applied', ({ counts }) => counts.applied === 1);
  await call(`/api/commands/${id}/lease`, root, { leaseMs: 300_000 });
  await reaches(id, 'the shorter lease', ({ overrides }) => overrides[0]?.leaseRevision === 1);
  if (isGradual) await letGoGradually(id);
  else await call(`/api/commands/${id}/release`, root, {});
  return reaches(id, 'automatic again', ({ overrides }) => overrides[0]?.endedAt !== null);
}

async function approved(key: string): Promise<CommandView> {
  const command = await ask(key);
  await approve(command);
  return command;
}

beforeAll(async () => {
  port = await freePort();
  server = await start();
  await seedPeople(dataDir, [kim]);
  root = await signIn(server.url);
  second = await signIn(server.url, kim);
  await call('/api/policies', root, { environment: 'test', twoPerson: 'L2', stepUp: 'never' });
  const options = {
    service: 'shop',
    environment: 'test',
    instance: 'shop-1',
    url: server.url,
    token: await createToken(server.url),
    logger: { info: () => undefined, error: () => undefined },
  };
  // Comes back at once: thirty kills would make the agent wait up to 30 s each time.
  recloser = new Recloser(options, { random: () => 0.01 });
  breaker = recloser.breaker('stock', { target: 'stock-db' });
  breaker.circuit.on(({ type }) => {
    const id = type === 'forced' ? breaker.status().override?.id : undefined;
    if (id !== undefined) forcedBy.add(id);
  });
  await breakerId();
  await server.stop();
}, 300_000);

afterAll(async () => {
  await recloser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const POINTS = [
  'putCommand 1 before',
  'putCommand 1 after',
  'startCommand 1 before',
  'startCommand 1 after',
  // Sent, then answered.
  'recordDeliveries 1 before',
  'recordDeliveries 1 after',
  'recordDeliveries 2 before',
  'recordDeliveries 2 after',
  'changeLeases 1 after',
  'stepRelease 1 before',
  'stepRelease 1 after',
  'endOverrides 1 after',
];

// Also the one of a test that failed.
afterEach(() => server.kill9());

describe('[T-18] a console that is killed with SIGKILL in mid-command', () => {
  it.each(POINTS)(
    '[R-17] [R-18] [R-24] at %s: the next start completes it',
    async (point) => {
      const key = `key of ${point}`;
      const isGradual = point.startsWith('stepRelease');
      forcedBy.clear();
      server = await start(point);
      await story(key, isGradual).catch(() => undefined);
      expect(await server.died).toBe('SIGKILL');

      server = await start();
      // The person was not answered, and sends the same again.
      const done = await story(key, isGradual);
      expect(done).toMatchObject({ outcome: 'succeeded', counts: { applied: 1 } });
      expect(done.overrides).toHaveLength(1);
      expect([...forcedBy]).toEqual([done.overrides[0]?.id]);
      await eventually('the breaker let go', async () => breaker.state !== 'forced_open', WAIT_MS);
      expect(await server.stop()).toBe(0);
    },
    300_000,
  );

  it('[R-20] [R-23] and stays away past the time to deliver: it is never applied', async () => {
    forcedBy.clear();
    server = await start('recordDeliveries 1 before');
    const key = 'key of one that is late';
    const short = { deliverWithinMs: 1_000 };
    await ask(key, short)
      .then(approve)
      .catch(() => undefined);
    expect(await server.died).toBe('SIGKILL');
    await new Promise((resolve) => {
      setTimeout(resolve, 1_100);
    });
    server = await start();
    const again = await ask(key, short);
    const told = await reaches(again.id, 'an end', ({ counts }) => counts.queued === undefined);
    expect(told).toMatchObject({ outcome: 'failed', counts: { expired: 1 } });
    expect([...forcedBy]).toEqual([]);
    expect(breaker.state).not.toBe('forced_open');
  });

  it('[S-31] the audit trail is sound after all of it', async () => {
    const report = runAuditVerify({ databaseFile: join(dataDir, 'recloser.db') });
    expect(report.problem).toBeNull();
  });
});
