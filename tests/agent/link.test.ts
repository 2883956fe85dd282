import { describe, expect, it } from 'vitest';
import { DEFAULT_OUTBOX } from '@/lib/agent/outbox/outbox';
import { desiredEntry, harness } from './support/harness';

type Harness = ReturnType<typeof harness>;

/** Lets the pending wait pass; the agent dials again. */
function nextDial(h: Harness) {
  const before = h.server.wires.length;
  h.time.advance(h.waits.at(-1) ?? 0);
  expect(h.server.wires.length).toBe(before + 1);
}

describe('reconnecting', () => {
  it('[R-07] waits with full jitter between attempts that fail', () => {
    const randoms = [0.9, 0.1, 0.5, 1, 0, 0.25, 0.75, 0.5];
    let i = 0;
    const h = harness({ random: () => randoms[i++ % randoms.length] ?? 0 });
    for (let n = 0; n < randoms.length; n++) {
      h.server.wire.end({ error: 'connect ECONNREFUSED' });
      nextDial(h);
    }
    expect(h.waits).toEqual([450, 100, 1_000, 4_000, 0, 4_000, 22_500, 15_000]);
  });

  it('[R-07] begins anew only after 60 s of health', () => {
    const h = harness();
    for (let n = 0; n < 4; n++) {
      h.server.wire.end();
      nextDial(h);
    }
    h.connect();
    h.time.advance(30_000);
    h.server.wire.end();
    nextDial(h);
    h.connect();
    for (let n = 0; n < 3; n++) {
      h.time.advance(20_000);
      h.server.wire.receive({ type: 'ping', id: n, clock: { at: 0, mono: 0 } });
    }
    h.server.wire.end();
    expect(h.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 250]);
  });

  it('[R-07] comes back when the server says, after a restart or a full house', () => {
    const h = harness({ random: () => 0 });
    h.connect();
    h.server.wire.receive({ type: 'restarting', retryAfterMs: 3_456 });
    h.server.wire.end({ code: 1012 });
    nextDial(h);
    h.server.wire.end({ httpStatus: 503, retryAfterMs: 7_000 });
    expect(h.waits).toEqual([3_456, 7_000]);
  });

  it('[R-09] gives up on a connection that is silent for 45 s', () => {
    const h = harness();
    const wire = h.connect();
    h.time.advance(44_000);
    expect(wire.terminated).toBe(false);
    h.time.advance(1_000);
    expect(wire.terminated).toBe(true);
    expect(h.waits).toEqual([250]);
    nextDial(h);
  });

  it('[R-09] gives up on a server that accepts and then hangs', () => {
    const h = harness();
    h.server.wire.open();
    h.time.advance(15_000);
    expect(h.server.wires[0]?.terminated).toBe(true);
  });

  it('[R-35] retries a refusal that will repeat only every five minutes, with one message', () => {
    const h = harness({ random: () => 0 });
    for (let n = 0; n < 3; n++) {
      h.server.wire.end({ httpStatus: 401 });
      nextDial(h);
    }
    expect(h.waits).toEqual([300_000, 300_000, 300_000]);
    expect(h.loud()).toHaveLength(1);
    expect(h.loud()[0]).toMatch(/^error console refuses this agent/);
  });

  it('[R-12] does not fight over its identity when it was replaced', () => {
    const h = harness({ random: () => 0 });
    h.connect();
    h.server.wire.end({ code: 4003, reason: 'replaced' });
    expect(h.waits).toEqual([300_000]);
    h.time.advance(299_999);
    expect(h.server.wires).toHaveLength(1);
  });

  it('[R-35] takes a permanent error frame as such', () => {
    const h = harness({ random: () => 0 });
    h.server.wire.open();
    const frame = { type: 'error', code: 'protocol', message: 'too old', permanent: true } as const;
    h.server.wire.receive(frame);
    expect(h.waits).toEqual([300_000]);
    expect(h.loud()).toHaveLength(1);
  });

  it('[S-48] says once that the console cannot keep an item, and stays connected', () => {
    const h = harness();
    const wire = h.connect();
    const frame = { type: 'error', code: 'quota', permanent: false, seq: 7 } as const;
    wire.receive({ ...frame, message: 'quota: a service may have 500 breakers' });
    wire.receive({ ...frame, message: 'quota: a service may have 500 breakers' });
    expect(h.loud()).toEqual(['info console refuses a part of the reports']);
    expect(h.agent.online).toBe(true);
    for (let index = 0; index < 50; index += 1) wire.receive({ ...frame, message: `m ${index}` });
    expect(h.loud()).toHaveLength(5);
  });

  it('[R-40] leaves a console that requires what this agent has not', () => {
    const h = harness({ random: () => 0 });
    const wire = h.connect({ requires: ['signed-commands'] });
    expect(wire.sent.map((frame) => frame.type)).toEqual(['hello']);
    expect(h.waits).toEqual([300_000]);
  });

  it('ignores what an abandoned connection still says', () => {
    const h = harness();
    const old = h.connect();
    old.end();
    nextDial(h);
    const wire = h.connect();
    old.receive({ type: 'resend', from: 1 });
    old.receive({ type: 'desired', revision: 1, overrides: [desiredEntry('a')] });
    old.end();
    expect(wire.eventSeqs()).toEqual([1]);
    expect(h.breaker.effective).toBe('closed');
    expect(h.agent.online).toBe(true);
  });

  it('dials again when dialling itself throws', () => {
    const h = harness();
    h.server.dialThrows = true;
    h.server.wire.end();
    h.time.advance(250);
    expect(h.waits).toEqual([250, 500]);
    h.server.dialThrows = false;
    nextDial(h);
  });
});

