import { describe, expect, it } from 'vitest';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import { LiveClient, type SocketEvents } from '@/lib/client/live-client';
import type { LiveFrame, LiveRequest } from '@/lib/protocol/live-frames';
import { FakeClock } from '@/tests/support/fake-clock';

const SERVER_AHEAD_MS = 60_000;

class FakeSocket {
  readonly sent: LiveRequest[] = [];
  closedWith: number | null = null;

  constructor(readonly events: SocketEvents) {}

  readonly handle = {
    send: (text: string) => void this.sent.push(JSON.parse(text) as LiveRequest),
    close: (code?: number) => void (this.closedWith = code ?? 1000),
  };

  say(frame: LiveFrame) {
    this.events.message(JSON.stringify(frame));
  }
}

const row = (id: string) => breakerFixture(1_000_000, { id });

function setup() {
  const clock = new FakeClock(1_000_000);
  const sockets: FakeSocket[] = [];
  const client = new LiveClient({
    clock,
    random: () => 0.5,
    connect: (events) => {
      const socket = new FakeSocket(events);
      sockets.push(socket);
      return socket.handle;
    },
  });
  const last = () => sockets.at(-1)!;
  const serverNow = () => clock.now() + SERVER_AHEAD_MS;
  const say = {
    snapshot: (revision = 10, serverEpoch = 'e1') =>
      last().say({
        type: 'snapshot',
        serverEpoch,
        revision,
        now: serverNow(),
        environmentNames: ['production'],
        breakers: [row('a'), row('b')],
        services: [],
        overrides: [],
      }),
    patch: (from: number, to: number, part = {}) =>
      last().say({ type: 'patch', fromRevision: from, toRevision: to, now: serverNow(), ...part }),
    heartbeat: (revision: number) => last().say({ type: 'heartbeat', revision, now: serverNow() }),
  };
  const connected = () => {
    client.start();
    last().events.open();
    say.snapshot();
  };
  return { clock, client, sockets, last, say, connected };
}

