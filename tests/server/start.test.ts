import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ListenError } from '@/server/http/listen';
import { startServer } from '@/server/start';
import { events, hello } from '@/tests/gateways/agent-frames';
import { gate } from '@/tests/gateways/fake-socket';
import { seedPeople, signIn } from '@/tests/support/sign-in';
import { recordingLog } from './fakes/log';
import { ask, fakeBackend, post, startFake, testConfig } from './fakes/server';
import { GOOD_TOKEN } from './fakes/services';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recloser-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function real(dir: string) {
  await seedPeople(dir);
  return startServer(testConfig({ RECLOSER_DATA_DIR: dir }), { log: recordingLog() });
}
const admin = (port: number) => signIn(`http://127.0.0.1:${port}`);

type Socket = { socket: WebSocket; types: string[]; closed: Promise<number> };

function track(socket: WebSocket): Socket {
  const types: string[] = [];
  socket.on('message', (data: Buffer) => {
    types.push((JSON.parse(data.toString()) as { type: string }).type);
  });
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));
  return { socket, types, closed };
}

const agent = (port: number, token = GOOD_TOKEN) =>
  track(
    new WebSocket(`ws://127.0.0.1:${port}/ws/agent`, 'recloser.agent.v1', {
      headers: { authorization: `Bearer ${token}` },
    }),
  );
const browser = (port: number) =>
  track(new WebSocket(`ws://127.0.0.1:${port}/ws/live`, { origin: `http://localhost:${port}` }));

const opened = ({ socket }: Socket) =>
  new Promise<void>((resolve) => socket.on('open', () => resolve()));

describe('a start that cannot work', () => {
  it('says in one line that the port is taken, and touches nothing', async () => {
    const first = await startFake();
    undo.push(() => first.close());
    let isOpened = false;
    const second = startFake(
      {
        openBackend: async () => {
          isOpened = true;
          return fakeBackend();
        },
      },
      { PORT: String(first.port) },
    );
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toThrow(
      `Port ${first.port} on 127.0.0.1 is in use. Stop what uses it, or set PORT to another one.`,
    );
    expect(isOpened).toBe(false);
  });

  it('lets go of the port when the store does not open', async () => {
    const ports: number[] = [];
    const failed = startFake({
      listening: (port) => void ports.push(port),
      openBackend: () => Promise.reject(new Error('no store')),
    });
    await expect(failed).rejects.toThrow('no store');
    const again = await startFake({}, { PORT: String(ports[0]) });
    undo.push(() => again.close());
    expect(again.port).toBe(ports[0]);
  });

  it('[R-30] refuses a second server on the same file and says who has it', async () => {
    const folder = dataDir();
    const first = await real(folder);
    undo.push(() => first.close());
    await expect(real(folder)).rejects.toThrow(/recloser\.db is in use by process \d+/);
    expect((await ask(first.port, '/healthz')).status).toBe(200);
  });
});

describe('the whole server over its real store', { timeout: 60_000 }, () => {
  it('makes a token, takes an agent with it, and closes it within a second of the revocation', async () => {
    const server = await real(dataDir());
    undo.push(() => server.close());
    const { headers } = await admin(server.port);
    const body = { name: 'test', servicePattern: 'checkout', environment: 'test' };
    const created = await post(server.port, '/api/tokens', body, headers);
    expect(created.status).toBe(201);
    const { token, view } = created.json() as { token: string; view: { id: string } };
    expect(token).toMatch(/^rcl_a_[0-9A-Za-z]{27,}$/);

    const link = agent(server.port, token);
    await opened(link);
    link.socket.send(JSON.stringify(hello()));
    await expect.poll(() => link.types).toContain('desired');
    const fleet = await ask(server.port, '/api/services', { headers });
    expect(fleet.json()).toMatchObject({ services: [{ name: 'checkout' }] });

    const revokedAt = performance.now();
    const revoked = await post(server.port, `/api/tokens/${view.id}/revoke`, {}, headers);
    expect(revoked.status).toBe(200);
    expect(await link.closed).toBe(4001);
    expect(performance.now() - revokedAt).toBeLessThan(1_000);

    const audit = await ask(server.port, '/api/audit?action=token.*', { headers });
    expect(audit.json()).toMatchObject({
      rows: [
        { action: 'token.revoked', actor: 'root' },
        { actor: 'root', who: { kind: 'user', factors: ['password'], ip: '127.0.0.1' } },
      ],
    });
    expect(audit.text).not.toContain(token);
  });

  it('keeps what it had over a restart, under a new epoch', async () => {
    const folder = dataDir();
    const first = await real(folder);
    const body = { name: 'kept', servicePattern: '*', environment: 'test' };
    const { headers } = await admin(first.port);
    await post(first.port, '/api/tokens', body, headers);
    const before = (await ask(first.port, '/api/fleet', { headers })).json();
    expect(await first.close()).toBe(true);
    const second = await real(folder);
    undo.push(() => second.close());
    expect((await ask(second.port, '/api/tokens', { headers })).json()).toMatchObject({
      tokens: [{ name: 'kept' }],
    });
    expect((await ask(second.port, '/api/fleet', { headers })).json()['serverEpoch']).not.toBe(
      before['serverEpoch'],
    );
  });
});

describe('a graceful stop', () => {
  it('[R-37] acknowledges what was received, tells agents and browsers, and lets go of the store', async () => {
    const server = await startFake();
    const { promise, release } = gate();
    server.services.agents.gate = promise;
    const link = agent(server.port);
    const page = browser(server.port);
    await Promise.all([opened(link), opened(page)]);
    page.socket.send(JSON.stringify({ type: 'open', ticket: 'ticket-1', topics: ['fleet'] }));
    link.socket.send(JSON.stringify(hello()));
    await expect.poll(() => link.types).toContain('desired');
    await expect.poll(() => page.types).toContain('snapshot');
    link.socket.send(JSON.stringify(events(1)));
    const reached = () => server.services.agents.calls.some(({ method }) => method === 'events');
    await expect.poll(reached).toBe(true);

    const stopped = server.close();
    await expect.poll(() => link.types).toContain('restarting');
    expect(link.types).not.toContain('ack');
    expect(server.backend.closed).toBe(false);
    release();
    expect(await stopped).toBe(true);
    expect(link.types.at(-1)).toBe('ack');
    expect(await Promise.all([link.closed, page.closed])).toEqual([1012, 1012]);
    expect(server.backend.closed).toBe(true);
    await expect(ask(server.port, '/livez')).rejects.toThrow('ECONNREFUSED');
  });

  it('[R-37] says so when a part does not stop in time', async () => {
    const backend = fakeBackend();
    const server = await startFake({
      backend,
      clock: {
        wall: () => 0,
        mono: () => 0,
        // The longest wait is over at once.
        after: (ms, run) => {
          if (ms === 4_000) queueMicrotask(run);
          return { cancel: () => undefined };
        },
      },
    });
    backend.close = () => new Promise(() => {});
    expect(await server.close()).toBe(false);
    expect(server.log.lines.at(-1)).toMatchObject({
      message: 'did not stop in time',
      fields: { step: 'backend' },
    });
  });
});
