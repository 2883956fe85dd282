import { describe, expect, it } from 'vitest';
import { parseServerFrame } from '@/lib/protocol/parse';
import { createAgentGateway, type AgentGatewayDeps } from '@/server/gateways/agent';
import { RecloserError } from '@/server/services/errors';
import { fakeServerClock, WALL_START } from '@/tests/server/fakes/clock';
import { recordingLog } from '@/tests/server/fakes/log';
import { fakeAgents, fakeBus, tokenRecord } from '@/tests/server/fakes/services';
import { EPOCH, events, hello, samples } from './agent-frames';
import { FakeSocket, gate, settle } from './fake-socket';

function world(over: Pick<AgentGatewayDeps, 'commandSigner'> = {}) {
  const clock = fakeServerClock();
  const agents = fakeAgents();
  const bus = fakeBus();
  const log = recordingLog();
  const gateway = createAgentGateway({
    agents,
    serverEpoch: 'epoch-1',
    bus,
    clock,
    log,
    random: () => 0.5,
    newId: () => 'fault-1',
    ...over,
  });
  const open = (token = tokenRecord) => {
    const socket = new FakeSocket();
    void gateway.accept(socket, token);
    return socket;
  };
  const live = async (over: Record<string, unknown> = {}) => {
    const socket = open();
    socket.receive(hello(over));
    await settle();
    return socket;
  };
  const calls = (method: string) => agents.calls.filter((call) => call.method === method);
  return { clock, agents, bus, log, gateway, open, live, calls };
}

