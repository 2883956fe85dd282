import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { isBreakerOpenError, Recloser, type GuardedBreaker } from '@/lib/agent';
import type { BreakerBody, HistoryBody } from '@/lib/protocol/api';
import type { LiveFrame } from '@/lib/protocol/live-frames';
import type { OverrideView } from '@/lib/protocol/views';
import {
  createToken,
  eventually,
  startServerProcess,
  type ServerProcess,
} from '@/tests/support/server-process';
import { signIn, type Session } from '@/tests/support/sign-in';

const dataDir = mkdtempSync(join(tmpdir(), 'recloser-integration-'));
let server: ServerProcess;
let token: string;
let session: Session;
const open: { close(): unknown }[] = [];

beforeAll(async () => {
  server = await startServerProcess(dataDir);
  session = await signIn(server.url);
  token = await createToken(server.url);
}, 60_000);
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${server.url}${path}`, { headers: session.headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

type Answer = { override: OverrideView; error?: { code: string } };

async function ask<T>(path: string, body: unknown): Promise<T> {
  const { body: answer } = await post(path, body);
  return answer as unknown as T;
}

async function post(path: string, body: unknown): Promise<{ status: number; body: Answer }> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session.headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

/** A service as its developer would write it. */
function service(name: string): { recloser: Recloser; breaker: GuardedBreaker } {
  const recloser = new Recloser({ service: name, environment: 'test', url: server.url, token });
  open.push(recloser);
  const breaker = recloser.breaker('stock', {
    target: 'stock-db',
    window: { kind: 'count', size: 10 },
    trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 4 }],
    open: { kind: 'fixed', baseMs: 60_000, jitter: 0 },
  });
  return { recloser, breaker };
}

async function breakerIdOf(name: string): Promise<string> {
  return eventually(`${name} in the fleet`, async () => {
    const fleet = await get<{ breakers: { id: string; service: string }[] }>('/api/fleet');
    return fleet.breakers.find((row) => row.service === name)?.id;
  });
}

async function watchLive(): Promise<LiveFrame[]> {
  const frames: LiveFrame[] = [];
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws/live`, {
    headers: { origin: server.url, cookie: session.cookie },
  });
  open.push({ close: () => socket.terminate() });
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as LiveFrame));
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const { ticket } = await ask<{ ticket: string }>('/api/live-ticket', {});
  socket.send(JSON.stringify({ type: 'open', ticket, topics: ['fleet'] }));
  await eventually('a snapshot', async () => frames.some(({ type }) => type === 'snapshot'));
  return frames;
}

const fails = () => Promise.reject(Object.assign(new Error('boom'), { status: 500 }));
const answers = () => Promise.resolve('ok');
const attempt = (run: Promise<unknown>) =>
  run.then(
    () => 'answered',
    (error: unknown) => (isBreakerOpenError(error) ? 'refused' : 'failed'),
  );

describe('an event and an override, end to end', () => {
  it('a trip in a service reaches the store and a live browser', async () => {
    const frames = await watchLive();
    const { breaker } = service('checkout');
    for (let call = 0; call < 4; call += 1)
      expect(await attempt(breaker.run(fails))).toBe('failed');
    expect(await attempt(breaker.run(answers))).toBe('refused');

    const id = await breakerIdOf('checkout');
    const history = await eventually('the trip in the history', async () => {
      const body = await get<HistoryBody>(`/api/breakers/${id}/history?types=transition`);
      return body.events[0];
    });
    expect(history.data).toMatchObject({ from: 'closed', to: 'open', cause: 'trip', failures: 4 });

    await eventually('the trip on the live socket', async () =>
      frames.some(
        (frame) =>
          frame.type === 'patch' &&
          frame.breakers?.some((row) => row.id === id && row.state === 'open'),
      ),
    );
  });

  it('[R-17] [R-24] force open is obeyed, answered per instance, and released', async () => {
    const { breaker } = service('payments');
    expect(await attempt(breaker.run(answers))).toBe('answered');
    const id = await breakerIdOf('payments');
    const { breaker: view } = await get<BreakerBody>(`/api/breakers/${id}`);

    const issued = await post('/api/overrides', {
      breakerId: id,
      kind: 'force_open',
      reason: 'the card gateway asked us to stop',
      leaseMs: 60_000,
      expectedGeneration: view.generation,
      idempotencyKey: 'integration-1',
    });
    expect(issued.status).toBe(202);
    const { id: overrideId } = issued.body.override;

    const applied = await eventually('applied at the instance', async () => {
      const { override } = await get<{ override: OverrideView }>(`/api/overrides/${overrideId}`);
      return override.targets.every(({ delivery }) => delivery === 'applied') && override;
    });
    expect(applied.targets).toHaveLength(1);
    expect(breaker.state).toBe('forced_open');
    expect(await attempt(breaker.run(answers))).toBe('refused');

    const stale = await post('/api/overrides', {
      breakerId: id,
      kind: 'force_closed',
      reason: 'somebody who did not look again',
      leaseMs: 60_000,
      expectedGeneration: view.generation,
      idempotencyKey: 'integration-2',
    });
    expect(stale.status).toBe(409);

    await post(`/api/overrides/${overrideId}/release`, {});
    await eventually('automatic again', async () => breaker.state !== 'forced_open');
    const { rows } = await get<{ rows: { action: string; outcome: string }[] }>('/api/audit');
    expect(rows.filter(({ outcome }) => outcome === 'refused')).not.toHaveLength(0);
  });

  it('a force closed that the service did not opt in to is rejected and said so', async () => {
    const { breaker } = service('pricing');
    await attempt(breaker.run(answers));
    const id = await breakerIdOf('pricing');
    const issued = await post('/api/overrides', {
      breakerId: id,
      kind: 'force_closed',
      reason: 'we want the calls through',
      leaseMs: 60_000,
      expectedGeneration: 0,
      idempotencyKey: 'integration-3',
    });
    const target = await eventually('an answer of the instance', async () => {
      const path = `/api/overrides/${issued.body.override.id}`;
      const { override } = await get<{ override: OverrideView }>(path);
      return override.targets.find(({ delivery }) => delivery === 'rejected');
    });
    expect(target.reason).toMatch(/does not allow force_closed/);
    expect(breaker.state).toBe('closed');
  });
});
