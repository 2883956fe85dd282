import { describe, expect, it } from 'vitest';
import type { LivePatch } from '@/lib/protocol/live-frames';
import { liveFrame } from '@/lib/protocol/live-frames';
import { createLiveGateway } from '@/server/gateways/live';
import { fakeServerClock } from '@/tests/server/fakes/clock';
import { recordingLog } from '@/tests/server/fakes/log';
import { fakeFeed } from '@/tests/server/fakes/services';
import { overrideView } from '@/tests/server/fakes/views';
import { adaUser, liveSession } from './live-session';
import { FakeSocket } from './fake-socket';

function world() {
  const clock = fakeServerClock();
  const feed = fakeFeed();
  const log = recordingLog();
  const session = liveSession();
  const gateway = createLiveGateway({ feed, clock, log, newId: () => 'fault-1', ...session });
  const connect = () => {
    const socket = new FakeSocket();
    gateway.accept(socket, adaUser);
    return socket;
  };
  const open = (topics: string[] = ['fleet'], cursor?: object) => {
    const socket = connect();
    socket.receive({ type: 'open', ticket: 'ticket-1', topics, ...(cursor ? { cursor } : {}) });
    return socket;
  };
  return { clock, feed, log, gateway, connect, open, session: session.state };
}

const breakers = (callsPerSecond: number): Partial<LivePatch> => ({
  breakers: [{ id: 'br_1', callsPerSecond }],
});
const idOf = ({ id }: { id: string }): string => id;
const opened = (id: string): Partial<LivePatch> => ({ breakers: [{ id, state: 'open' }] });
const point = (at: number): Partial<LivePatch> => ({
  detail: { br_1: { events: [historyEvent(at)] } },
});
const historyEvent = (id: number) => ({
  id,
  breakerId: 'br_1',
  instanceId: 'ins_1',
  instance: 'one',
  type: 'transition',
  at: id,
  agentAt: id,
  receivedAt: id,
  run: '1',
  seq: id,
  data: { note: 'x'.repeat(1_000) },
});

describe('opening', () => {
  it('answers with a snapshot of the topics', () => {
    const { open } = world();
    expect(open().types).toEqual(['snapshot']);
    expect(open(['fleet', 'instances']).sent[0]).toHaveProperty('instances');
    expect(open().sent[0]).not.toHaveProperty('instances');
    expect(liveFrame.safeParse(open().sent[0]).success).toBe(true);
  });

  it('[R-13] resumes from a cursor of this start with one patch, or says that nothing is missing', () => {
    const { open, feed } = world();
    const cursor = { serverEpoch: 'epoch-1', revision: 8 };
    expect(open(['fleet'], cursor).sent).toMatchObject([{ type: 'heartbeat', revision: 10 }]);
    feed.missed = { type: 'patch', fromRevision: 9, toRevision: 10, now: 1, ...breakers(3) };
    expect(open(['fleet'], cursor).sent).toEqual([feed.missed]);
  });

  it.each([
    ['of another start', { serverEpoch: 'epoch-0', revision: 10 }, null],
    ['too old', { serverEpoch: 'epoch-1', revision: 1 }, 'lost' as const],
    ['from the future', { serverEpoch: 'epoch-1', revision: 99 }, 'lost' as const],
  ])('[R-13] declares a reset for a cursor %s', (_name, cursor, missed) => {
    const { open, feed } = world();
    feed.missed = missed;
    expect(open(['fleet'], cursor).types).toEqual(['reset', 'snapshot']);
  });

  it('[S-05] closes who does not open within five seconds', () => {
    const { connect, clock } = world();
    const socket = connect();
    clock.advance(5_000);
    expect(socket.closedWith?.code).toBe(4100);
  });

  it.each([
    ['topics first', { type: 'topics', topics: ['fleet'] }],
    ['an agent frame', { type: 'hello' }],
    ['a topic that does not exist', { type: 'open', topics: ['secrets'] }],
    ['a prototype key', '{"type":"open","topics":[],"__proto__":{}}'],
    ['17 topics', { type: 'open', topics: Array.from({ length: 17 }, (_, i) => `breaker:${i}`) }],
  ])('[S-05] takes nothing else first: %s', (_name, frame) => {
    const { connect, feed } = world();
    const socket = connect();
    socket.receive(frame);
    expect(socket.closedWith?.code).toBe(1008);
    expect(feed.watched.size).toBe(0);
  });

  it('[S-20] takes no more than 4 KiB before it is open', () => {
    const socket = world().connect();
    socket.receive({ type: 'open', topics: [], filler: 'x'.repeat(4_096) });
    expect(socket.closedWith?.code).toBe(1009);
  });

  it('[S-41] says nothing of what went wrong inside', () => {
    const { connect, feed, log } = world();
    feed.snapshot = () => {
      throw new Error('secret detail');
    };
    const socket = connect();
    socket.receive({ type: 'open', ticket: 'ticket-1', topics: ['fleet'] });
    expect(socket.closedWith).toEqual({ code: 1011, reason: 'unexpected failure fault-1' });
    expect(log.lines).toHaveLength(1);
  });
});

