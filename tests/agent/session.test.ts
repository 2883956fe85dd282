import { describe, expect, it } from 'vitest';
import { DEFAULT_OUTBOX } from '@/lib/agent/outbox/outbox';
import { FakeBreaker } from './support/fake-breaker';
import { desiredEntry, harness } from './support/harness';

const limits = (over: object) => ({
  maxFrameBytes: 65_536,
  maxEvents: 500,
  maxSamples: 500,
  window: 8,
  ...over,
});
const local = { reason: 'test', actor: 'service' };
const ack = (h: ReturnType<typeof harness>, seq: number, frames = 1) => {
  const epoch = h.server.wires[0]?.of('hello')[0]?.epoch ?? '';
  const rest = { accepted: 1, duplicate: 0, samplesSeq: 0 };
  h.server.wire.receive({ type: 'ack', epoch, seq, frames, ...rest });
  h.time.settle();
};

const set = (revision: number, ...overrides: ReturnType<typeof desiredEntry>[]) =>
  ({ type: 'desired', revision, overrides }) as const;

describe('a connection', () => {
  it('begins with hello and sends nothing else before welcome', () => {
    const h = harness();
    h.server.wire.open();
    h.time.advance(5_000);
    expect(h.server.wire.sent).toMatchObject([
      {
        type: 'hello',
        protocol: 1,
        service: 'checkout',
        environment: 'test',
        instance: 'one',
        owner: 'Team Checkout',
        firstSeq: 1,
        nextSeq: 2,
        accepts: { kinds: ['force_open', 'reset'], maxLeaseMs: 14_400_000 },
      },
    ]);
  });

  it('sends the full state and then the events after welcome', () => {
    const h = harness();
    const wire = h.connect();
    expect(wire.sent.map((frame) => frame.type)).toEqual(['hello', 'state', 'events']);
    expect(wire.of('state')[0]).toMatchObject({
      part: 1,
      parts: 1,
      breakers: [{ breaker: 'inventory', state: 'closed' }],
    });
    expect(wire.of('events')[0]?.events).toMatchObject([
      { type: 'registered', seq: 1, breaker: 'inventory', config: { mode: 'enforce' } },
    ]);
  });

  it('reports what happens at once, in order', () => {
    const h = harness();
    const wire = h.connect();
    const handle = h.breaker.override('forced_open', local);
    handle.release();
    h.time.settle();
    const events = wire.of('events').flatMap((frame) => frame.events);
    expect(events.map((event) => event.type)).toEqual(['registered', 'transition', 'transition']);
    expect(events[1]).toMatchObject({ from: 'closed', to: 'forced_open', cause: 'override' });
    expect(wire.eventSeqs()).toEqual([1, 2, 3]);
  });

  it('[R-02] begins after what the server has stored', () => {
    const h = harness();
    h.connect();
    h.breaker.reset();
    h.breaker.reset();
    h.time.settle();
    h.server.wire.end({ code: 1006 });
    h.breaker.reset();
    h.time.advance(1_000);
    expect(h.connect({ ackedSeq: 2 }).eventSeqs()).toEqual([3, 4]);
    expect(h.server.wire.of('hello')[0]).toMatchObject({ firstSeq: 1, nextSeq: 5 });
  });

  it('[R-16] never has more frames under way than the window allows', () => {
    const h = harness();
    const wire = h.connect({ limits: limits({ window: 2, maxEvents: 1 }) });
    for (let i = 0; i < 5; i++) h.breaker.reset();
    h.time.settle();
    expect(wire.eventSeqs()).toEqual([1, 2]);
    ack(h, 1);
    expect(wire.eventSeqs()).toEqual([1, 2, 3]);
    ack(h, 3, 2);
    expect(wire.eventSeqs()).toEqual([1, 2, 3, 4, 5]);
  });

  it('waits while the link itself is behind', () => {
    const h = harness();
    const wire = h.connect();
    wire.buffered = 1_000_000;
    h.breaker.reset();
    h.time.advance(3_000);
    expect(wire.eventSeqs()).toEqual([1]);
    wire.buffered = 0;
    h.time.advance(1_000);
    expect(wire.eventSeqs()).toEqual([1, 2]);
  });

  it('[R-03] sends again from where the server saw a hole', () => {
    const h = harness();
    const wire = h.connect();
    for (let i = 0; i < 3; i++) h.breaker.reset();
    h.time.settle();
    wire.receive({ type: 'resend', from: 3 });
    h.time.settle();
    expect(wire.eventSeqs()).toEqual([1, 2, 3, 4, 3, 4]);
  });

  it('[R-04] sends one gap before anything newer, then the full state, then registers again', () => {
    const h = harness({ limits: { ...DEFAULT_OUTBOX, maxItems: 4, reservedForEvents: 2 } });
    for (let i = 0; i < 10; i++) h.breaker.reset();
    const wire = h.connect();
    const events = wire.of('events').flatMap((frame) => frame.events);
    expect(wire.eventSeqs()).toEqual(['1..8', 9, 10, 11, 12]);
    expect(events[0]).toMatchObject({ type: 'gap', counts: { registered: 1, transition: 7 } });
    expect(events.at(-1)).toMatchObject({ type: 'registered', seq: 12, target: 'inventory' });
    expect(wire.of('state')).toHaveLength(2);
  });

  it('registers again at a server that has lost everything', () => {
    const h = harness();
    h.connect();
    ack(h, 1);
    h.server.wire.end();
    h.time.advance(1_000);
    const wire = h.connect({ ackedSeq: 0, serverEpoch: 'restored' });
    expect(wire.eventSeqs()).toEqual(['1..1', 2]);
    expect(wire.of('events')[0]?.events[1]).toMatchObject({ type: 'registered' });
  });

  it('does not register again when the server knows', () => {
    const h = harness();
    h.connect();
    ack(h, 1);
    h.server.wire.end();
    h.time.advance(1_000);
    expect(h.connect({ ackedSeq: 1 }).of('events')).toEqual([]);
  });

  it('sends a digest every 60 s and the full state when asked', () => {
    const h = harness();
    const wire = h.connect();
    for (let i = 0; i < 6; i++) {
      h.time.advance(20_000);
      wire.receive({ type: 'ping', id: i, clock: { at: 0, mono: 0 } });
    }
    const [full, ...digests] = wire.of('state');
    expect(digests).toHaveLength(2);
    expect(digests[0]).toEqual({ type: 'state', digest: full?.digest });
    h.time.advance(1_000);
    wire.receive({ type: 'need_state' });
    expect(wire.of('state')[3]?.breakers).toHaveLength(1);
    wire.receive({ type: 'need_state' });
    expect(wire.of('state')).toHaveLength(4);
    h.time.advance(1_000);
    expect(wire.of('state')).toHaveLength(5);
    expect(wire.of('pong').map((frame) => frame.id)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('[R-35] sends the state of many breakers in parts of at most 64 KiB', () => {
    const h = harness();
    for (let i = 0; i < 600; i++) h.watch(`${'breaker '.repeat(12)}${i}`, new FakeBreaker());
    const frames = h.connect({ limits: limits({ window: 1 }) }).of('state');
    expect(frames.length).toBeGreaterThan(3);
    expect(frames.map((frame) => frame.part)).toEqual(frames.map((_, i) => i + 1));
    expect(new Set(frames.map((frame) => frame.parts))).toEqual(new Set([frames.length]));
    expect(frames.flatMap((frame) => frame.breakers ?? [])).toHaveLength(601);
    expect(new Set(frames.map((frame) => frame.digest)).size).toBe(1);
  });

  it('tells of a breaker that was made later', () => {
    const h = harness();
    const wire = h.connect();
    h.watch('billing', new FakeBreaker());
    h.time.settle();
    expect(wire.eventSeqs()).toEqual([1, 2]);
    expect(wire.of('state').at(-1)?.breakers).toHaveLength(2);
  });

  it('sends samples with their own numbers and drops them when acknowledged', () => {
    const h = harness();
    const wire = h.connect();
    h.breaker.over = { inFlight: 1 };
    h.time.advance(2_000);
    const seqs = wire.of('samples').flatMap((frame) => frame.samples.map((item) => item.seq));
    expect(seqs).toEqual([1, 2]);
    expect(h.agent.queue.samples).toBe(2);
    const epoch = wire.of('hello')[0]?.epoch ?? '';
    const rest = { accepted: 2, duplicate: 0, seq: 1, frames: 3 };
    wire.receive({ type: 'ack', epoch, samplesSeq: 2, ...rest });
    expect(h.agent.queue).toMatchObject({ events: 0, samples: 0 });
  });

  it('keeps one frame of credit for events, however many samples wait', () => {
    const h = harness();
    const wire = h.connect({ limits: limits({ window: 3, maxSamples: 1 }) });
    h.breaker.over = { inFlight: 1 };
    h.time.advance(5_000);
    expect(wire.of('samples')).toHaveLength(1);
    h.breaker.reset();
    h.time.settle();
    expect(wire.eventSeqs()).toEqual([1, 2]);
  });

  it('drives due breakers at their instant without any traffic', () => {
    const h = harness();
    h.breaker.dueAt = h.time.mono() + 2_345;
    h.time.advance(2_344);
    expect(h.breaker.changes).toEqual([]);
    h.time.advance(1);
    expect(h.breaker.changes).toEqual(['tick']);
  });

  it('tells the breakers each second how late the process itself is', () => {
    const h = harness();
    h.time.advance(3_000);
    expect(h.breaker.loopDelays).toEqual([7, 7, 7]);
  });

  it('says goodbye and waits for the last acknowledgement, but not for long', async () => {
    const h = harness();
    const wire = h.connect();
    ack(h, 1);
    h.breaker.reset();
    const closed = h.agent.close(2_000);
    h.time.settle();
    expect(wire.held).toBe(true);
    expect(wire.of('goodbye')).toEqual([]);
    ack(h, 2);
    await closed;
    expect(wire.of('goodbye')).toHaveLength(1);
    expect(wire.closedWith).toEqual({ code: 1000, reason: 'goodbye' });
    h.time.advance(600_000);
    expect(h.server.wires).toHaveLength(1);
    expect(h.time.clock.pending).toBe(0);
  });

  it('closes at once when there is no console', async () => {
    const h = harness();
    h.server.wire.end({ error: 'connect ECONNREFUSED' });
    await h.agent.close(2_000);
    h.time.advance(600_000);
    expect(h.server.wires).toHaveLength(1);
  });
});

describe('overrides over the wire', () => {
  it('[R-24] answers every entry of every set', () => {
    const h = harness();
    const wire = h.connect();
    const closed = desiredEntry('b', { kind: 'force_closed', generation: 2 });
    wire.receive(set(7, desiredEntry('a'), closed));
    wire.receive(set(8, desiredEntry('a'), closed));
    wire.receive(set(9));
    expect(wire.of('applied')).toMatchObject([
      {
        revision: 7,
        results: [
          { overrideId: 'a', breaker: 'inventory', outcome: 'applied' },
          { overrideId: 'b', outcome: 'rejected', reason: expect.stringContaining('force_closed') },
        ],
      },
      { revision: 8, results: [{ outcome: 'applied' }, { outcome: 'rejected' }] },
      { revision: 9, results: [] },
    ]);
    expect(h.breaker.effective).toBe('closed');
  });

  it('[R-21] ends the lease with the server gone and the wall clock a day off', () => {
    const h = harness();
    h.connect().receive(set(1, desiredEntry('a', { remainingMs: 60_000 })));
    h.server.wire.end({ code: 1006 });
    h.time.wallMs += 86_400_000;
    h.time.advance(59_999);
    expect(h.breaker.effective).toBe('forced_open');
    h.time.advance(1);
    expect(h.breaker.effective).toBe('closed');
    h.time.wallMs -= 2 * 86_400_000;
    h.server.wires.at(-1)?.end();
    h.time.advance(30_000);
    const events = h
      .connect()
      .of('events')
      .flatMap((frame) => frame.events);
    expect(events.map((event) => event.type)).toEqual([
      'registered',
      'transition',
      'transition',
      'override_ended',
    ]);
    expect(events[3]).toMatchObject({ reason: 'lease', override: { id: 'a', kind: 'force_open' } });
  });

  it('[R-22] ends a forced-closed override 120 s after the last frame of the server', () => {
    const h = harness({ allowRemote: ['force_closed'] });
    const wire = h.connect();
    wire.receive(set(1, desiredEntry('a', { kind: 'force_closed' })));
    h.time.advance(30_000);
    wire.receive({ type: 'ping', id: 1, clock: { at: 0, mono: 0 } });
    wire.end({ code: 1006 });
    h.time.advance(119_999);
    expect(h.breaker.effective).toBe('forced_closed');
    h.time.advance(1);
    expect(h.breaker.effective).toBe('closed');
  });

  it('[R-20] does not apply what waited in a stopped process past its time', () => {
    const h = harness();
    const wire = h.connect();
    h.time.advance(1_500);
    h.time.clock.jump(31_000);
    h.time.advance(0);
    wire.receive(set(1, desiredEntry('a', { deliverWithinMs: 20_000 })));
    expect(wire.of('applied')[0]?.results).toMatchObject([{ outcome: 'expired' }]);
    h.time.advance(2_000);
    wire.receive(set(2, desiredEntry('b', { deliverWithinMs: 20_000 })));
    expect(wire.of('applied')[1]?.results).toMatchObject([{ outcome: 'applied' }]);
  });

  it('obeys again after a reconnect without doing anything twice', () => {
    const h = harness();
    h.connect().receive(set(1, desiredEntry('a')));
    h.server.wire.end();
    h.time.advance(1_000);
    const wire = h.connect({ ackedSeq: 2 });
    wire.receive(set(2, desiredEntry('a', { remainingMs: 599_000 })));
    expect(wire.of('applied')[0]?.results).toMatchObject([{ outcome: 'applied' }]);
    expect(h.breaker.changes).toEqual(['forced forced_open a']);
  });
});
