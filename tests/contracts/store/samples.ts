import { describe, expect, it } from 'vitest';
import { append, batch, BREAKER, probe, sample, sampleRow, startRun, T0 } from '../fixtures';
import type { Subject } from './subject';

const ALL = { breakerId: BREAKER.id, from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1_000 };

export function samplesContract(subject: Subject): void {
  describe('samples and probes', () => {
    it('come back as they were', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const plain = sampleRow(1);
      const rich = sampleRow(2, {
        state: 'forced_closed',
        step: null,
        share: 1 / 3,
        at: T0 - 4_000,
        latency: { buckets: [], count: 7, sumMs: 0, maxMs: 0 },
        baseline: { p50: 10.5, p90: 20, p95: 30.25, p99: 90, samples: 4_000 },
        probesNotSent: 0,
        merged: 60,
      });
      await append(store, run, { samples: [plain, rich], samplesSeq: 2 });
      const stored = await store.readSamples(ALL);
      expect(stored).toEqual([
        { instanceId: 'ins-1', at: plain.at, sample: plain.sample },
        { instanceId: 'ins-1', at: rich.at, sample: rich.sample },
      ]);
    });

    it('keep durations within a millionth', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const latency = { buckets: [], count: 0, sumMs: 1234.56789, maxMs: 1e9 + 0.5 };
      await append(store, run, { samples: [sampleRow(1, { latency })], samplesSeq: 1 });
      const [stored] = await store.readSamples(ALL);
      const found = stored?.sample.latency;
      expect(Math.abs((found?.sumMs ?? 0) / latency.sumMs - 1)).toBeLessThan(1e-6);
      expect(Math.abs((found?.maxMs ?? 0) / latency.maxMs - 1)).toBeLessThan(1e-6);
    });

    it('are stored once, whatever the frame boundaries of a resend', async () => {
      const store = subject.store();
      const run = await startRun(store);
      await append(store, run, {
        samples: [sampleRow(1), sampleRow(3)],
        probes: [probe(2)],
        samplesSeq: 3,
        droppedSamples: 4,
      });
      const again = await append(store, run, {
        samples: [sampleRow(1), sampleRow(3), sampleRow(5)],
        probes: [probe(2), probe(4)],
        samplesSeq: 5,
      });
      expect(again).toMatchObject({ samplesSeq: 5, accepted: 2, duplicate: 3 });
      expect(again.storedProbes).toEqual(await store.readProbes({ ...ALL, from: T0 + 4_000 }));
      const repeat = await append(store, run, {
        samples: [sampleRow(1), sampleRow(3)],
        probes: [probe(2)],
        samplesSeq: 3,
        droppedSamples: 4,
      });
      expect(repeat).toMatchObject({ samplesSeq: 5, accepted: 0, duplicate: 3 });
      expect((await store.readSamples(ALL)).map((row) => row.sample.seq)).toEqual([1, 3, 5]);
      expect(await store.readProbes(ALL)).toHaveLength(2);
      const { instances } = await store.loadFleet();
      expect(instances[0]?.droppedSamples).toBe(4);
    });

    it('are kept apart when they share an instant', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const rows = [1, 2, 3].map((seq) => ({ ...sampleRow(seq), at: T0 }));
      await append(store, run, { samples: rows, samplesSeq: 3 });
      expect((await store.readSamples(ALL)).map((row) => row.sample.seq)).toEqual([1, 2, 3]);
    });

    it('are read by range, instance and limit, oldest first', async () => {
      const store = subject.store();
      const one = await startRun(store, 'ins-1');
      const two = await startRun(store, 'ins-2');
      const rows = [1, 2, 3, 4].map((seq) => sampleRow(seq));
      const probes = [5, 6].map((seq) => probe(seq));
      await store.appendBatches([
        batch(one, { samples: rows, probes, samplesSeq: 6 }),
        batch(two, { samples: rows, probes, samplesSeq: 6 }),
      ]);
      const range = { ...ALL, from: T0 + 2_000, to: T0 + 3_000 };
      expect((await store.readSamples(range)).map((row) => row.sample.seq)).toEqual([2, 2, 3, 3]);
      const ofOne = await store.readSamples({ ...range, instanceId: 'ins-1' });
      expect(ofOne.map((row) => [row.instanceId, row.sample.seq])).toEqual([
        ['ins-1', 2],
        ['ins-1', 3],
      ]);
      expect(await store.readSamples({ ...ALL, limit: 3 })).toHaveLength(3);
      expect(await store.readSamples({ ...ALL, breakerId: 'nobody' })).toEqual([]);
      const probesOfTwo = await store.readProbes({ ...ALL, instanceId: 'ins-2' });
      expect(probesOfTwo.map((row) => [row.instanceId, row.at])).toEqual([
        ['ins-2', T0 + 5_000],
        ['ins-2', T0 + 6_000],
      ]);
    });

    it('are pruned by age, no more than asked for at once', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const other = { ...BREAKER, id: 'brk-2', name: 'search' };
      const samples = Array.from({ length: 20 }, (_, index) => ({
        ...sampleRow(index + 1),
        breakerId: index % 2 === 0 ? BREAKER.id : other.id,
      }));
      const probes = Array.from({ length: 10 }, (_, index) => probe(index + 21));
      await append(store, run, { breakers: [BREAKER, other], samples, probes, samplesSeq: 30 });

      const before = T0 + 26_000;
      expect(await store.prune(before, 8)).toEqual({ samples: 8, probes: 0 });
      expect(await store.prune(before, 14)).toEqual({ samples: 12, probes: 2 });
      expect(await store.prune(before, 100)).toEqual({ samples: 0, probes: 3 });
      expect(await store.prune(before, 100)).toEqual({ samples: 0, probes: 0 });
      expect((await store.readProbes(ALL)).map((row) => row.at)).toEqual(
        [26, 27, 28, 29, 30].map((seq) => T0 + seq * 1_000),
      );
    });

    it('keep their largest form', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const buckets = Array.from({ length: 4_096 }, (_, index): [number, number] => [
        index * 1e11,
        Number.MAX_SAFE_INTEGER - index,
      ]);
      const latency = { buckets, count: 1, sumMs: 0, maxMs: 0 };
      await append(store, run, { samples: [sampleRow(1, { latency })], samplesSeq: 1 });
      const [stored] = await store.readSamples(ALL);
      expect(stored?.sample).toEqual(sample(1, { latency }));
    });
  });
}