describe('patches', () => {
  it('[R-14] are cut to the topics and joined to the snapshot without a hole', () => {
    const { open, feed, clock } = world();
    const fleet = open(['fleet']);
    const instances = open(['instances']);
    feed.publish(breakers(1));
    clock.advance(100);
    feed.publish({ removedInstances: ['ins_9'] });
    clock.advance(100);
    feed.publish(breakers(2));
    expect(fleet.of('patch')).toMatchObject([
      { fromRevision: 11, toRevision: 11 },
      { fromRevision: 12, toRevision: 13, breakers: [{ callsPerSecond: 2 }] },
    ]);
    expect(instances.of('patch')).toMatchObject([{ toRevision: 12, removedInstances: ['ins_9'] }]);
  });

  it('never starts after the revision that a late reader holds', () => {
    const { open, feed, clock } = world();
    open(['fleet']);
    feed.publish({ removedInstances: ['ins_9'] });
    const late = open(['fleet']);
    feed.publish(breakers(1));
    clock.advance(100);
    expect(late.of('snapshot')[0]).toMatchObject({ revision: 11 });
    expect(late.of('patch')[0]?.['fromRevision']).toBeLessThanOrEqual(12);
  });

  it('are serialised once for all readers of the same topics', () => {
    const { open, feed } = world();
    const readers = [open(['fleet', 'breaker:br_1']), open(['breaker:br_1', 'fleet'])];
    feed.publish(breakers(1));
    const [first, second] = readers.map((socket) => socket.raw.at(-1));
    expect(first).toBeInstanceOf(Buffer);
    expect(second).toBe(first);
  });

  it('bring detail only to who watches, and the feed knows who does', () => {
    const { open, feed } = world();
    const watching = open(['fleet', 'breaker:br_1']);
    const other = open(['fleet']);
    expect([...feed.watched]).toEqual(['br_1']);
    feed.publish(point(1));
    expect(watching.of('patch')).toHaveLength(1);
    expect(other.of('patch')).toHaveLength(0);
    watching.leave();
    expect(feed.watched.size).toBe(0);
  });
});

