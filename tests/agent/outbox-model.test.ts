import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Outbox } from '@/lib/agent/outbox/outbox';

type Step =
  | { readonly do: 'event'; readonly kind: string }
  | { readonly do: 'sample' }
  | { readonly do: 'send'; readonly arrives: boolean; readonly max: number }
  | { readonly do: 'ack' }
  | { readonly do: 'reconnect' }
  | { readonly do: 'resend' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('event'), kind: fc.constantFrom('step', 'hold') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sample') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send'),
      arrives: fc.boolean(),
      max: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('ack') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconnect') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resend') }) },
) as fc.Arbitrary<Step>;

/** A server that stores in order only, and remembers what each gap said. */
function model() {
  const box = new Outbox(
    { maxItems: 8, maxBytes: 1e6, reservedForEvents: 4, maxRecordBytes: 60_000 },
    () => undefined,
  );
  const truth: string[] = [];
  let stored = 0;
  const gaps: { from: number; to: number; counts: Record<string, number> }[] = [];

  const store = (batch: ReturnType<typeof box.events.take>) => {
    const { gap, entries } = batch;
    if (gap !== null && gap.toSeq > stored && gap.fromSeq <= stored + 1) {
      // What the server has of the range already cannot be in an honest count of the rest.
      if (gap.fromSeq === stored + 1) {
        gaps.push({ from: gap.fromSeq, to: gap.toSeq, counts: { ...gap.counts } });
      }
      stored = gap.toSeq;
    }
    for (const entry of entries) if (entry.seq === stored + 1) stored = entry.seq;
  };

  const run = (action: Step) => {
    switch (action.do) {
      case 'event':
        truth.push(action.kind);
        box.addEvent({ type: action.kind, breaker: 'b' });
        return;
      case 'sample':
        box.addSample({ type: 'sample', breaker: 'b' });
        return;
      case 'send': {
        const batch = box.events.take(action.max, 60_000);
        if (action.arrives) store(batch);
        return;
      }
      case 'ack':
        box.acknowledge(stored, 0);
        return;
      case 'reconnect':
        box.restart(stored, 0);
        return;
      case 'resend':
        box.events.rewind(stored + 1);
    }
  };

  /** Everything still owed arrives. */
  const drain = () => {
    box.restart(stored, 0);
    for (let i = 0; i < 1_000 && box.events.hasUnsent; i++) store(box.events.take(3, 60_000));
    box.acknowledge(stored, 0);
  };
  return { box, truth, gaps, run, drain, stored: () => stored };
}

describe('[R-03] [R-04] the outbox against a server that stores in order', () => {
  it('leaves no hole without a gap, and every gap counts exactly', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const m = model();
        for (const action of steps) {
          m.run(action);
          expect(m.box.items).toBeLessThanOrEqual(8);
        }
        m.drain();
        expect(m.stored()).toBe(m.truth.length);
        expect(m.box.events.length).toBe(0);
        for (const { from, to, counts } of m.gaps) {
          const lost = m.truth.slice(from - 1, to);
          const exact: Record<string, number> = {};
          for (const kind of lost) exact[kind] = (exact[kind] ?? 0) + 1;
          expect(counts).toEqual(exact);
        }
      }),
      { seed: 20_261_130, numRuns: 2_000 },
    );
  });
});
