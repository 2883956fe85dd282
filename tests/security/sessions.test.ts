import { describe, expect, it } from 'vitest';
import { settle } from '@/tests/services/support';
import { SoftPasskey } from './authenticator';
import { addTotp, at, openConsole, person, root, visit, Visitor, type Console } from './console';

const HOUR_MS = 3_600_000;
const kim = person('kim', at('operator', 'prod'));

async function idOf(console: Console, email: string): Promise<string> {
  return (await console.store.people.findPerson({ email }))?.id ?? '';
}

describe('[S-10] a session', () => {
  it('ends after eight idle hours, and goes on while it is used', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    console.clock.fake.jump(8 * HOUR_MS - 1);
    expect((await visitor.get('/api/me')).status).toBe(200);
    await settle();
    console.clock.fake.jump(8 * HOUR_MS - 1);
    expect((await visitor.get('/api/me')).status).toBe(200);
    await settle();
    console.clock.fake.jump(8 * HOUR_MS);
    expect((await visitor.get('/api/me')).status).toBe(401);
  });

  it('ends after 24 hours, however much it is used', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    for (let hour = 1; hour < 24; hour += 1) {
      console.clock.fake.jump(HOUR_MS);
      expect((await visitor.get('/api/me')).status).toBe(200);
      await settle();
    }
    console.clock.fake.jump(HOUR_MS);
    expect((await visitor.get('/api/me')).status).toBe(401);
  });

  it('[S-39] its end clears what the browser has kept', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const before = visitor.cookie;
    const answer = await visitor.post('/api/sign-out');
    expect(answer.headers['clear-site-data']).toBe('"cache", "cookies", "storage"');
    expect(visitor.cookie).toBe('');
    visitor.cookie = before;
    expect((await visitor.get('/api/me')).status).toBe(401);
  });

  it('is one of several that its owner sees and ends', async () => {
    const console = await openConsole();
    const [one, two] = [await visit(console), await visit(console)];
    const list = async () =>
      ((await one.get('/api/profile')).json() as { sessions: { id: string; isCurrent: boolean }[] })
        .sessions;
    const other = (await list()).find(({ isCurrent }) => !isCurrent)?.id ?? '';
    expect((await one.post(`/api/profile/sessions/${other}/end`)).status).toBe(200);
    expect((await two.get('/api/me')).status).toBe(401);
    await visit(console);
    expect((await one.post('/api/profile/sessions/end-others')).status).toBe(200);
    expect(await list()).toHaveLength(1);
  });

  it('of somebody else cannot be ended by its id', async () => {
    const console = await openConsole({ people: [kim] });
    const victim = await visit(console);
    const sessions = await console.store.people.listSessions(await idOf(console, root.email));
    const thief = await visit(console, kim);
    const answer = await thief.post(`/api/profile/sessions/${sessions[0]?.id}/end`);
    expect(answer.status).toBe(404);
    expect((await victim.get('/api/me')).status).toBe(200);
  });
});

/** What somebody, or an admin, does while kim's socket is open. */
const changes: Record<string, (console: Console, own: Visitor) => Promise<unknown>> = {
  'signing out': (_console, own) => own.post('/api/sign-out'),
  'a new password': (_console, own) =>
    own.post('/api/profile/password', { current: kim.password, next: 'quite-another-orchard' }),
  'an authenticator app': (_console, own) => addTotp(own, kim),
  'a passkey': async (console, own) => {
    const { options } = (await own.post('/api/profile/passkeys/start')).json() as {
      options: Record<string, unknown>;
    };
    const response = new SoftPasskey(console.url).create(options);
    return own.post('/api/profile/passkeys/confirm', { response });
  },
  'other roles': async (console) => {
    const id = await idOf(console, kim.email);
    return (await visit(console)).post(`/api/people/${id}/grants`, { grants: at('viewer') });
  },
  'being disabled': async (console) =>
    (await visit(console)).post(`/api/people/${await idOf(console, kim.email)}/disable`),
  'factors that are reset': async (console) =>
    (await visit(console)).post(`/api/people/${await idOf(console, kim.email)}/reset-factors`),
  'signing out everywhere': async (console) =>
    (await visit(console)).post(`/api/people/${await idOf(console, kim.email)}/sign-out`),
};
/** After these the person comes back with a new ticket; after the others there is no session. */
const GOES_ON = new Set(['a new password', 'an authenticator app', 'a passkey', 'other roles']);

