import { describe, expect, it } from 'vitest';
import type { Entry } from '@/lib/agent/outbox/entry';
import { DEFAULT_OUTBOX, Outbox, type OutboxLimits } from '@/lib/agent/outbox/outbox';

const ROOM = 60_000;

function outbox(limits: Partial<OutboxLimits> = {}) {
  const lost: Entry[] = [];
  const box = new Outbox({ ...DEFAULT_OUTBOX, ...limits }, (entry) => lost.push(entry));
  return { box, lost };
}

const event = (type: string, extra = {}) => ({ type, breaker: 'inventory', ...extra });
const small = { maxItems: 10, reservedForEvents: 4 };
const seqs = (entries: readonly Entry[]) => entries.map((entry) => entry.seq);

describe('the outbox', () => {
  it(
    '[R-04] keeps within 10,000 records and 8 MiB through a two hour outage at 50 a second',
    { timeout: 30_000 },
    () => {
      const { box } = outbox();
      for (let i = 0; i < 2 * 3600 * 50; i++) {
        if (i % 10 === 0) box.addEvent(event('transition', { i, reason: 'x'.repeat(300) }));
        else box.addSample(event('sample', { i, text: 'y'.repeat(300) }));
      }
      expect(box.items).toBeLessThanOrEqual(10_000);
      expect(box.bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
      expect(box.events.nextSeq).toBe(36_001);
      const { gap, entries } = box.events.take(500, ROOM);
      expect(gap).toMatchObject({ fromSeq: 1, toSeq: 26_000, counts: { transition: 26_000 } });
      expect(entries[0]?.seq).toBe(26_001);
    },
  );

  it('[R-04] bounds bytes too, with large records', () => {
    const { box } = outbox();
    for (let i = 0; i < 500; i++) box.addEvent(event('registered', { pad: 'é'.repeat(20_000) }));
    expect(box.bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(box.events.length).toBeGreaterThan(100);
  });

  it('[R-04] drops samples first, oldest first, and never takes the reserved part for them', () => {
    const { box, lost } = outbox(small);
    for (let i = 0; i < 20; i++) box.addSample(event('sample'));
    expect(box.samples.length).toBe(6);
    for (let i = 0; i < 8; i++) box.addEvent(event('transition'));
    expect(box.events.length).toBe(8);
    expect(box.samples.length).toBe(2);
    expect(lost).toEqual([]);
    expect(seqs(box.samples.take(10, ROOM).entries)).toEqual([19, 20]);
  });

  it('[R-04] merges all drops into one gap with exact counts per class', () => {
    const { box, lost } = outbox(small);
    box.addEvent(event('registered'));
    for (let i = 0; i < 15; i++) box.addEvent(event(i % 3 === 0 ? 'step' : 'transition'));
    expect(lost.map((entry) => entry.kind).slice(0, 2)).toEqual(['registered', 'step']);
    const { gap, entries } = box.events.take(500, ROOM);
    expect(gap).toEqual({
      fromSeq: 1,
      toSeq: 6,
      counts: { registered: 1, step: 2, transition: 3 },
      reason: 'overflow',
    });
    expect(seqs(entries)).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
  });

  it('[R-04] stays exact when events that had been sent are dropped and acknowledged later', () => {
    const { box } = outbox(small);
    for (let i = 0; i < 8; i++) box.addEvent(event(i < 4 ? 'step' : 'transition'));
    box.events.take(500, ROOM);
    for (let i = 0; i < 8; i++) box.addEvent(event('hold'));
    // 1..6 are dropped, all of them were sent; the server stored 1..5.
    box.restart(5, 0);
    expect(box.events.take(500, ROOM).gap).toMatchObject({
      fromSeq: 6,
      toSeq: 6,
      counts: { transition: 1 },
    });
  });

  it('[R-04] counts apart what is dropped after a gap record was sent', () => {
    const { box } = outbox(small);
    for (let i = 0; i < 12; i++) box.addEvent(event('step'));
    expect(box.events.take(500, ROOM).gap).toMatchObject({ fromSeq: 1, toSeq: 2 });
    for (let i = 0; i < 3; i++) box.addEvent(event('hold'));
    box.acknowledge(2, 0);
    box.restart(2, 0);
    expect(box.events.take(500, ROOM).gap).toMatchObject({
      fromSeq: 3,
      toSeq: 5,
      counts: { step: 3 },
    });
  });

  it('sends in order and again from what is not acknowledged', () => {
    const { box } = outbox();
    for (let i = 0; i < 7; i++) box.addEvent(event('step'));
    expect(seqs(box.events.take(3, ROOM).entries)).toEqual([1, 2, 3]);
    expect(seqs(box.events.take(3, ROOM).entries)).toEqual([4, 5, 6]);
    box.acknowledge(3, 0);
    expect(box.events.firstSeq).toBe(4);
    box.events.rewind(5);
    expect(seqs(box.events.take(10, ROOM).entries)).toEqual([5, 6, 7]);
    box.restart(4, 0);
    expect(seqs(box.events.take(10, ROOM).entries)).toEqual([5, 6, 7]);
    box.acknowledge(7, 0);
    expect(box.bytes).toBe(0);
    expect(box.events.hasUnacked).toBe(false);
  });

  it('does not skip anything for a resend or an acknowledgement that lies ahead', () => {
    const { box } = outbox();
    for (let i = 0; i < 4; i++) box.addEvent(event('step'));
    box.events.take(2, ROOM);
    box.events.rewind(4);
    box.acknowledge(1_000_000, 1_000_000);
    expect(seqs(box.events.take(10, ROOM).entries)).toEqual([3, 4]);
    box.restart(1_000_000, 0);
    box.addEvent(event('step'));
    expect(seqs(box.events.take(10, ROOM).entries)).toEqual([5]);
  });

  it('answers with a gap when a restored server asks for what it had acknowledged', () => {
    const { box } = outbox();
    for (let i = 0; i < 5; i++) box.addEvent(event('step'));
    box.events.take(10, ROOM);
    box.acknowledge(4, 0);
    box.restart(1, 0);
    const { gap, entries } = box.events.take(10, ROOM);
    expect(gap).toMatchObject({ fromSeq: 2, toSeq: 4, counts: { acknowledged: 3 } });
    expect(seqs(entries)).toEqual([5]);
  });

  it('keeps a batch below the frame limit and still sends one large record', () => {
    const { box } = outbox();
    for (let i = 0; i < 3; i++) box.addEvent(event('registered', { pad: 'x'.repeat(40_000) }));
    expect(seqs(box.events.take(500, ROOM).entries)).toEqual([1]);
    expect(seqs(box.events.take(500, 1000).entries)).toEqual([2]);
    expect(box.addEvent(event('registered', { pad: 'x'.repeat(70_000) }))).toBeNull();
    expect(box.events.nextSeq).toBe(4);
  });

  it('says how many samples were dropped since the last frame', () => {
    const { box } = outbox(small);
    for (let i = 0; i < 9; i++) box.addSample(event('sample'));
    expect(box.samples.take(2, ROOM)).toMatchObject({ dropped: 3 });
    expect(box.samples.take(2, ROOM)).toMatchObject({ dropped: 0 });
    box.acknowledge(0, 5);
    expect(box.samples.length).toBe(4);
    box.restart(0, 6);
    expect(seqs(box.samples.take(10, ROOM).entries)).toEqual([7, 8, 9]);
  });

  it(
    '[R-05] adds a record in at most 50 microseconds at p99, also when it is full',
    { timeout: 30_000 },
    () => {
      const { box } = outbox();
      const p99 = () => {
        const times = Array.from({ length: 15_000 }, () => {
          const before = performance.now();
          box.addEvent(
            event('transition', { reason: 'ratio', calls: 20, failures: 12, rate: 0.6 }),
          );
          return performance.now() - before;
        });
        return times.sort((a, b) => a - b)[14_850] ?? 0;
      };
      // The best of three: what other processes do to this one is not the outbox's doing.
      expect(Math.min(p99(), p99(), p99())).toBeLessThan(0.05);
    },
  );
});
