import { describe, expect, it } from 'vitest';
import type { HistoryPage, Store } from '@/server/store/port';
import { append, BREAKER, event, gap, log, startRun, T0 } from '../fixtures';
import type { Subject } from './subject';

async function seqsOf(store: Store, page: Partial<HistoryPage>): Promise<number[]> {
  const rows = await store.listHistory({ breakerId: BREAKER.id, limit: 100, ...page });
  return rows.map((row) => row.seq);
}

export function historyContract(subject: Subject): void {
  describe('history', () => {
    it('pages through equal times without loss or repeat', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const events = log(1, 23).map((row) => ({ ...row, at: T0 + Math.floor(row.seq / 5) }));
      await append(store, run, { events });

      const seen: number[] = [];
      let before: HistoryPage['before'];
      // Bounded: a page that repeats must fail, not hang.
      while (seen.length < 50) {
        const page: HistoryPage = {
          breakerId: BREAKER.id,
          limit: 4,
          ...(before === undefined ? {} : { before }),
        };
        const rows = await store.listHistory(page);
        const last = rows.at(-1);
        if (last === undefined) break;
        seen.push(...rows.map((row) => row.seq));
        before = { at: last.at, id: last.id };
      }
      expect(seen).toEqual(log(1, 23).map((row) => 24 - row.seq));
    });

    it('filters by range, type and instance', async () => {
      const store = subject.store();
      const one = await startRun(store, 'ins-1');
      const two = await startRun(store, 'ins-2');
      await append(store, one, { events: [...log(1, 3), event(4, { type: 'step' })] });
      await append(store, two, { events: [event(1, { at: T0 + 50, type: 'hold' })] });
      expect(await seqsOf(store, { from: T0 + 2, to: T0 + 3 })).toEqual([3, 2]);
      expect(await seqsOf(store, { types: ['step', 'hold'] })).toEqual([1, 4]);
      expect(await seqsOf(store, { instanceId: 'ins-2' })).toEqual([1]);
      expect(await seqsOf(store, { breakerId: 'nobody' })).toEqual([]);
    });

    it('knows the last transition of each instance before an instant', async () => {
      const store = subject.store();
      const one = await startRun(store, 'ins-1', 'e1');
      const two = await startRun(store, 'ins-2', 'e1');
      await append(store, one, { events: [...log(1, 3), event(4, { type: 'step' })] });
      await append(store, two, { events: log(1, 2) });
      const next = await startRun(store, 'ins-1', 'e2');
      await append(store, next, { events: [event(1, { at: T0 + 100 })] });

      const early = await store.lastTransitions(BREAKER.id, T0 + 3);
      expect(early.map((row) => [row.instanceId, row.seq])).toEqual([
        ['ins-1', 2],
        ['ins-2', 2],
      ]);
      const late = await store.lastTransitions(BREAKER.id, T0 + 1_000);
      expect(late.map((row) => [row.instanceId, row.run, row.seq])).toEqual([
        ['ins-2', 'e1', 2],
        ['ins-1', 'e2', 1],
      ]);
      expect(await store.lastTransitions(BREAKER.id, T0)).toEqual([]);

      const third = await startRun(store, 'ins-1', 'e3');
      await append(store, third, { events: [event(1, { at: T0 + 200, type: 'registered' })] });
      const anew = await store.lastTransitions(BREAKER.id, T0 + 1_000);
      expect(anew.map((row) => [row.instanceId, row.run, row.type])).toEqual([
        ['ins-2', 'e1', 'transition'],
        ['ins-1', 'e3', 'registered'],
      ]);
    });

    it('finds the last transition between later and earlier ones, and of a clock set back', async () => {
      const store = subject.store();
      const busy = await startRun(store, 'ins-1');
      const quiet = await startRun(store, 'ins-2');
      const later = await startRun(store, 'ins-3');
      await append(store, quiet, { events: [event(1, { at: T0 + 1 })] });
      const events = log(1, 200).map((row) => ({ ...row, at: T0 + 10 * row.seq }));
      await append(store, busy, { events });
      await append(store, busy, { events: [event(201, { at: T0 + 5 })] });
      await append(store, quiet, { events: [event(2, { at: T0 + 5_000 })] });
      await append(store, later, { events: [event(1, { at: T0 + 4_000 })] });
      const at = async (before: number) =>
        (await store.lastTransitions(BREAKER.id, before)).map((row) => [row.instanceId, row.seq]);
      expect(await at(T0 + 1_000)).toEqual([
        ['ins-2', 1],
        ['ins-1', 99],
      ]);
      expect(await at(T0 + 8)).toEqual([
        ['ins-2', 1],
        ['ins-1', 201],
      ]);
      expect(await at(T0 + 9_999)).toEqual([
        ['ins-1', 200],
        ['ins-3', 1],
        ['ins-2', 2],
      ]);
    });

    it('lists gaps of the instances asked for, in time order', async () => {
      const store = subject.store();
      const one = await startRun(store, 'ins-1');
      const two = await startRun(store, 'ins-2');
      await append(store, one, { gaps: [gap(1, 2, T0 + 9), gap(3, 4, T0 + 5)] });
      await append(store, two, { gaps: [gap(1, 7, T0 + 7)] });
      const all = await store.listGaps(['ins-1', 'ins-2'], T0, T0 + 9);
      expect(all.map((row) => row.at - T0)).toEqual([5, 7, 9]);
      const some = await store.listGaps(['ins-1'], T0 + 6, T0 + 9);
      expect(some.map((row) => row.at - T0)).toEqual([9]);
      expect(await store.listGaps([], T0, T0 + 9)).toEqual([]);
    });

    it('lists liveness changes of the instances asked for', async () => {
      const store = subject.store();
      await startRun(store, 'ins-1');
      await startRun(store, 'ins-2');
      const change = { from: 'live', to: 'stale', lastSeenAt: T0, reason: 'silent' } as const;
      await store.recordLiveness([
        { ...change, instanceId: 'ins-1', at: T0 + 50 },
        { ...change, instanceId: 'ins-2', at: T0 + 40 },
      ]);
      const all = await store.listLiveness(['ins-1', 'ins-2'], T0, T0 + 50);
      expect(all.map((row) => row.instanceId)).toEqual(['ins-2', 'ins-1']);
      expect(all[1]).toMatchObject({ ...change, at: T0 + 50 });
      expect(await store.listLiveness(['ins-1'], T0, T0 + 49)).toEqual([]);
      expect((await store.loadFleet()).instances.map((row) => row.liveness)).toEqual([
        'stale',
        'stale',
      ]);
    });

    it('changes no liveness when one of the changes names a stranger', async () => {
      const store = subject.store();
      await startRun(store, 'ins-1');
      const change = { from: 'live', to: 'offline', at: T0, lastSeenAt: T0, reason: '' } as const;
      await expect(
        store.recordLiveness([
          { ...change, instanceId: 'ins-1' },
          { ...change, instanceId: 'nobody' },
        ]),
      ).rejects.toThrow(/nobody/);
      expect((await store.loadFleet()).instances[0]?.liveness).toBe('live');
      expect(await store.listLiveness(['ins-1'], 0, T0 + 1)).toEqual([]);
    });
  });
}
