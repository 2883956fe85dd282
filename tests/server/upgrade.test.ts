import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { judgeUpgrade } from '@/server/auth/upgrade-rules';
import { createDoorRules } from '@/server/auth/doors';
import { GOOD_TOKEN } from '@/tests/server/fakes/services';
import { hello } from '@/tests/gateways/agent-frames';
import { fakeServerClock } from './fakes/clock';
import { ask, fakeBackend, speak, startFake } from './fakes/server';

const PROTOCOL = 'recloser.agent.v1';
let server: Awaited<ReturnType<typeof startFake>>;
let own: string;

beforeAll(async () => {
  server = await startFake();
  own = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

type Outcome = { readonly status: number; readonly headers: Record<string, unknown> };

/** 101 when it was let in. */
function upgrade(
  path: string,
  headers: Record<string, string> = {},
  port = server.port,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: 101, headers: response.headers });
    });
    request.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    request.on('error', reject);
    request.end();
  });
}

const agentHeaders = (over: Record<string, string> = {}) => ({
  authorization: `Bearer ${GOOD_TOKEN}`,
  'sec-websocket-protocol': PROTOCOL,
  ...over,
});

describe('/ws/live', () => {
  it('[S-04] takes our own origin', async () => {
    expect((await upgrade('/ws/live', { origin: own })).status).toBe(101);
    const localhost = `http://localhost:${server.port}`;
    expect((await upgrade('/ws/live', { origin: localhost })).status).toBe(101);
  });

  it.each([
    ['missing', null],
    ['null', 'null'],
    ['of another site', 'https://evil.example'],
    ['with our name as a suffix', 'http://evil.127.0.0.1:PORT'],
    ['with our name as a prefix', 'http://127.0.0.1:PORT.evil.example'],
    ['like ours', 'http://evil-localhost:PORT'],
    ['of another port', 'http://127.0.0.1:1'],
    ['of no port', 'http://127.0.0.1'],
    ['of another scheme', 'https://127.0.0.1:PORT'],
  ])('[S-04] refuses an Origin that is %s, before the upgrade', async (_name, origin) => {
    const headers = origin === null ? {} : { origin: origin.replace('PORT', String(server.port)) };
    expect((await upgrade('/ws/live', headers)).status).toBe(403);
  });

  it.each(['cross-site', 'same-site'])('[S-04] refuses Sec-Fetch-Site %s', async (site) => {
    const headers = { origin: own, 'sec-fetch-site': site };
    expect((await upgrade('/ws/live', headers)).status).toBe(403);
  });

  it('[S-04] refuses a rebound Host even with a good Origin', async () => {
    const headers = { origin: own, host: 'evil.example', 'x-forwarded-host': server.host };
    expect((await upgrade('/ws/live', headers)).status).toBe(403);
  });

  it('[S-05] takes no subprotocol, so that none can carry a credential', async () => {
    const headers = { origin: own, 'sec-websocket-protocol': 'ticket.abc' };
    const outcome = await upgrade('/ws/live', headers);
    expect(outcome.headers['sec-websocket-protocol']).toBeUndefined();
  });

  it('[S-20] never compresses', async () => {
    const headers = { origin: own, 'sec-websocket-extensions': 'permessage-deflate' };
    const outcome = await upgrade('/ws/live', headers);
    expect(outcome.status).toBe(101);
    expect(outcome.headers['sec-websocket-extensions']).toBeUndefined();
  });
});

describe('/ws/agent', () => {
  it('[S-05] takes a bearer token and the subprotocol', async () => {
    const outcome = await upgrade('/ws/agent', agentHeaders());
    expect(outcome.status).toBe(101);
    expect(outcome.headers['sec-websocket-protocol']).toBe(PROTOCOL);
  });

  it.each([
    ['any Origin', 403, { origin: 'https://evil.example' }],
    ['our own Origin', 403, { origin: 'OWN' }],
    ['no token', 401, { authorization: '' }],
    ['an unknown token', 401, { authorization: 'Bearer rcl_a_other' }],
    ['another scheme', 401, { authorization: `Basic ${GOOD_TOKEN}` }],
    ['two tokens', 401, { authorization: `Bearer ${GOOD_TOKEN} ${GOOD_TOKEN}` }],
    ['a token in a cookie', 401, { authorization: '', cookie: `token=${GOOD_TOKEN}` }],
    ['another subprotocol', 400, { 'sec-websocket-protocol': 'recloser.agent.v2' }],
  ])('[S-05] refuses %s', async (_name, status, over) => {
    const headers = Object.fromEntries(
      Object.entries(agentHeaders(over)).map(([key, value]) => [
        key,
        value === 'OWN' ? own : value,
      ]),
    );
    expect((await upgrade('/ws/agent', headers)).status).toBe(status);
  });

  it('[S-18] takes no token in the URL', async () => {
    const path = `/ws/agent?token=${GOOD_TOKEN}`;
    expect((await upgrade(path, agentHeaders())).status).toBe(404);
    expect(JSON.stringify(server.log.lines)).not.toContain(GOOD_TOKEN);
  });

  it('[S-05] a browser route does not open with an agent token, nor the other way round', async () => {
    expect((await upgrade('/ws/live', agentHeaders())).status).toBe(403);
    expect((await upgrade('/ws/agent', { origin: own })).status).toBe(403);
  });
});