describe('[U-11] a storm', () => {
  it('comes as ten frames a second, with all of it', () => {
    const { open, feed, clock } = world();
    const socket = open(['fleet']);
    for (let at = 0; at < 50; at += 1) {
      feed.publish(opened(`br_${at}`));
      clock.advance(20);
    }
    const patches = socket.of('patch');
    expect(patches).toHaveLength(11);
    const ids = patches.flatMap((patch) => (patch['breakers'] as { id: string }[]).map(idOf));
    expect(ids).toEqual(Array.from({ length: 50 }, (_, at) => `br_${at}`));
    expect(patches.map(({ fromRevision }) => fromRevision).slice(1)).toEqual(
      patches.slice(0, -1).map(({ toRevision }) => Number(toRevision) + 1),
    );
  });

  it('holds no state back after a quiet moment, though figures have just gone out', () => {
    const { open, feed, clock } = world();
    const socket = open(['fleet']);
    feed.publish(breakers(1));
    clock.advance(10);
    feed.publish(opened('br_1'));
    expect(socket.of('patch')).toHaveLength(2);
  });

  it('brings a state before figures that wait longer', () => {
    const { open, feed, clock } = world();
    const socket = open(['fleet']);
    feed.publish(opened('br_1'));
    clock.advance(60);
    feed.publish(breakers(1));
    clock.advance(30);
    feed.publish(breakers(2));
    feed.publish(opened('br_2'));
    expect(socket.of('patch')).toHaveLength(1);
    clock.advance(10);
    expect(socket.of('patch')).toHaveLength(2);
    expect(socket.of('patch')[1]).toMatchObject({ fromRevision: 12, toRevision: 14 });
    clock.advance(1_000);
    expect(socket.of('patch')).toHaveLength(2);
  });

  it('does not make a person wait for an override, nor for what came before it', () => {
    const { open, feed } = world();
    const socket = open(['fleet']);
    feed.publish(opened('br_1'));
    feed.publish(opened('br_2'));
    feed.publish({ overrides: [overrideView] });
    expect(socket.of('patch')).toHaveLength(2);
    expect(socket.of('patch')[1]).toMatchObject({ fromRevision: 12, toRevision: 13 });
  });

  it('is never named by a heartbeat or an answer before it was handed out', () => {
    const { open, feed, clock } = world();
    const socket = open(['fleet']);
    clock.advance(4_950);
    feed.publish(opened('br_1'));
    feed.publish(opened('br_2'));
    clock.advance(50);
    expect(socket.sent.slice(-2)).toMatchObject([
      { type: 'patch', toRevision: 11 },
      { type: 'heartbeat', revision: 11 },
    ]);
    socket.receive({ type: 'topics', topics: ['fleet'] });
    expect(socket.sent.at(-1)).toMatchObject({ type: 'subscribed', revision: 11 });
    // Other topics begin where the readers of them are.
    socket.receive({ type: 'topics', topics: ['fleet', 'breaker:br_1'] });
    expect(socket.sent.slice(-3).filter(({ type }) => type !== 'presence')).toMatchObject([
      { type: 'patch', toRevision: 12 },
      { type: 'subscribed', revision: 12 },
    ]);
  });

  it('stays at ten frames a second however many heartbeats are due in between', () => {
    const { open, feed, clock } = world();
    const [first] = Array.from({ length: 20 }, () => {
      clock.advance(10);
      return open(['fleet']);
    });
    clock.advance(4_700);
    for (let at = 0; at < 50; at += 1) {
      feed.publish(opened(`br_${at}`));
      clock.advance(10);
    }
    expect(first?.of('patch')).toHaveLength(6);
  });
});

describe('changing topics', () => {
  it('answers subscribed, watches and stops watching', () => {
    const { open, feed } = world();
    const socket = open(['fleet']);
    socket.receive({ type: 'topics', topics: ['fleet', 'breaker:br_1'] });
    expect(socket.sent.at(-1)).toEqual({
      type: 'subscribed',
      topics: ['fleet', 'breaker:br_1'],
      revision: 10,
    });
    expect([...feed.watched]).toEqual(['br_1']);
    socket.receive({ type: 'topics', topics: ['fleet'] });
    expect(feed.watched.size).toBe(0);
    feed.publish(point(1));
    expect(socket.of('patch')).toEqual([]);
  });

  it('sends a snapshot when rows are asked for that only a snapshot has', () => {
    const { open } = world();
    const socket = open(['fleet']);
    socket.receive({ type: 'topics', topics: ['fleet', 'instances'] });
    expect(socket.types).toEqual(['snapshot', 'subscribed', 'snapshot']);
    expect(socket.sent.at(-1)).toHaveProperty('instances');
    socket.receive({ type: 'topics', topics: ['fleet', 'instances'] });
    expect(socket.types.at(-1)).toBe('subscribed');
  });
});