describe('the agent handshake', () => {
  it('welcomes, then sends the wanted set and a ping, all of them valid frames', async () => {
    const socket = await world().live();
    expect(socket.types).toEqual(['welcome', 'ping', 'desired', 'checkpoint']);
    expect(socket.sent[0]).toMatchObject({
      serverEpoch: 'epoch-1',
      ackedSeq: 0,
      heartbeatMs: 20_000,
      limits: { window: 8, maxFrameBytes: 65_536 },
    });
    expect(socket.raw.map((text) => parseServerFrame(text.toString()).ok)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it('[S-09] signs the wanted set for an agent that asks for it, and for no other', async () => {
    const key = {
      keyId: 'a'.repeat(64),
      publicKey: 'key',
      sign: (text: string) => `over ${text.length}`,
    };
    const { live } = world({ commandSigner: key });
    const plain = await live();
    expect(plain.sent.find(({ type }) => type === 'desired')).not.toHaveProperty('proof');
    const asking = await live({ nonce: 'b'.repeat(32), instance: 'other' });
    expect(asking.sent.find(({ type }) => type === 'desired')).toMatchObject({
      proof: {
        keyId: key.keyId,
        publicKey: 'key',
        number: 1,
        signature: expect.stringMatching(/^over \d+$/),
      },
    });
  });

  it('[R-22] signs the wanted set anew with each ping for an agent that pins a key', async () => {
    const { live, clock } = world();
    const plain = await live();
    const pinned = await live({ nonce: 'b'.repeat(32), instance: 'other' });
    for (let beat = 2; beat <= 3; beat += 1) {
      clock.advance(20_000);
      await settle();
      expect(pinned.of('ping')).toHaveLength(beat);
      expect(pinned.of('desired')).toHaveLength(beat);
    }
    expect(plain.of('desired')).toHaveLength(1);
  });

  it('[S-20] closes who says nothing for five seconds', () => {
    const { open, clock } = world();
    const socket = open();
    clock.advance(4_999);
    expect(socket.closedWith).toBeNull();
    clock.advance(1);
    expect(socket.closedWith?.code).toBe(4100);
  });

  it.each([
    ['events first', events(1), 1008],
    ['not JSON', '{', 1008],
    ['another version', hello({ protocol: 2 }), 4002],
    ['another version of another shape', { type: 'hello', protocol: 3, who: 'x' }, 4002],
    ['a feature that version 1 does not have', hello({ requires: ['telepathy'] }), 4002],
  ])('refuses %s', (_name, frame, code) => {
    const { open, agents } = world();
    const socket = open();
    socket.receive(frame);
    expect(socket.closedWith?.code).toBe(code);
    expect(agents.calls).toEqual([]);
  });

  it('refuses a second hello', async () => {
    const socket = await world().live();
    socket.receive(hello());
    expect(socket.closedWith?.code).toBe(1008);
  });

  it('[S-08] tells an agent whose token does not cover it, and closes for good', async () => {
    const { open, agents } = world();
    agents.trap = { method: 'connect', thrown: new RecloserError('not_allowed', 'not yours') };
    const socket = open();
    socket.receive(hello());
    await settle();
    expect(socket.of('error')).toEqual([
      { type: 'error', code: 'not_allowed', message: 'not yours', permanent: true },
    ]);
    expect(socket.closedWith?.code).toBe(4001);
  });

  it('tells the service when the peer left while it was being connected', async () => {
    const { open, calls, gateway } = world();
    const socket = open();
    socket.receive(hello());
    socket.leave();
    await settle();
    expect(calls('disconnected')).toHaveLength(1);
    expect(socket.sent).toEqual([]);
    expect(gateway.connections).toBe(0);
  });
});

describe('events and samples', () => {
  it('acknowledges after the service has stored, in order, several frames at once', async () => {
    const { live, agents, calls } = world();
    const socket = await live();
    const { promise, release } = gate();
    agents.gate = promise;
    socket.receive(events(1, 2));
    await settle();
    socket.receive(events(3));
    socket.receive(samples(1, 2));
    socket.receive(events(4));
    await settle();
    expect(socket.of('ack')).toEqual([]);
    expect(calls('events')).toHaveLength(1);

    release();
    await settle();
    expect(socket.of('ack')).toMatchObject([
      { epoch: EPOCH, seq: 2, accepted: 2, frames: 1, samplesSeq: 0 },
      { seq: 4, accepted: 4, frames: 3, samplesSeq: 2 },
    ]);
    const merged = calls('events')[1]?.args[0] as { seq: number }[];
    expect(merged.map(({ seq }) => seq)).toEqual([3, 4]);
    expect(calls('samples')[0]?.args[1]).toBe(1);
  });

  it('[R-16] closes a connection that ignores its credit', async () => {
    const { live, agents } = world();
    const socket = await live();
    agents.gate = new Promise(() => {});
    for (let seq = 1; seq <= 10; seq += 1) socket.receive(events(seq));
    expect(socket.closedWith).toBeNull();
    socket.receive(events(11));
    expect(socket.closedWith?.code).toBe(1008);
  });

  it('gives credit back with each ack', async () => {
    const { live } = world();
    const socket = await live();
    for (let seq = 1; seq <= 40; seq += 1) {
      socket.receive(events(seq));
      await settle();
    }
    expect(socket.closedWith).toBeNull();
    expect(socket.of('ack')).toHaveLength(40);
  });

  it('asks once for what is missing, not once for each frame behind the hole', async () => {
    const { live, agents } = world();
    const socket = await live();
    const { promise, release } = gate();
    agents.gate = promise;
    agents.answer = { ackedSeq: 3, resendFrom: 4 };
    socket.receive(events(6));
    await settle();
    socket.receive(events(7));
    release();
    await settle();
    expect(socket.of('resend')).toEqual([{ type: 'resend', from: 4 }]);
    socket.receive(events(8));
    await settle();
    expect(socket.of('resend')).toHaveLength(2);
  });

  it('[S-48] acknowledges what it cannot keep and says why, once a connection', async () => {
    const { live, agents } = world();
    const socket = await live();
    agents.answer = { ackedSeq: 1, refused: [{ seq: 1, code: 'quota', message: 'quota: full' }] };
    socket.receive(events(1));
    await settle();
    socket.receive(events(2));
    await settle();
    expect(socket.of('ack')).toHaveLength(2);
    expect(socket.of('error')).toEqual([
      { type: 'error', code: 'quota', message: 'quota: full', seq: 1, permanent: false },
    ]);
    expect(socket.closedWith).toBeNull();
  });

  it('keeps other frames in their place and asks for the state when told to', async () => {
    const { live, agents, calls } = world();
    agents.stateAnswer = 'need_state';
    const socket = await live();
    socket.receive(events(1));
    socket.receive({ type: 'state', digest: 'f'.repeat(64) });
    socket.receive({ type: 'applied', revision: 4, results: [] });
    socket.receive(events(2));
    await settle();
    const order = agents.calls.map(({ method }) => method).filter((name) => name !== 'heard');
    expect(order.slice(2)).toEqual(['events', 'state', 'applied', 'events']);
    expect(socket.of('need_state')).toHaveLength(1);
    expect(calls('applied')[0]?.args[0]).toMatchObject({ revision: 4 });
  });

  it('[R-35] survives a service that throws: logs an id, closes 1011, acknowledges nothing', async () => {
    const { live, agents, log } = world();
    const socket = await live();
    agents.trap = { method: 'events', thrown: new Error('secret detail') };
    socket.receive(events(1));
    await settle();
    expect(socket.closedWith).toEqual({ code: 1011, reason: 'unexpected failure fault-1' });
    expect(JSON.stringify(socket.sent)).not.toContain('secret detail');
    expect(socket.of('ack')).toEqual([]);
    expect(log.lines.find(({ level }) => level === 'error')?.fields).toMatchObject({
      faultId: 'fault-1',
    });
  });

  it('stores what had arrived when the peer left, then reports the goodbye', async () => {
    const { live, agents, calls } = world();
    const socket = await live();
    const { promise, release } = gate();
    agents.gate = promise;
    socket.receive(events(1));
    await settle();
    socket.receive(events(2));
    socket.receive({ type: 'goodbye', reason: 'deploy' });
    socket.leave(1000);
    release();
    await settle();
    expect(calls('events')).toHaveLength(2);
    expect(calls('disconnected')[0]?.args).toEqual(['ins_one', WALL_START, true]);
  });
});

describe('frame discipline', () => {
  it.each([
    ['a wrong type', { type: 'nonsense' }],
    ['a missing field', { type: 'events' }],
    ['no object', '17'],
    ['a prototype key', '{"type":"goodbye","reason":"x","__proto__":{"a":1}}'],
    ['deep nesting', `{"type":"goodbye","reason":${'['.repeat(50)}${']'.repeat(50)}}`],
    ['a huge number', '{"type":"pong","id":1e400,"clock":{"at":1,"mono":1}}'],
    ['NaN', '{"type":"pong","id":NaN}'],
    ['too many events', { type: 'events', events: Array.from({ length: 501 }, () => ({})) }],
  ])('[R-35] answers %s with a typed error and goes on', async (_name, frame) => {
    const socket = await world().live();
    socket.receive(frame);
    expect(socket.of('error')).toMatchObject([{ code: 'invalid_frame', permanent: false }]);
    expect(socket.closedWith).toBeNull();
    socket.receive(events(1));
    await settle();
    expect(socket.of('ack')).toHaveLength(1);
  });

  it('[R-35] closes 1008 after five of them, binary ones included', async () => {
    const socket = await world().live();
    for (let time = 0; time < 4; time += 1) socket.receive('{');
    expect(socket.closedWith).toBeNull();
    socket.receiveBinary();
    expect(socket.of('error')).toHaveLength(5);
    expect(socket.closedWith?.code).toBe(1008);
  });

  it('[S-20] stops reading past the rate, without losing a frame', async () => {
    const { live, clock } = world();
    const socket = await live();
    for (let time = 0; time < 999; time += 1) socket.receivePing();
    expect(socket.paused).toBe(false);
    socket.receive(events(1));
    await settle();
    expect(socket.paused).toBe(true);
    expect(socket.of('ack')).toHaveLength(1);
    clock.advance(5);
    expect(socket.paused).toBe(false);
  });

  it('[R-16] stops reading while too much waits', async () => {
    const { live, agents } = world();
    const socket = await live();
    const { promise, release } = gate();
    agents.gate = promise;
    socket.receive(events(1));
    await settle();
    for (let time = 0; time < 32; time += 1) {
      socket.receive({ type: 'applied', revision: time, results: [] });
    }
    expect(socket.paused).toBe(true);
    release();
    await settle();
    expect(socket.paused).toBe(false);
  });
});

describe('liveness of an agent', () => {
  it('[R-09] pings every 20 s and closes after two that nobody answered', async () => {
    const { live, clock } = world();
    const socket = await live();
    clock.advance(40_000);
    expect(socket.of('ping')).toHaveLength(3);
    expect(socket.closedWith).toBeNull();
    clock.advance(20_000);
    expect(socket.closedWith?.code).toBe(4102);
  });

  it('[R-09] takes any word as a sign of life', async () => {
    const { live, clock } = world();
    const socket = await live();
    for (let time = 0; time < 10; time += 1) {
      clock.advance(19_000);
      socket.receive({ type: 'state', digest: 'f'.repeat(64) });
    }
    expect(socket.closedWith).toBeNull();
  });

  it('[R-11] hands on the clock reading with the round trip of the newest ping only', async () => {
    const { live, clock, calls } = world();
    const socket = await live();
    clock.advance(30);
    socket.receive({ type: 'pong', id: 1, clock: { at: 5, mono: 6 } });
    socket.receive({ type: 'pong', id: 1, clock: { at: 5, mono: 6 } });
    const readings = calls('heard').map(({ args }) => args[1]);
    expect(readings).toEqual([{ reading: { at: 5, mono: 6 }, roundTripMs: 30 }, undefined]);
  });

  it('[S-08] closes when the token runs out', async () => {
    const { open, clock } = world();
    const socket = open({ ...tokenRecord, expiresAt: WALL_START + 30_000 });
    socket.receive(hello());
    await settle();
    clock.advance(20_000);
    socket.receive(events(1));
    clock.advance(20_000);
    expect(socket.closedWith?.code).toBe(4001);
  });
});

describe('news for agents', () => {
  it('sends the wanted set again to the instances it concerns', async () => {
    const { live, bus } = world();
    const one = await live();
    const two = await live({ instance: 'two' });
    bus.publish({ type: 'desired', instanceIds: ['ins_two'], revision: 5 });
    await settle();
    expect(one.of('desired')).toHaveLength(1);
    expect(two.of('desired')).toHaveLength(2);
  });

  it('splits a wanted set that does not fit one frame', async () => {
    const { live, agents } = world();
    agents.overrides = 300;
    const socket = await live();
    const parts = socket.of('desired');
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, index) => index + 1));
    expect(parts.every(({ parts: of }) => of === parts.length)).toBe(true);
    expect(socket.raw.every((text) => Buffer.byteLength(text.toString()) <= 65_536)).toBe(true);
    const ids = parts.flatMap(({ overrides }) => overrides as unknown[]);
    expect(ids).toHaveLength(300);
  });

  it('[S-08] closes the connections of a revoked token at once, also one that just arrives', async () => {
    const { live, open, bus, agents, calls } = world();
    const socket = await live();
    agents.gate = new Promise(() => {});
    const other = open({ ...tokenRecord, id: 'tok_2' });
    bus.publish({ type: 'token_revoked', tokenId: 'tok_1' });
    expect(socket.closedWith?.code).toBe(4001);
    expect(other.closedWith).toBeNull();
    expect(open().closedWith?.code).toBe(4001);
    socket.receive(events(1));
    await settle();
    expect(calls('events')).toEqual([]);
  });

  it('closes 4003 when another connection takes over', async () => {
    const { live, agents } = world();
    const socket = await live();
    agents.replace();
    expect(socket.closedWith?.code).toBe(4003);
  });

  it('[R-37] on stop says when to return, stores what it has, acknowledges, then closes 1012', async () => {
    const { live, agents, gateway } = world();
    const socket = await live();
    const { promise, release } = gate();
    agents.gate = promise;
    socket.receive(events(1));
    await settle();
    const stopped = gateway.stop();
    expect(socket.of('restarting')).toEqual([{ type: 'restarting', retryAfterMs: 1_500 }]);
    expect(socket.paused).toBe(true);
    expect(socket.closedWith).toBeNull();
    release();
    await stopped;
    expect(socket.of('ack')).toHaveLength(1);
    expect(socket.closedWith?.code).toBe(1012);
    expect(agents.calls.at(-1)?.method).toBe('disconnected');
  });
});
