import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '@/lib/protocol/version';
import { desiredEntry, harness } from './support/harness';

const clock = { at: 1, mono: 1 };
const honest = [
  { type: 'ping', id: 1, clock },
  { type: 'need_state' },
  { type: 'resend', from: 1 },
  { type: 'restarting', retryAfterMs: 10 },
  { type: 'slow_down', forMs: 10 },
  { type: 'error', code: 'x', message: 'y', permanent: false },
  {
    type: 'ack',
    epoch: '0'.repeat(32),
    seq: 1,
    accepted: 1,
    duplicate: 0,
    samplesSeq: 0,
    frames: 1,
  },
  { type: 'desired', revision: 1, overrides: [desiredEntry('a')] },
  {
    type: 'welcome',
    serverEpoch: 's',
    clock,
    ackedSeq: 0,
    samplesSeq: 0,
    heartbeatMs: 1,
    limits: LIMITS,
  },
];

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1e308, 2 ** 53, 0.5, '', '__proto__', [], {}),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** An honest frame with one member replaced, added or removed. */
const bent = fc
  .tuple(fc.constantFrom(...honest), fc.nat(), odd, fc.constantFrom('replace', 'remove', 'add'))
  .map(([frame, at, value, how]) => {
    const entries = Object.entries(frame);
    const key = entries[at % entries.length]?.[0] ?? 'type';
    const rest = entries.filter(([name]) => name !== key);
    if (how === 'remove') return JSON.stringify(Object.fromEntries(rest));
    const added: [string, unknown] = [how === 'add' ? 'extra' : key, value];
    return JSON.stringify(Object.fromEntries([...(how === 'add' ? entries : rest), added]));
  });

/** Any text, and honest text cut short. */
const raw = fc.oneof(
  { weight: 6, arbitrary: bent },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...honest), fc.nat())
      .map(([frame, at]) => JSON.stringify(frame).slice(0, at % 60)),
  },
);

describe('[R-05] [R-35] whatever a server says', () => {
  it('no error reaches anybody, and what the agent says stays valid', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(fc.array(raw, { minLength: 1, maxLength: 12 }), fc.boolean(), (texts, polite) => {
        const h = harness();
        if (polite) h.connect();
        else h.server.wire.open();
        for (const text of texts) {
          // The wire of the test throws for every frame of the agent that the schema refuses.
          h.server.wire.receiveText(text);
          h.time.advance(100);
        }
        h.breaker.reset();
        h.time.advance(2_000);
        expect(h.said.filter((line) => line.includes('an error in the agent'))).toEqual([]);
      }),
      { seed: 1, numRuns: 1_000 },
    );
  });
});