describe('a slow reader', () => {
  it('[R-15] gets patches joined: the latest value, every transition', () => {
    const { open, feed, clock } = world();
    const slow = open(['fleet', 'breaker:br_1']);
    const quick = open(['fleet', 'breaker:br_1']);
    slow.bufferedAmount = 300 * 1024;
    for (let time = 1; time <= 5; time += 1) {
      feed.publish({ ...breakers(time), ...point(time) });
      clock.advance(100);
    }
    expect(quick.of('patch')).toHaveLength(5);
    expect(slow.of('patch')).toHaveLength(0);

    slow.bufferedAmount = 0;
    clock.advance(100);
    const [patch] = slow.of('patch');
    expect(patch).toMatchObject({
      fromRevision: 11,
      toRevision: 15,
      breakers: [{ callsPerSecond: 5 }],
    });
    const detail = patch?.['detail'] as { br_1: { events: unknown[] } };
    expect(detail.br_1.events).toHaveLength(5);
    feed.publish(breakers(6));
    expect(slow.of('patch')).toHaveLength(2);
  });

  it('[R-15] is never told of a revision that it was not sent', () => {
    const { open, feed, clock } = world();
    const slow = open();
    slow.bufferedAmount = 300 * 1024;
    feed.publish(breakers(1));
    clock.advance(5_000);
    expect(slow.of('heartbeat')).toMatchObject([{ revision: 10 }]);
  });

  it('[R-15] is closed after five seconds a megabyte behind, with a code that lets it return', () => {
    const { open, feed, clock } = world();
    const slow = open();
    const quick = open();
    slow.bufferedAmount = 300 * 1024;
    slow.stalled = true;
    const bulk: Partial<LivePatch> = {
      overrides: Array.from({ length: 300 }, (_, index) => ({
        ...overrideView,
        id: `ovr_${index}`,
      })),
    };
    for (let time = 0; time < 8; time += 1) feed.publish(bulk);
    clock.advance(4_900);
    expect(slow.closedWith).toBeNull();
    clock.advance(300);
    expect(slow.closedWith?.code).toBe(4101);
    expect(quick.closedWith).toBeNull();
    expect(quick.of('patch')).toHaveLength(8);
  });

  it('[R-15] is let be when it catches up in time', () => {
    const { open, clock } = world();
    const slow = open();
    slow.bufferedAmount = 2 * 1024 * 1024;
    slow.receive({ type: 'topics', topics: ['fleet'] });
    clock.advance(4_000);
    slow.bufferedAmount = 10;
    clock.advance(200);
    slow.bufferedAmount = 2 * 1024 * 1024;
    slow.receive({ type: 'topics', topics: ['fleet'] });
    clock.advance(4_000);
    expect(slow.closedWith).toBeNull();
  });
});

describe('a live socket over time', () => {
  it('says every five seconds where it stands', () => {
    const { open, feed, clock } = world();
    const socket = open();
    feed.publish({ removedInstances: ['ins_9'] });
    clock.advance(10_000);
    expect(socket.of('heartbeat')).toMatchObject([{ revision: 11 }, { revision: 11 }]);
  });

  it('[R-09] is closed when the browser answers no ping', () => {
    const { open, clock } = world();
    const dead = open();
    const alive = open();
    for (let time = 0; time < 6; time += 1) {
      clock.advance(10_000);
      alive.receivePong();
    }
    expect(dead.closedWith?.code).toBe(4102);
    expect(alive.closedWith).toBeNull();
    expect(alive.pings).toBe(3);
  });

  it('[S-20] is not read past twenty requests a second', () => {
    const { open, clock } = world();
    const socket = open();
    for (let time = 0; time < 40; time += 1) socket.receive({ type: 'topics', topics: ['fleet'] });
    expect(socket.paused).toBe(true);
    clock.advance(50);
    expect(socket.paused).toBe(false);
  });

  it('[R-35] is told of five unreadable requests, then closed', () => {
    const { open } = world();
    const socket = open();
    for (let time = 0; time < 5; time += 1) socket.receive('{');
    expect(socket.of('error')).toHaveLength(5);
    expect(socket.closedWith?.code).toBe(1008);
  });

  it('[R-37] closes 1012 on stop and leaves nothing running', () => {
    const { open, gateway, feed, clock } = world();
    const socket = open(['fleet', 'breaker:br_1']);
    gateway.stop();
    expect(socket.closedWith?.code).toBe(1012);
    expect(gateway.connections).toBe(0);
    expect(feed.listeners).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
