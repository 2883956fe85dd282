import { describe, expect, it } from 'vitest';
import { createLiveGateway } from '@/server/gateways/live';
import type { User } from '@/server/auth/identity/sessions';
import { liveFrame } from '@/lib/protocol/live-frames';
import { fakeServerClock } from '@/tests/server/fakes/clock';
import { recordingLog } from '@/tests/server/fakes/log';
import { fakeFeed } from '@/tests/server/fakes/services';
import { ada, bob, eve, personNamed } from '@/tests/support/callers';
import { FakeSocket } from './fake-socket';
import { liveSession } from './live-session';

const TEN_MINUTES_MS = 600_000;

function world() {
  const clock = fakeServerClock();
  const session = liveSession();
  const gateway = createLiveGateway({
    feed: fakeFeed(),
    clock,
    log: recordingLog(),
    newId: () => 'fault-1',
    ...session,
  });
  const open = (who: typeof ada, ...topics: string[]) => {
    const socket = new FakeSocket();
    gateway.accept(socket, who.principal as User);
    socket.receive({ type: 'open', ticket: 'ticket-1', topics: ['fleet', ...topics] });
    return socket;
  };
  return { clock, open };
}

const want = (socket: FakeSocket, ...topics: string[]): void =>
  socket.receive({ type: 'topics', topics: ['fleet', ...topics] });

/** What this socket was told last about the breaker; null when it was told nothing. */
function told(socket: FakeSocket, breakerId = 'br_1') {
  const frames = socket.sent.filter(
    (frame): frame is { people: { name: string; preparingSince: number | null }[] } =>
      Reflect.get(frame as object, 'type') === 'presence' &&
      Reflect.get(frame as object, 'breakerId') === breakerId,
  );
  return frames.at(-1)?.people ?? null;
}
const names = (socket: FakeSocket) =>
  told(socket)?.map(({ name, preparingSince }) => `${name}${preparingSince === null ? '' : '!'}`);

describe('[U-48] who else is at a breaker', () => {
  it('tells those who look at it of each other, and of an override in the making', () => {
    const { open } = world();
    const first = open(ada, 'breaker:br_1');
    expect(told(first)).toEqual([]);
    const second = open(bob, 'breaker:br_1');
    expect(names(first)).toEqual(['bob']);
    expect(names(second)).toEqual(['ada']);
    want(second, 'breaker:br_1', 'preparing:br_1');
    expect(names(first)).toEqual(['bob!']);
    expect(names(second)).toEqual(['ada']);
    expect(first.sent.every((frame) => liveFrame.safeParse(frame).success)).toBe(true);
    want(second, 'breaker:br_1');
    expect(names(first)).toEqual(['bob']);
    want(second);
    expect(names(first)).toEqual([]);
  });

  it('tells one who prepares from the fleet, without the page of the breaker', () => {
    const { open } = world();
    const first = open(ada, 'preparing:br_1');
    open(bob, 'preparing:br_1');
    expect(names(first)).toEqual(['bob!']);
  });

  it('tells nobody who looks elsewhere', () => {
    const { open } = world();
    const elsewhere = open(eve, 'breaker:br_2');
    const fleet = open(ada);
    open(bob, 'breaker:br_1', 'preparing:br_1');
    expect(told(elsewhere)).toBeNull();
    expect(told(fleet)).toBeNull();
  });

  it('ends with the socket', () => {
    const { open } = world();
    const first = open(ada, 'breaker:br_1');
    const second = open(bob, 'preparing:br_1');
    expect(names(first)).toEqual(['bob!']);
    second.leave();
    expect(names(first)).toEqual([]);
  });

  it('ends by itself when a dialog is left open', () => {
    const { open, clock } = world();
    const first = open(ada, 'breaker:br_1');
    const second = open(bob, 'preparing:br_1');
    const answer = () => {
      for (const socket of [first, second]) socket.receivePong();
    };
    for (let at = 0; at < TEN_MINUTES_MS - 5_000; at += 5_000) {
      clock.advance(5_000);
      answer();
    }
    expect(names(first)).toEqual(['bob!']);
    clock.advance(5_000);
    expect(names(first)).toEqual(['bob']);
  });

  it('is not about oneself in another tab, and names a person with two tabs once', () => {
    const { open } = world();
    const first = open(ada, 'breaker:br_1');
    open(ada, 'preparing:br_1');
    expect(told(first)).toEqual([]);
    open(bob, 'breaker:br_1');
    open(bob, 'preparing:br_1');
    expect(names(first)).toEqual(['bob!']);
  });

  it('is for those who may see the breaker: others get no socket at all', () => {
    const { open } = world();
    const first = open(ada, 'breaker:br_1');
    const stranger = open(personNamed('kim', []), 'breaker:br_1', 'preparing:br_1');
    expect(stranger.closedWith?.code).toBe(4001);
    expect(told(stranger)).toBeNull();
    expect(told(first)).toEqual([]);
  });

  it('repeating the same topics, as an idle page does, tells nothing anew', () => {
    const { open } = world();
    const first = open(ada, 'breaker:br_1');
    const second = open(bob, 'breaker:br_1');
    const before = first.sent.length;
    want(second, 'breaker:br_1');
    expect(first.sent).toHaveLength(before);
  });
});