describe('[S-10] an open live socket', () => {
  it.each(Object.entries(changes))('closes within a second of %s', async (what, change) => {
    const console = await openConsole({ people: [kim] });
    const visitor = await visit(console, kim);
    const live = await visitor.live();
    await expect.poll(() => live.types).toContain('snapshot');
    const heard = live.types.length;
    const changedAt = performance.now();
    await change(console, visitor);
    expect(await live.closed).toBe(GOES_ON.has(what) ? 4104 : 4001);
    // The clock of the server did not move: nothing waited for a timer.
    expect(performance.now() - changedAt).toBeLessThan(10_000);
    expect(live.types.length).toBe(heard);
    const again = await visitor.get('/api/fleet');
    expect(again.status).toBe(GOES_ON.has(what) ? 200 : 401);
  });

  it('of somebody else stays', async () => {
    const console = await openConsole({ people: [kim] });
    const other = await (await visit(console)).live();
    await expect.poll(() => other.types).toContain('snapshot');
    await changes['a new password']?.(console, await visit(console, kim));
    await settle();
    expect(other.socket.readyState).toBe(other.socket.OPEN);
  });

  it('is asked again every minute, so that an end that nobody told of is found', async () => {
    const console = await openConsole({ people: [kim] });
    const live = await (await visit(console, kim)).live();
    await expect.poll(() => live.types).toContain('snapshot');
    const where = [
      {
        field: 'userId',
        operator: 'eq',
        value: await idOf(console, kim.email),
        connector: 'AND',
      },
    ] as const;
    await console.store.people.auth.remove({ model: 'session', where }, null);
    expect(live.socket.readyState).toBe(live.socket.OPEN);
    for (let seconds = 0; seconds < 61; seconds += 1) {
      console.clock.fake.advance(1_000);
      await settle();
      // Answers the pings of the server.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await live.closed).toBe(4001);
  });
});

describe('[S-05] the live socket', () => {
  it('takes no upgrade without a session', async () => {
    const console = await openConsole();
    const visitor = new Visitor(console);
    expect(await visitor.connect().refused).toBe(401);
    visitor.cookie = 'recloser.session_token=made.up';
    expect(await visitor.connect().refused).toBe(401);
  });

  it.each([
    ['no ticket', { type: 'open', topics: ['fleet'] }],
    ['a made-up one', { type: 'open', ticket: 'made-up', topics: ['fleet'] }],
  ])('closes for %s, and says nothing before', async (_what, first) => {
    const console = await openConsole();
    const live = (await visit(console)).connect();
    await live.opened;
    live.socket.send(JSON.stringify(first));
    expect(await live.closed).toBe(4001);
    expect(live.types).toEqual([]);
  });

  it('takes a ticket once, within 30 seconds, from the session that it is of', async () => {
    const console = await openConsole({ people: [kim] });
    const [mine, theirs] = [await visit(console), await visit(console, kim)];
    const ticket = await mine.ticket();
    // 128 bits.
    expect(Buffer.from(ticket, 'base64url')).toHaveLength(16);
    const first = await mine.live(ticket);
    await expect.poll(() => first.types).toContain('snapshot');
    expect(await (await mine.live(ticket)).closed).toBe(4001);
    // Stolen by another user: it opens nothing, and is used up for its owner too.
    const stolen = await mine.ticket();
    expect(await (await theirs.live(stolen)).closed).toBe(4001);
    expect(await (await mine.live(stolen)).closed).toBe(4001);
    const late = await mine.ticket();
    console.clock.fake.jump(30_001);
    expect(await (await mine.live(late)).closed).toBe(4001);
  });

  it('[S-19] a ticket is not to be had by a foreign page', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const evil = await visitor.post('/api/live-ticket', {}, { origin: 'https://evil.example' });
    expect(evil.status).toBe(403);
    expect((await visitor.post('/api/live-ticket', {}, { 'x-csrf': 'guess' })).status).toBe(403);
    expect((await visitor.get('/api/live-ticket')).status).toBe(405);
  });

  it('credentials in the address or the subprotocol open nothing', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const ticket = await visitor.ticket();
    const { port, url } = console;
    const upgrade = async (path: string, headers: Record<string, string>) => {
      const { request } = await import('node:http');
      return new Promise<number>((resolve, reject) => {
        const asked = request({
          host: '127.0.0.1',
          port,
          path,
          agent: false,
          headers: {
            host: `localhost:${port}`,
            connection: 'Upgrade',
            upgrade: 'websocket',
            'sec-websocket-version': '13',
            'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
            ...headers,
          },
        });
        asked.on('upgrade', (_response, socket) => {
          socket.destroy();
          resolve(101);
        });
        asked.on('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        asked.on('error', reject);
        asked.end();
      });
    };
    expect(await upgrade(`/ws/live?ticket=${ticket}`, { origin: url })).toBe(404);
    expect(await upgrade('/ws/live', { origin: url, 'sec-websocket-protocol': ticket })).toBe(401);
    // A browser's cookie on the route of agents, and an agent's token on that of browsers.
    const { cookie } = visitor;
    const agentHeaders = { cookie, 'sec-websocket-protocol': 'recloser.agent.v1' };
    expect(await upgrade('/ws/agent', agentHeaders)).toBe(401);
    expect(await upgrade('/ws/agent', { ...agentHeaders, origin: url })).toBe(403);
    const { token } = (
      await visitor.post('/api/tokens', { name: 'a', servicePattern: '*', environment: 'prod' })
    ).json() as { token: string };
    const bearer = { authorization: `Bearer ${token}`, origin: url };
    expect(await upgrade('/ws/live', bearer)).toBe(401);
  });
});
