import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { Store } from '@/server/store/port';
import {
  append,
  batch,
  BREAKER,
  event,
  gap,
  log,
  registration,
  sampleRow,
  startRun,
} from '../fixtures';
import type { Subject } from './subject';

/** Every stored seq of the breaker, oldest first. */
async function storedSeqs(store: Store): Promise<number[]> {
  const rows = await store.listHistory({ breakerId: BREAKER.id, limit: 10_000 });
  return rows.map((row) => row.seq).toReversed();
}

function seqs(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
}

export function ingestContract(subject: Subject): void {
  describe('the log of a run', () => {
    it('stores in order and gives the rows with ids', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const result = await append(store, run, { events: log(1, 3) });
      expect(result).toMatchObject({ ackedSeq: 3, accepted: 3, duplicate: 0, missingFrom: null });
      expect(result.stored.map((row) => row.seq)).toEqual([1, 2, 3]);
      const stored = await store.listHistory({ breakerId: BREAKER.id, limit: 10 });
      expect(stored).toEqual(result.stored.toReversed());
      expect(stored[0]).toMatchObject({
        breakerId: BREAKER.id,
        instanceId: 'ins-1',
        instance: 'ins-1-name',
        run: 'e1',
        data: { from: 'closed', to: 'open', n: 3 },
      });
    });

    it('adds nothing when a whole log comes again (R-02)', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const first = await append(store, run, { events: log(1, 500) });
      for (let round = 0; round < 3; round++) {
        const again = await append(store, run, { events: log(1, 500) });
        expect(again).toMatchObject({ ackedSeq: first.ackedSeq, accepted: 0, duplicate: 500 });
        expect(again.stored).toEqual([]);
      }
      expect(await storedSeqs(store)).toEqual(seqs(1, 500));
      const { instance } = await store.registerRun(registration('ins-1', 'e1'));
      expect(instance.duplicates).toBe(1_500);
    });

    it('keeps what is new of a batch that overlaps', async () => {
      const store = subject.store();
      const run = await startRun(store);
      await append(store, run, { events: log(1, 4) });
      const result = await append(store, run, { events: log(3, 6) });
      expect(result).toMatchObject({ ackedSeq: 6, accepted: 2, duplicate: 2 });
      expect(result.stored.map((row) => row.seq)).toEqual([5, 6]);
    });

    it('keeps nothing after a hole and says where it starts', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const result = await append(store, run, { events: [...log(1, 2), ...log(4, 6)] });
      expect(result).toMatchObject({ ackedSeq: 2, accepted: 2, missingFrom: 3 });
      const later = await append(store, run, { events: log(5, 6) });
      expect(later).toMatchObject({ ackedSeq: 2, accepted: 0, missingFrom: 3 });
      expect(await storedSeqs(store)).toEqual([1, 2]);
    });

    it('counts the runs of one instance apart', async () => {
      const store = subject.store();
      const first = await startRun(store, 'ins-1', 'e1');
      const second = await startRun(store, 'ins-1', 'e2');
      const results = await store.appendBatches([
        batch(first, { events: log(1, 3) }),
        batch(second, { events: log(1, 2) }),
        batch(first, { events: log(3, 4) }),
      ]);
      expect(results.map((result) => [result.runId, result.ackedSeq])).toEqual([
        [first, 3],
        [second, 2],
        [first, 4],
      ]);
      expect(await startRun(store, 'ins-1', 'e1')).toBe(first);
    });

    it('ends without a hole under loss, repeats and reordering (R-03)', async () => {
      const store = subject.store();
      let epoch = 0;
      const frames = fc.array(fc.tuple(fc.nat(5), fc.nat(39), fc.integer({ min: 1, max: 8 })), {
        maxLength: 30,
      });
      await fc.assert(
        fc.asyncProperty(frames, async (sent) => {
          const run = await startRun(store, 'ins-1', `epoch-${epoch++}`);
          let acked = 0;
          for (const [kind, start, length] of sent) {
            const from = kind === 0 ? acked + 1 : start + 1;
            const to = Math.min(from + length - 1, 40);
            const filling = kind === 1 ? { gaps: [gap(from, to)] } : { events: log(from, to) };
            const result = await append(store, run, filling);
            for (const row of result.stored) {
              expect(row.seq).toBe(acked + 1);
              acked = row.type === 'gap' ? Number(row.data['toSeq']) : row.seq;
            }
            expect(result.ackedSeq).toBe(acked);
            expect(result.missingFrom).toBe(from > acked + 1 ? acked + 1 : null);
          }
        }),
        { numRuns: 40, seed: 7 },
      );
    });
  });

  describe('a gap', () => {
    it('stands for its range and moves the acknowledged seq', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const result = await append(store, run, { gaps: [gap(1, 9)], events: log(10, 11) });
      expect(result).toMatchObject({ ackedSeq: 11, accepted: 3, missingFrom: null });
      expect(result.stored[0]).toMatchObject({ type: 'gap', seq: 1, breakerId: null });
      const gaps = await store.listGaps(['ins-1'], 0, Number.MAX_SAFE_INTEGER);
      expect(gaps).toHaveLength(1);
      expect(gaps[0]?.data).toEqual({
        fromSeq: 1,
        toSeq: 9,
        counts: { transition: 9 },
        reason: 'buffer full',
      });
    });

    it('is a repeat when all of it was stored', async () => {
      const store = subject.store();
      const run = await startRun(store);
      await append(store, run, { gaps: [gap(1, 9)] });
      const again = await append(store, run, { gaps: [gap(1, 9), gap(4, 5)] });
      expect(again).toMatchObject({ ackedSeq: 9, accepted: 0, duplicate: 2 });
    });

    it('is cut to what is new when it overlaps', async () => {
      const store = subject.store();
      const run = await startRun(store);
      await append(store, run, { events: log(1, 5) });
      const result = await append(store, run, { gaps: [gap(3, 8)] });
      expect(result.stored[0]).toMatchObject({ seq: 6, data: { fromSeq: 6, toSeq: 8 } });
      expect(result.ackedSeq).toBe(8);
    });

    it('swallows later events of its own range', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const result = await append(store, run, { gaps: [gap(1, 4)], events: log(3, 6) });
      expect(result).toMatchObject({ ackedSeq: 6, accepted: 3, duplicate: 2 });
    });

    it('after a hole is not kept', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const result = await append(store, run, { gaps: [gap(3, 8)], events: log(9, 9) });
      expect(result).toMatchObject({ ackedSeq: 0, accepted: 0, missingFrom: 1 });
    });

    it('may stand between events of one batch', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const events = [...log(1, 2), ...log(6, 7)];
      const result = await append(store, run, { gaps: [gap(3, 5)], events });
      expect(result.stored.map((row) => row.seq)).toEqual([1, 2, 3, 6, 7]);
      expect(result.ackedSeq).toBe(7);
    });

    it('is counted as dropped events, once', async () => {
      const store = subject.store();
      const run = await startRun(store);
      await append(store, run, { gaps: [gap(1, 9)] });
      await append(store, run, { gaps: [gap(1, 9)] });
      const fleet = await store.loadFleet();
      expect(fleet.instances[0]).toMatchObject({ droppedEvents: 9, duplicates: 1 });
    });
  });

  describe('a commit', () => {
    it('leaves nothing when one batch of it fails', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const good = batch(run, { events: log(1, 2), samples: [sampleRow(1)], samplesSeq: 1 });
      await expect(store.appendBatches([good, batch(999)])).rejects.toThrow(/run 999/);
      expect((await store.loadFleet()).breakers).toEqual([]);

      const stranger = event(3, { breakerId: 'nobody' });
      await expect(append(store, run, { events: [...log(1, 2), stranger] })).rejects.toThrow(
        /nobody/,
      );
      const retried = await store.appendBatches([good]);
      expect(retried[0]).toMatchObject({ ackedSeq: 2, samplesSeq: 1, accepted: 3, duplicate: 0 });
      expect(await storedSeqs(store)).toEqual([1, 2]);
    });

    it('finds the right breaker after one that failed', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const lost = { ...BREAKER, id: 'lost', name: 'lost' };
      const failing = batch(run, { breakers: [lost], events: [event(1, { breakerId: 'lost' })] });
      await expect(store.appendBatches([failing, batch(999)])).rejects.toThrow(/run 999/);
      await append(store, run, { events: log(1, 1) });
      await append(store, run, {
        breakers: [lost],
        events: [event(2, { breakerId: 'lost' })],
      });
      const found = await store.listHistory({ breakerId: 'lost', limit: 10 });
      expect(found.map((row) => row.seq)).toEqual([2]);
    });

    it('is there after closing and opening again', async () => {
      const run = await startRun(subject.store());
      const before = await append(subject.store(), run, {
        events: log(1, 20),
        samples: [sampleRow(1)],
        samplesSeq: 1,
      });
      const store = await subject.reopen();
      expect(await storedSeqs(store)).toEqual(seqs(1, 20));
      const again = await append(store, run, { events: log(1, 21) });
      expect(again).toMatchObject({ ackedSeq: 21, samplesSeq: 1, accepted: 1, duplicate: 20 });
      expect(again.stored[0]?.id).toBeGreaterThan(before.stored.at(-1)?.id ?? Infinity);
    });
  });
}
