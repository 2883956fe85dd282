import { describe, expect, it } from 'vitest';
import type { DesiredOverride } from '@/lib/protocol/server-frames';
import { desiredEntry, harness } from './support/harness';

/** Small and repeatable; the quality of the numbers does not matter here. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('[R-18] two hundred commands over a line that repeats and loses', () => {
  it(
    'changes the breaker once for each, and every one ends up answered',
    { timeout: 20_000 },
    () => {
      const random = lcg(7);
      const h = harness();
      let wire = h.connect();
      let revision = 0;
      const answered = new Map<string, string>();
      const readAnswers = () => {
        for (const frame of wire.of('applied').splice(0)) {
          // A tenth of the replies is lost on the way.
          if (random() < 0.1) continue;
          for (const { overrideId, outcome } of frame.results) answered.set(overrideId, outcome);
        }
        wire.sent.length = 0;
      };
      const deliver = (overrides: DesiredOverride[]) => {
        revision += 1;
        const frame = { type: 'desired', revision, overrides } as const;
        const times = random() < 0.3 ? 2 : 1;
        for (let n = 0; n < times; n++) wire.receive(frame);
        readAnswers();
        if (random() < 0.05) {
          wire.end({ code: 1006 });
          h.time.advance(60_000);
          wire = h.connect({ ackedSeq: 0 });
          wire.receive(frame);
          readAnswers();
        }
        h.time.advance(1_100);
        wire.receive({ type: 'ping', id: revision, clock: { at: 0, mono: 0 } });
      };
      for (let i = 1; i <= 200; i++) {
        const kind = i % 2 === 0 ? 'reset' : 'force_open';
        const entry = desiredEntry(`c${i}`, { kind, generation: i });
        // The server repeats the set until the answer arrives.
        do deliver([entry]);
        while (!answered.has(`c${i}`));
        deliver([]);
      }
      expect(answered.size).toBe(200);
      expect(new Set(answered.values())).toEqual(new Set(['applied']));
      expect(h.breaker.resets).toBe(100);
      const forced = h.breaker.changes.filter((change) => change.startsWith('forced'));
      expect(forced).toHaveLength(100);
    },
  );
});
