import { beforeEach, describe, expect, it } from 'vitest';
import type { PutCommandResult } from '@/server/store/command-port';
import type { DeliveryUpdate, EndOverride, Store } from '@/server/store/port';
import { append, audit, BREAKER, command, startRun, T0 } from '../fixtures';
import type { Subject } from './subject';

const end = (id: string): EndOverride => ({
  id,
  at: T0 + 50,
  reason: 'released',
  by: 'kim',
  audit: audit('override.end'),
});

const delivery = (overrideId: string, over: Partial<DeliveryUpdate> = {}): DeliveryUpdate => ({
  overrideId,
  instanceId: 'ins-1',
  delivery: 'applied',
  reason: null,
  at: T0 + 9,
  audit: audit('override.applied'),
  ...over,
});

/** The audit log, oldest first. */
async function actionsOf(store: Store): Promise<string[]> {
  const rows = await store.listAudit({ limit: 500 });
  return rows.map((row) => `${row.action} ${row.outcome}`).toReversed();
}

export function overridesContract(subject: Subject): void {
  describe('overrides', () => {
    beforeEach(async () => {
      const run = await startRun(subject.store(), 'ins-1');
      await startRun(subject.store(), 'ins-2');
      await append(subject.store(), run, {});
    });

    it('are stored with targets, generation, audit row and revision', async () => {
      const store = subject.store();
      const input = command('ovr-1', { targetInstanceIds: ['ins-1', 'ins-2'] });
      const result = await store.putCommand(input);
      const target = {
        delivery: 'queued',
        reason: null,
        updatedAt: T0,
        deliverBy: null,
        leaseRevision: 0,
        releasedAt: null,
        releaseOutcome: null,
      };
      const { id: commandId, kind, reason, actor, leaseMs } = input.command;
      const { targetInstanceIds: _t, ...limits } = input.overrides[0]!;
      const override = {
        ...limits,
        kind,
        reason,
        actor,
        leaseMs,
        generation: 1,
        endedAt: null,
        endReason: null,
        endedBy: null,
        commandId,
        includeNew: false,
        leaseRevision: 0,
        targets: [
          { instanceId: 'ins-1', ...target },
          { instanceId: 'ins-2', ...target },
        ],
      };
      expect(result).toEqual({
        kind: 'issued',
        revision: 1,
        command: input.command,
        overrides: [override],
      });
      expect(await store.getOverride('ovr-1')).toEqual(override);
      expect(await actionsOf(store)).toEqual(['override.issue done']);
      expect((await store.loadFleet()).breakers[0]?.generation).toBe(1);
      const reopened = await subject.reopen();
      expect(await reopened.getOverride('ovr-1')).toEqual(override);
    });

    it('answer the same idempotency key with the same override and change nothing', async () => {
      const store = subject.store();
      await store.putCommand(command('ovr-1'));
      const repeat = await store.putCommand(
        command('ovr-2', { idempotencyKey: 'key-ovr-1', kind: 'reset', expectedGeneration: 7 }),
      );
      expect(repeat).toMatchObject({ kind: 'repeat', overrides: [{ id: 'ovr-1' }] });
      expect(await actionsOf(store)).toHaveLength(1);
      expect((await store.loadFleet()).desiredRevision).toBe(1);
    });

    it('refuse another generation, show the latest and audit the refusal', async () => {
      const store = subject.store();
      await store.putCommand(command('ovr-1', { actor: 'ann' }));
      const conflict = await store.putCommand(command('ovr-2'));
      expect(conflict).toMatchObject({
        kind: 'conflict',
        conflicts: [
          { breakerId: BREAKER.id, generation: 1, latest: { id: 'ovr-1', actor: 'ann' } },
        ],
      });
      expect(await actionsOf(store)).toEqual(['override.issue done', 'override.issue refused']);
      const early = await store.putCommand(command('ovr-3', { expectedGeneration: 5 }));
      expect(early).toMatchObject({ kind: 'conflict', conflicts: [{ generation: 1 }] });
      expect(await store.getCommand('cmd-ovr-2')).toBeNull();
      expect(await store.getOverride('ovr-2')).toBeNull();
      expect((await store.loadFleet()).desiredRevision).toBe(1);
    });

    it('say when the breaker is unknown', async () => {
      const result = await subject.store().putCommand(command('o', { breakerIds: ['nobody'] }));
      expect(result).toEqual({ kind: 'unknown_breaker', breakerId: 'nobody' });
    });

    it('leave nothing when a target is unknown', async () => {
      const store = subject.store();
      const input = command('ovr-1', { targetInstanceIds: ['ins-1', 'nobody'] });
      await expect(store.putCommand(input)).rejects.toThrow(/nobody/);
      expect(await store.getOverride('ovr-1')).toBeNull();
      expect(await actionsOf(store)).toEqual([]);
      const fleet = await store.loadFleet();
      expect(fleet.breakers[0]?.generation).toBe(0);
      expect(fleet.desiredRevision).toBe(0);
      expect(await store.putCommand(command('ovr-1'))).toMatchObject({ kind: 'issued' });
    });

    it('have one winner in each race (R-19)', async () => {
      const store = subject.store();
      for (let generation = 0; generation < 100; generation++) {
        const racers = ['a', 'b'].map((name) =>
          store.putCommand(command(`${name}-${generation}`, { expectedGeneration: generation })),
        );
        const kinds = (await Promise.all(racers)).map((result: PutCommandResult) => result.kind);
        expect(kinds.toSorted()).toEqual(['conflict', 'issued']);
      }
      const list = await store.listOverrides({ breakerId: BREAKER.id, limit: 1_000 });
      expect(list.map((row) => row.generation)).toEqual(
        Array.from({ length: 100 }, (_, index) => 100 - index),
      );
      expect((await store.loadFleet()).breakers[0]?.generation).toBe(100);
    }, 60_000);

    it('end once', async () => {
      const store = subject.store();
      await store.putCommand(command('ovr-1'));
      const ended = await store.endOverrides([end('ovr-1'), end('nobody')]);
      expect(ended).toMatchObject({
        revision: 2,
        overrides: [{ endedAt: T0 + 50, endReason: 'released', endedBy: 'kim' }],
      });
      const again = await store.endOverrides([{ ...end('ovr-1'), reason: 'lease' }]);
      expect(again).toEqual({ overrides: [], revision: 2 });
      expect(await actionsOf(store)).toEqual(['override.issue done', 'override.end done']);
      expect((await store.loadFleet()).desiredRevision).toBe(2);
    });

    it('record what became of each delivery', async () => {
      const store = subject.store();
      await store.putCommand(command('ovr-1', { targetInstanceIds: ['ins-1', 'ins-2'] }));
      const changed = await store.recordDeliveries([
        delivery('ovr-1', { delivery: 'sent', audit: null }),
        delivery('ovr-1'),
        delivery('ovr-1', { instanceId: 'ins-2', delivery: 'rejected', reason: 'policy' }),
        delivery('nobody'),
        delivery('ovr-1', { instanceId: 'nobody' }),
      ]);
      expect(changed).toHaveLength(1);
      expect(changed[0]?.targets).toEqual([
        expect.objectContaining({ instanceId: 'ins-1', delivery: 'applied', updatedAt: T0 + 9 }),
        expect.objectContaining({ instanceId: 'ins-2', delivery: 'rejected', reason: 'policy' }),
      ]);
      expect(await actionsOf(store)).toEqual([
        'override.issue done',
        'override.applied done',
        'override.applied done',
      ]);
      expect(await store.recordDeliveries([])).toEqual([]);
    });

    it('are listed newest first by breaker and activity', async () => {
      const store = subject.store();
      await store.putCommand(command('ovr-1'));
      await store.putCommand(command('ovr-2', { expectedGeneration: 1 }));
      await store.putCommand(command('ovr-3', { expectedGeneration: 2 }));
      await store.endOverrides([end('ovr-2')]);
      const ids = async (filter: { active?: boolean; breakerId?: string; limit?: number }) =>
        (await store.listOverrides({ limit: 10, ...filter })).map((row) => row.id);
      expect(await ids({})).toEqual(['ovr-3', 'ovr-2', 'ovr-1']);
      expect(await ids({ active: true })).toEqual(['ovr-3', 'ovr-1']);
      expect(await ids({ active: false })).toEqual(['ovr-2']);
      expect(await ids({ breakerId: BREAKER.id, limit: 1 })).toEqual(['ovr-3']);
      expect(await ids({ breakerId: 'nobody' })).toEqual([]);
      const atStart = (await store.loadFleet()).overrides.map((row) => row.id);
      expect(atStart.toSorted()).toEqual(['ovr-1', 'ovr-2', 'ovr-3']);
    });
  });

  describe('the audit log', () => {
    it('pages newest first and by subject', async () => {
      const store = subject.store();
      for (let index = 0; index < 7; index++) {
        await store.appendAudit(audit(`a${index}`, { subject: index % 2 === 0 ? 'even' : 'odd' }));
      }
      const first = await store.listAudit({ limit: 3 });
      expect(first.map((row) => row.action)).toEqual(['a6', 'a5', 'a4']);
      expect(first[0]).toMatchObject({ ...audit('a6'), subject: 'even' });
      const next = await store.listAudit({ limit: 3, before: first.at(-1)?.id ?? 0 });
      expect(next.map((row) => row.action)).toEqual(['a3', 'a2', 'a1']);
      const odd = await store.listAudit({ limit: 10, subject: 'odd' });
      expect(odd.map((row) => row.action)).toEqual(['a5', 'a3', 'a1']);
    });
  });
}