describe('opening', () => {
  it('opens one socket however often it is started, and asks for the fleet', () => {
    const { client, sockets, last } = setup();
    client.start();
    client.start();
    last().events.open();
    expect(sockets).toHaveLength(1);
    expect(last().sent).toEqual([{ type: 'open', topics: ['fleet'] }]);
    expect(client.connection()).toEqual({ status: 'connecting' });
  });

  it('is live after the snapshot and knows the server clock', () => {
    const { client, clock, connected } = setup();
    connected();
    expect(client.connection()).toEqual({ status: 'live' });
    expect(client.serverNow()).toBe(clock.now() + SERVER_AHEAD_MS);
    expect(client.store.list().map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('says offline when nothing has answered for three seconds', () => {
    const { client, clock } = setup();
    client.start();
    clock.advance(3_500);
    expect(client.connection()).toEqual({ status: 'offline', since: null, refused: false });
  });
});

describe('staying live', () => {
  it('asks an idle server for a word, and stays live when it answers', () => {
    const { client, clock, last, connected } = setup();
    connected();
    clock.advance(2_000);
    expect(last().sent.at(-1)).toEqual({ type: 'topics', topics: ['fleet'] });
    last().say({ type: 'subscribed', topics: ['fleet'], revision: 10 });
    clock.advance(2_500);
    expect(client.connection()).toEqual({ status: 'live' });
  });

  it('is stale after three silent seconds, dated by the last word, and live with the next', () => {
    const { client, clock, say, connected } = setup();
    connected();
    const lastWord = client.serverNow();
    clock.advance(3_500);
    expect(client.connection()).toEqual({ status: 'stale', since: lastWord });
    say.heartbeat(10);
    expect(client.connection()).toEqual({ status: 'live' });
  });

  it('stops the live second hand while stale, not the wall one', () => {
    const { client, clock, connected } = setup();
    connected();
    client.ticker.watch(() => undefined);
    clock.advance(3_500);
    const frozen = client.ticker.live();
    const wall = client.ticker.wall();
    clock.advance(5_000);
    expect(client.ticker.live()).toBe(frozen);
    expect(client.ticker.wall()).toBe(wall + 5_000);
  });

  it('gives a silent socket up after two heartbeats and comes back with its cursor', () => {
    const { clock, sockets, last, connected } = setup();
    connected();
    clock.advance(10_500);
    expect(sockets[0]!.closedWith).toBe(4102);
    clock.advance(1_000);
    last().events.open();
    expect(last().sent[0]).toEqual({
      type: 'open',
      cursor: { serverEpoch: 'e1', revision: 10 },
      topics: ['fleet'],
    });
  });
});

describe('losing patches', () => {
  it('reopens with its cursor on a gap, and without it when that did not help', () => {
    const { sockets, clock, last, say, connected } = setup();
    connected();
    say.patch(11, 11, { breakers: [{ id: 'a', level: 1 }] });
    say.patch(13, 13);
    expect(sockets[0]!.closedWith).toBe(4103);
    clock.advance(0);
    last().events.open();
    expect(last().sent[0]).toMatchObject({ cursor: { revision: 11 } });
    say.patch(14, 14);
    clock.advance(0);
    last().events.open();
    expect(sockets).toHaveLength(3);
    expect(last().sent[0]).not.toHaveProperty('cursor');
  });

  it('takes a declared reset: the old picture stays until the snapshot', () => {
    const { client, last, say, connected } = setup();
    connected();
    last().say({ type: 'reset', reason: 'cursor too old' });
    expect(client.store.list()).toHaveLength(2);
    say.snapshot(3, 'e2');
    expect(client.store.fleet.serverEpoch).toBe('e2');
  });

  it('ignores a frame it cannot read', () => {
    const { client, last, connected } = setup();
    connected();
    last().events.message('{"type":"patch"');
    last().events.message('{"type":"patch","fromRevision":"x"}');
    expect(client.store.fleet.revision).toBe(10);
  });
});

describe('reconnecting', () => {
  it('waits with full jitter, longer each time, and starts over once it is heard', () => {
    const { clock, sockets, last, say, connected } = setup();
    connected();
    last().events.close(1006);
    clock.advance(249);
    expect(sockets).toHaveLength(1);
    clock.advance(1);
    expect(sockets).toHaveLength(2);
    last().events.close(1006);
    clock.advance(499);
    expect(sockets).toHaveLength(2);
    clock.advance(1);
    last().events.open();
    say.patch(11, 11);
    last().events.close(1012);
    clock.advance(250);
    expect(sockets).toHaveLength(4);
  });

  it('does not come back by itself when it would only be refused', () => {
    const { client, clock, sockets, last, connected } = setup();
    connected();
    last().events.close(4002);
    clock.advance(60_000);
    expect(sockets).toHaveLength(1);
    expect(client.connection()).toMatchObject({ status: 'offline', refused: true });
    client.reconnectNow();
    expect(sockets).toHaveLength(2);
  });

  it('ignores events of a socket that was given up', () => {
    const { client, sockets, clock, say, connected } = setup();
    connected();
    say.patch(13, 13);
    clock.advance(0);
    sockets[0]!.events.close(1006);
    sockets[0]!.say({ type: 'heartbeat', revision: 99, now: 0 });
    expect(client.store.fleet.revision).toBe(10);
    expect(sockets).toHaveLength(2);
  });

  it('tells those who fetched over HTTP to look again', () => {
    const { client, clock, last, say, connected } = setup();
    let resyncs = 0;
    client.watchResync(() => (resyncs += 1));
    connected();
    expect(resyncs).toBe(0);
    last().events.close(1006);
    clock.advance(250);
    last().events.open();
    say.patch(11, 11);
    expect(resyncs).toBe(1);
  });
});

describe('topics and rows', () => {
  it('counts who wants a topic and passes detail on', () => {
    const { client, last, say, connected } = setup();
    connected();
    const seen: unknown[] = [];
    const first = client.wantTopic('breaker:a', (detail) => seen.push(detail));
    const second = client.wantTopic('breaker:a');
    expect(last().sent.filter(({ type }) => type === 'topics')).toHaveLength(1);
    say.patch(11, 11, { detail: { a: { events: [] }, b: {} } });
    expect(seen).toEqual([{ events: [] }]);
    second();
    expect(last().sent.filter(({ type }) => type === 'topics')).toHaveLength(1);
    first();
    expect(last().sent.at(-1)).toEqual({ type: 'topics', topics: ['fleet'] });
  });

  it('wakes the watcher of the row that changed, and only that one', () => {
    const { client, say, connected } = setup();
    connected();
    const woken: string[] = [];
    client.store.watchRow('a', () => woken.push('a'));
    client.store.watchRow('b', () => woken.push('b'));
    say.patch(11, 11, { breakers: [{ id: 'b', callsPerSecond: 7 }] });
    expect(woken).toEqual(['b']);
  });

  it('publishes the list at once for a state, within a second for figures', () => {
    const { client, clock, say, connected } = setup();
    connected();
    let published = 0;
    client.store.channels.add('list', () => (published += 1));
    say.patch(11, 11, { breakers: [{ id: 'a', callsPerSecond: 7 }] });
    say.patch(12, 12, { breakers: [{ id: 'a', callsPerSecond: 8 }] });
    expect(published).toBe(0);
    clock.advance(1_000);
    expect(published).toBe(1);
    say.patch(13, 13, { breakers: [{ id: 'a', state: 'open' }] });
    expect(published).toBe(2);
    expect(client.store.summary().open).toBe(1);
  });
});

describe('[U-11] a storm of states', () => {
  it('rebuilds the list ten times a second at most, and no state waits longer than 100 ms', () => {
    const { client, clock, say, connected } = setup();
    connected();
    clock.advance(1_000);
    let published = 0;
    client.store.channels.add('list', () => (published += 1));
    let revision = 10;
    for (let patch = 0; patch < 100; patch += 1) {
      const state = patch % 2 === 0 ? 'open' : 'closed';
      revision += 1;
      say.patch(revision, revision, { breakers: [{ id: 'a', state }] });
      clock.advance(10);
    }
    expect(published).toBeLessThanOrEqual(11);
    revision += 1;
    say.patch(revision, revision, { breakers: [{ id: 'a', state: 'open' }] });
    clock.advance(100);
    expect(client.store.summary().open).toBe(1);
  });
});

describe('[U-31] pausing', () => {
  it('stops the second hand and details, and asks for a fresh look when it ends', () => {
    const { client, clock, connected, say } = setup();
    connected();
    const details: unknown[] = [];
    let resyncs = 0;
    client.wantTopic('breaker:a', (detail) => void details.push(detail));
    client.watchResync(() => void (resyncs += 1));
    client.setPaused(true);
    const at = client.ticker.live();
    clock.advance(2_000);
    say.patch(11, 11, { detail: { a: { points: [], probes: [], events: [] } } });
    expect(client.ticker.live()).toBe(at);
    expect(client.ticker.wall()).toBe(at + 2_000);
    expect(details).toEqual([]);
    expect(client.connection()).toEqual({ status: 'live' });

    client.setPaused(false);
    expect(client.ticker.live()).toBe(at + 2_000);
    expect(resyncs).toBe(1);
  });
});