describe('every other upgrade', () => {
  it.each(['/', '/api/fleet', '/ws', '/ws/', '/ws/live/', '/ws/agent/x', '/WS/LIVE', '/_next/hmr'])(
    '[S-06] is ended with 404: %s',
    async (path) => {
      expect((await upgrade(path, { origin: own })).status).toBe(404);
    },
  );

  it.each(['http://evil.example/ws/live', '//evil.example/ws/live', '*'])(
    '[S-06] with a target that is no path is ended: %s',
    async (target) => {
      const text = `GET ${target} HTTP/1.1\r\nHost: ${server.host}\r\nOrigin: ${own}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      expect(await speak(server.port, text)).toMatch(/^HTTP\/1.1 400/);
    },
  );

  it('survives a client that hangs up during the handshake', async () => {
    for (let time = 0; time < 20; time += 1) {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `GET /ws/agent HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer ${GOOD_TOKEN}\r\nSec-WebSocket-Protocol: ${PROTOCOL}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
        () => socket.resetAndDestroy(),
      );
    }
    expect((await ask(server.port, '/livez')).status).toBe(200);
  });
});

describe('handshakes', () => {
  it('[R-08] past the rate are turned away with a time to come back, before any lookup', async () => {
    const crowded = await startFake({ clock: fakeServerClock() });
    let lookups = 0;
    crowded.services.tokens.authenticate = async () => {
      lookups += 1;
      return null;
    };
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 50 }, () => upgrade('/ws/agent', agentHeaders(), crowded.port)),
      );
    }
    expect(lookups).toBe(500);
    const outcome = await upgrade('/ws/agent', agentHeaders(), crowded.port);
    expect(outcome.status).toBe(503);
    expect(Number(outcome.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(lookups).toBe(500);
    await crowded.close();
  });
});

describe('over a damaged file', () => {
  it('[R-31] agents keep what they have, and browsers stay live to be told', async () => {
    const backend = fakeBackend();
    backend.problem = 'page 7 is bad';
    const damaged = await startFake({ backend });
    const { port } = damaged;
    expect((await upgrade('/ws/agent', agentHeaders(), port)).status).toBe(503);
    const origin = `http://127.0.0.1:${port}`;
    expect((await upgrade('/ws/live', { origin }, port)).status).toBe(101);
    await damaged.close();
  });
});

describe('hot reload', () => {
  const rules = createDoorRules(4600);
  const judge = (target: string, origin: string | undefined, hotReload: boolean) =>
    judgeUpgrade({ target, headers: { host: 'localhost:4600', origin } }, rules, { hotReload });

  it('[S-06] is for development, for our own origin', () => {
    const ours = 'http://localhost:4600';
    expect(judge('/_next/hmr?id=1', ours, true).kind).toBe('hot-reload');
    expect(judge('/_next/hmr?id=1', ours, false).kind).toBe('refuse');
    expect(judge('/_next/hmr?id=1', 'null', true).kind).toBe('refuse');
    expect(judge('/_next/hmr?id=1', undefined, true).kind).toBe('refuse');
    expect(judge('/other', ours, true).kind).toBe('refuse');
  });
});

const agentSocket = () =>
  new WebSocket(`ws://${server.host}/ws/agent`, PROTOCOL, {
    headers: { authorization: `Bearer ${GOOD_TOKEN}` },
    perMessageDeflate: false,
  });
const closed = (socket: WebSocket) =>
  new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));

describe('a real socket', () => {
  it('speaks the agent protocol', async () => {
    const socket = agentSocket();
    const types: unknown[] = [];
    socket.on('open', () => socket.send(JSON.stringify(hello())));
    const desired = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString()) as { type: string };
        types.push(type);
        if (type === 'desired') resolve();
      });
    });
    await desired;
    expect(types.slice(0, 3)).toEqual(['welcome', 'ping', 'desired']);
    socket.close();
    await closed(socket);
  });

  it.each([
    ['invalid UTF-8', 1007, Buffer.from([0xff, 0xfe]), false],
    ['65 KiB', 1009, Buffer.alloc(65 * 1024, 'x'), false],
    ['a binary frame first', 1008, Buffer.from('{}'), true],
  ])('[R-35] %s closes %d', async (_name, code, data, binary) => {
    const socket = agentSocket();
    socket.on('open', () => socket.send(data, { binary }));
    expect(await closed(socket)).toBe(code);
  });

  it('[R-35] endless fragments end at the same size', async () => {
    const socket = agentSocket();
    socket.on('error', () => undefined);
    socket.on('open', () => {
      for (let part = 0; part < 20; part += 1) {
        socket.send('x'.repeat(8 * 1024), { fin: false, binary: false });
      }
    });
    expect(await closed(socket)).toBe(1009);
  });

  it('[R-35] a browser socket takes 16 KiB at most', async () => {
    const socket = new WebSocket(`ws://${server.host}/ws/live`, { origin: own });
    socket.on('open', () => socket.send('x'.repeat(17 * 1024)));
    expect(await closed(socket)).toBe(1009);
  });
});
