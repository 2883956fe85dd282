import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgentGateway } from '@/server/gateways/agent';
import { createLiveGateway } from '@/server/gateways/live';
import { fakeServerClock } from '@/tests/server/fakes/clock';
import { recordingLog } from '@/tests/server/fakes/log';
import { fakeAgents, fakeBus, fakeFeed, tokenRecord } from '@/tests/server/fakes/services';
import { events, hello, samples } from './agent-frames';
import { adaUser, liveSession } from './live-session';
import { FakeSocket, settle } from './fake-socket';

const RUNS = { numRuns: 2_000, seed: 20_260_130 };

const valid = [
  hello(),
  events(1, 2),
  samples(1),
  { type: 'state', digest: 'f'.repeat(64) },
  { type: 'pong', id: 1, clock: { at: 1, mono: 1 } },
  { type: 'open', topics: ['fleet'] },
  { type: 'topics', topics: ['breaker:br_1'] },
].map((frame) => JSON.stringify(frame));

const odd = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc.constantFrom('__proto__', '1e999', 'NaN', '\\uD800', 'null', '-0', '[[[[[[[[[[', '"'),
);

/** A frame that was right until somebody put something else in its middle. */
const damaged = fc
  .tuple(fc.constantFrom(...valid), fc.nat(), fc.nat({ max: 20 }), odd)
  .map(([text, at, length, filler]) => {
    const start = at % text.length;
    return text.slice(0, start) + filler + text.slice(start + length);
  });

const input = fc.oneof(odd, damaged, fc.constantFrom(...valid));

describe('anything at all', { timeout: 60_000 }, () => {
  it('[R-35] never makes the agent gateway throw, log an error or acknowledge nonsense', async () => {
    const log = recordingLog();
    const gateway = createAgentGateway({
      agents: fakeAgents(),
      serverEpoch: 'epoch-1',
      bus: fakeBus(),
      clock: fakeServerClock(),
      log,
      random: () => 0,
      newId: () => 'id',
    });
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(input, { maxLength: 4 }), async (greet, texts) => {
        const socket = new FakeSocket();
        void gateway.accept(socket, tokenRecord);
        if (greet) socket.receive(hello());
        await settle();
        for (const text of texts) socket.receive(text);
        await settle();
        const isWelcome = socket.of('welcome').length === 1;
        expect(isWelcome || socket.of('ack').length === 0).toBe(true);
        socket.leave();
        await settle();
      }),
      RUNS,
    );
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(gateway.connections).toBe(0);
  });

  it('[R-35] never makes the live gateway throw or leave a watch behind', () => {
    const log = recordingLog();
    const feed = fakeFeed();
    const gateway = createLiveGateway({
      feed,
      clock: fakeServerClock(),
      log,
      newId: () => 'id',
      ...liveSession(),
    });
    fc.assert(
      fc.property(fc.boolean(), fc.array(input, { maxLength: 4 }), (opened, texts) => {
        const socket = new FakeSocket();
        gateway.accept(socket, adaUser);
        if (opened) socket.receive({ type: 'open', ticket: 'ticket-1', topics: ['fleet'] });
        for (const text of texts) socket.receive(text);
        feed.publish({ breakers: [{ id: 'br_1', callsPerSecond: 1 }] });
        socket.leave();
      }),
      RUNS,
    );
    expect(log.lines).toEqual([]);
    expect(feed.watched.size).toBe(0);
    expect(gateway.connections).toBe(0);
  });
});
