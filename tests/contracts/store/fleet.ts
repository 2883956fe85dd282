import { describe, expect, it } from 'vitest';
import {
  audit,
  append,
  BREAKER,
  command,
  log,
  registration,
  SERVICE,
  startRun,
  state,
  T0,
} from '../fixtures';
import type { ConfigUpsert } from '@/server/store/port';
import type { Subject } from './subject';

function upsert(configHash: string): ConfigUpsert {
  return { breakerId: BREAKER.id, instanceId: 'ins-1', configHash, config: { configHash } };
}

export function fleetContract(subject: Subject): void {
  describe('the fleet', () => {
    it('is empty at first', async () => {
      expect(await subject.store().loadFleet()).toEqual({
        services: [],
        breakers: [],
        instances: [],
        states: [],
        configs: [],
        overrides: [],
        desiredRevision: 0,
      });
    });

    it('holds what was registered and reported, also after opening again', async () => {
      const store = subject.store();
      const run = await startRun(store);
      const config = { window: { kind: 'time', durationMs: 1_000 } };
      const configUpsert = {
        breakerId: BREAKER.id,
        instanceId: 'ins-1',
        configHash: 'c'.repeat(64),
        config,
      };
      await append(store, run, { configs: [configUpsert], states: [state('ins-1')] });
      await store.putCommand(command('ovr-1'));
      await store.saveStates([state('ins-1', { since: null, at: T0 + 9 })]);

      const before = await store.loadFleet();
      expect(before.services).toEqual([SERVICE]);
      expect(before.breakers).toEqual([{ ...BREAKER, generation: 1 }]);
      expect(before.states).toEqual([state('ins-1', { since: null, at: T0 + 9 })]);
      expect(before.configs).toEqual([configUpsert]);
      expect(before.overrides.map((row) => row.id)).toEqual(['ovr-1']);
      expect(before.desiredRevision).toBe(1);
      expect(before.instances).toEqual([
        {
          ...registration().instance,
          liveness: 'live',
          clockOffsetMs: null,
          droppedEvents: 0,
          droppedSamples: 0,
          duplicates: 0,
          archivedAt: null,
        },
      ]);
      const reopened = await subject.reopen();
      expect(await reopened.loadFleet()).toEqual(before);
    });

    it('takes over a new target and configuration of a breaker', async () => {
      const store = subject.store();
      const run = await startRun(store);
      await append(store, run, { configs: [upsert('1')] });
      await append(store, run, {
        breakers: [{ ...BREAKER, target: 'elsewhere' }],
        configs: [upsert('2')],
      });
      const fleet = await store.loadFleet();
      expect(fleet.breakers[0]?.target).toBe('elsewhere');
      expect(fleet.configs).toEqual([upsert('2')]);
    });

    it('keeps the last word about the owner of a service; silence is none', async () => {
      const store = subject.store();
      const say = async (owner: string | null) => {
        const input = registration('ins-1', 'e1');
        await store.registerRun({ ...input, service: { ...input.service, owner } });
        return (await store.loadFleet()).services[0]?.owner;
      };
      expect(await say(null)).toBeNull();
      expect(await say('Team Payments')).toBe('Team Payments');
      expect(await say(null)).toBe('Team Payments');
      expect(await say('Team Checkout')).toBe('Team Checkout');
    });

    it('keeps counters, liveness and first sight of an instance that comes back', async () => {
      const store = subject.store();
      const run = await startRun(store);
      await append(store, run, { events: log(1, 2) });
      await append(store, run, { events: log(1, 2) });
      await store.recordLiveness([
        {
          instanceId: 'ins-1',
          from: 'live',
          to: 'offline',
          at: T0 + 5,
          lastSeenAt: T0 + 4,
          reason: 'goodbye',
        },
      ]);
      const input = registration('ins-1', 'e2');
      const again = await store.registerRun({
        ...input,
        service: { ...input.service, firstSeenAt: T0 + 99 },
        instance: { ...input.instance, version: '2.0.0', lastSeenAt: T0 + 1 },
      });
      expect(again.run).toMatchObject({ instanceId: 'ins-1', ackedSeq: 0, samplesSeq: 0 });
      expect(again.instance).toMatchObject({
        version: '2.0.0',
        duplicates: 2,
        liveness: 'offline',
        lastSeenAt: T0 + 4,
      });
      expect((await store.loadFleet()).services[0]?.firstSeenAt).toBe(T0);
      const sameRun = await store.registerRun(registration('ins-1', 'e1'));
      expect(sameRun.run).toMatchObject({ id: run, ackedSeq: 2 });
    });

    it('notes signs of life, never backwards', async () => {
      const store = subject.store();
      await startRun(store);
      const instanceId = 'ins-1';
      await store.touchInstance({ instanceId, lastSeenAt: T0 + 9, clockOffsetMs: -12.5 });
      await store.touchInstance({ instanceId, lastSeenAt: T0 + 3, clockOffsetMs: null });
      const { instances } = await store.loadFleet();
      expect(instances[0]).toMatchObject({ lastSeenAt: T0 + 9, clockOffsetMs: -12.5 });
    });

    it('removes one that is offline, with its row, and nothing else', async () => {
      const store = subject.store();
      await startRun(store, 'ins-1');
      const row = audit('instance.removed');
      expect(await store.removeInstance('ins-1', T0 + 2, row)).toBe(false);
      const gone = {
        from: 'live',
        to: 'offline',
        at: T0,
        lastSeenAt: T0,
        reason: 'goodbye',
      } as const;
      await store.recordLiveness([{ instanceId: 'ins-1', ...gone }]);
      const { row: before } = await store.auditHead();
      expect(await store.removeInstance('ins-1', T0 + 2, row)).toBe(true);
      expect(await store.removeInstance('ins-1', T0 + 3, row)).toBe(false);
      expect(await store.removeInstance('nobody', T0 + 3, row)).toBe(false);
      expect(await store.readAudit({ after: before, limit: 9 })).toMatchObject([
        { action: 'instance.removed' },
      ]);
      expect((await store.loadFleet()).instances).toEqual([]);
      await store.registerRun(registration('ins-1', 'e2'));
      expect((await store.loadFleet()).instances).toMatchObject([
        { id: 'ins-1', archivedAt: null },
      ]);
    });

    it('archives what was offline long enough, until it comes back', async () => {
      const store = subject.store();
      const run = await startRun(store, 'ins-1');
      await startRun(store, 'ins-2');
      await append(store, run, { events: log(1, 1), states: [state('ins-1')] });
      expect(await store.archiveInstances(T0 + 1, T0 + 2)).toEqual([]);
      await store.recordLiveness([
        {
          instanceId: 'ins-1',
          from: 'live',
          to: 'offline',
          at: T0,
          lastSeenAt: T0,
          reason: 'goodbye',
        },
      ]);
      expect(await store.archiveInstances(T0, T0 + 2)).toEqual([]);
      expect(await store.archiveInstances(T0 + 1, T0 + 2)).toEqual(['ins-1']);
      expect(await store.archiveInstances(T0 + 1, T0 + 3)).toEqual([]);
      const fleet = await store.loadFleet();
      expect(fleet.instances.map((row) => row.id)).toEqual(['ins-2']);
      expect(fleet.states).toEqual([]);
      expect(await store.listHistory({ breakerId: BREAKER.id, limit: 5 })).toHaveLength(1);
      expect(await store.lastTransitions(BREAKER.id, T0 + 2)).toHaveLength(1);
      expect(await store.lastTransitions(BREAKER.id, T0 + 3)).toEqual([]);
      await startRun(store, 'ins-1');
      expect((await store.loadFleet()).instances).toHaveLength(2);
    });

    it('refuses states of breakers it does not know, all of them', async () => {
      const store = subject.store();
      const run = await startRun(store);
      await append(store, run, {});
      const stranger = state('ins-1', { breakerId: 'nobody' });
      await expect(store.saveStates([state('ins-1'), stranger])).rejects.toThrow(/nobody/);
      expect((await store.loadFleet()).states).toEqual([]);
    });

    it('is writable and sound', async () => {
      const store = subject.store();
      await store.checkWritable();
      expect(await store.checkIntegrity()).toBeNull();
    });

    it('refuses work once it is closed, and closes twice without harm', async () => {
      const store = subject.store();
      await store.close();
      await store.close();
      await expect(store.loadFleet()).rejects.toThrow(/closed/);
    });
  });
}