describe('what the log says', () => {
  it('[R-06] is one line when the console is lost and one when it is back', () => {
    const h = harness();
    for (let n = 0; n < 20; n++) {
      h.server.wire.end({ error: 'connect ECONNREFUSED' });
      nextDial(h);
    }
    h.connect();
    h.time.advance(10_000);
    expect(h.loud()).toEqual([
      'info console not connected, breakers go on by their local rules',
      'info console connected',
    ]);
  });

  it('[R-04] says once that memory is full, however much is dropped, until the console is back', () => {
    const h = harness({ limits: { ...DEFAULT_OUTBOX, maxItems: 4, reservedForEvents: 2 } });
    for (let n = 0; n < 20; n++) h.breaker.reset();
    expect(h.loud().filter((line) => line.includes('full memory'))).toHaveLength(1);
  });

  it('does not grow with a connection that flaps', () => {
    const h = harness({ random: () => 0 });
    for (let n = 0; n < 50; n++) {
      h.connect();
      h.server.wire.end();
      h.time.advance(1_000);
    }
    expect(h.loud().length).toBeLessThanOrEqual(2);
  });

  it('says nothing at all when the console is there', () => {
    const h = harness();
    h.connect();
    expect(h.loud()).toEqual([]);
  });
});

describe('a hostile server', () => {
  const garbage = [
    '',
    'null',
    '[]',
    '{',
    '"x"',
    '{"type":"welcome"}',
    '{"type":"ack","seq":-1}',
    '{"type":"ack","seq":1e999}',
    '{"__proto__":{"type":"ping"}}',
    `{"type":"ping","id":1,"clock":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
    `{"type":"desired","revision":1,"overrides":"${'x'.repeat(60_000)}"}`,
    '\uD800',
  ];

  it('[R-05] [R-35] is left after five faulty frames, and the host hears nothing', () => {
    for (const raw of garbage) {
      const h = harness();
      const wire = h.connect();
      for (let n = 0; n < 4; n++) wire.receiveText(raw);
      expect(wire.closedWith).toBeNull();
      wire.receiveText(raw);
      expect(wire.closedWith?.code).toBe(1008);
      expect(h.waits).toEqual([250]);
    }
  });

  it('[R-35] may not send binary frames', () => {
    const h = harness();
    const wire = h.connect();
    for (let n = 0; n < 5; n++) wire.receiveBinary();
    expect(wire.closedWith?.code).toBe(1008);
  });

  it('[R-40] may send frames of a newer type, which are ignored', () => {
    const h = harness();
    const wire = h.connect();
    for (let n = 0; n < 20; n++) wire.receiveText('{"type":"checkpoint","root":"x"}');
    expect(wire.closedWith).toBeNull();
  });

  it('[R-05] cannot keep the host busy with a flood of frames', () => {
    const h = harness();
    const wire = h.connect();
    for (let n = 0; n < 600 && wire.closedWith === null; n++) {
      wire.receive({ type: 'need_state' });
    }
    expect(wire.closedWith?.code).toBe(1008);
    expect(wire.of('state')).toHaveLength(1);
  });

  it('[R-05] is not obeyed before it has said welcome', () => {
    const h = harness();
    h.server.wire.open();
    h.server.wire.receive({ type: 'desired', revision: 1, overrides: [desiredEntry('a')] });
    h.server.wire.receive({ type: 'need_state' });
    expect(h.breaker.effective).toBe('closed');
    expect(h.server.wire.sent).toHaveLength(1);
  });

  it('cannot make the agent skip an event by claims about what it never sent', () => {
    const h = harness();
    const wire = h.connect({ ackedSeq: 1_000_000, samplesSeq: 1_000_000 });
    const epoch = wire.of('hello')[0]?.epoch ?? '';
    const rest = { accepted: 0, duplicate: 0, frames: 1, samplesSeq: 1e9 };
    wire.receive({ type: 'ack', epoch, seq: 1e9, ...rest });
    wire.receive({ type: 'resend', from: 1e9 });
    h.breaker.reset();
    h.time.settle();
    expect(wire.eventSeqs()).toEqual([1, 2]);
  });

  it('[R-05] keeps an error of a listener or logger away from the host', () => {
    const h = harness();
    const wire = h.connect();
    h.breaker.refuses = true;
    h.breaker.status = () => {
      throw new Error('broken');
    };
    wire.receive({ type: 'need_state' });
    wire.receive({ type: 'desired', revision: 1, overrides: [desiredEntry('a')] });
    h.time.advance(5_000);
    expect(h.said.some((line) => line.includes('broken'))).toBe(true);
  });
});
