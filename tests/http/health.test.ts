import { afterEach, describe, expect, it } from 'vitest';
import { healthBody } from '@/lib/protocol/api';
import { createReadiness } from '@/server/http/readiness';
import { fakeServerClock } from '@/tests/server/fakes/clock';
import { ask, fakeBackend, post, startFake } from '@/tests/server/fakes/server';
import { gate } from '@/tests/gateways/fake-socket';

const servers: { close(): Promise<boolean> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

describe('health', () => {
  it('[R-39] is ready when a write goes through, and says nothing else', async () => {
    const server = await startFake();
    servers.push(server);
    const answer = await ask(server.port, '/healthz');
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ status: 'ready' });
    expect((await ask(server.port, '/livez')).json()).toEqual({ status: 'live' });
  });

  it('[R-39] is not ready when writes fail; the process is live all the same', async () => {
    const backend = fakeBackend();
    backend.writable = () => Promise.reject(new Error('SQLITE_FULL /data/recloser.db'));
    const server = await startFake({ backend });
    servers.push(server);
    const answer = await ask(server.port, '/healthz');
    expect(answer.status).toBe(503);
    expect(healthBody.parse(answer.json()).status).toBe('degraded');
    expect(answer.text).not.toContain('SQLITE');
    expect((await ask(server.port, '/livez')).status).toBe(200);
  });

  it('[R-31] with a damaged file it reads and changes nothing', async () => {
    const backend = fakeBackend();
    backend.problem = 'page 7 is bad';
    const server = await startFake({ backend });
    servers.push(server);
    expect((await ask(server.port, '/healthz')).json()).toMatchObject({ status: 'degraded' });
    expect((await ask(server.port, '/api/fleet')).status).toBe(200);
    const answer = await post(server.port, '/api/tokens/tok_1/revoke', {});
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({ error: { code: 'read_only' } });
    // Pages are live, to show what is known and why nothing changes.
    expect((await post(server.port, '/api/live-ticket', {})).status).toBe(200);
    expect(server.log.lines).toContainEqual(
      expect.objectContaining({ level: 'error', fields: { problem: 'page 7 is bad' } }),
    );
  });

  it('listens and says "starting" before the store is open and checked', async () => {
    const opened = gate();
    const ports: number[] = [];
    const starting = startFake({
      listening: (port) => void ports.push(port),
      openBackend: async () => {
        await opened.promise;
        return fakeBackend();
      },
    });
    await expect.poll(() => ports.length).toBe(1);
    const port = ports[0] ?? 0;
    expect((await ask(port, '/livez')).status).toBe(200);
    const health = await ask(port, '/healthz');
    expect([health.status, health.json()]).toEqual([503, { status: 'starting' }]);
    const api = await ask(port, '/api/fleet');
    expect([api.status, api.json()]).toMatchObject([503, { error: { code: 'not_ready' } }]);
    opened.release();
    const server = await starting;
    servers.push(server);
    expect((await ask(port, '/api/fleet')).status).toBe(200);
  });
});

describe('readiness', () => {
  it.each([
    [{ state: 'ok', lagMs: 3, required: true }, 'ready'],
    [{ state: 'failing', lagMs: 60_000, required: false }, 'ready'],
    [{ state: 'failing', lagMs: 60_000, required: true }, 'degraded'],
  ] as const)(
    '[S-29] tells how far the second audit sink is behind: %j is %s',
    async (sink, status) => {
      const readiness = createReadiness(fakeServerClock(), {
        write: async () => undefined,
        sink: async () => sink,
      });
      readiness.enter('running');
      const { state, lagMs } = sink;
      expect(await readiness.check()).toMatchObject({ status, auditSink: { state, lagMs } });
    },
  );

  it('[R-39] asks the store at most once a second, and gives up on one that hangs', async () => {
    const clock = fakeServerClock();
    let asked = 0;
    let answer: Promise<void> = Promise.resolve();
    const readiness = createReadiness(clock, {
      write: () => {
        asked += 1;
        return answer;
      },
      sink: async () => null,
    });
    readiness.enter('running');
    await readiness.check();
    expect(await readiness.check()).toEqual({ status: 'ready' });
    expect(asked).toBe(1);

    clock.advance(1_000);
    answer = new Promise(() => {});
    const late = readiness.check();
    clock.advance(3_000);
    expect(await late).toMatchObject({ status: 'degraded' });
    expect(asked).toBe(2);
  });
});
