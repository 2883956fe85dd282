import { beforeEach, describe, expect, it } from 'vitest';
import type { StartCommand } from '@/server/store/port';
import { append, audit, BREAKER, command, overrideInsert, startRun, T0 } from '../fixtures';
import type { Subject } from './subject';

const OTHER = { ...BREAKER, id: 'brk-2', name: 'stock', target: 'stock-db' };
const pending = { status: 'pending_approval' as const };

const start = (id: string, over: Partial<StartCommand> = {}): StartCommand => ({
  id: `cmd-${id}`,
  from: 'pending_approval',
  digest: `digest-${id}`,
  at: T0 + 5,
  by: 'bob',
  approvedBy: 'bob',
  to: 'issued',
  expected: { [BREAKER.id]: 0 },
  overrides: [overrideInsert(id)],
  audit: audit('override.approved'),
  ...over,
});

const change = (id: string, expectedLeaseRevision = 0) => ({
  id,
  at: T0 + 1,
  leaseMs: 60_000,
  endsAt: T0 + 60_001,
  expectedLeaseRevision,
  audit: audit('override.lease_changed'),
});

/** What the store says about generations and audit now. */
function readings(subject: Subject) {
  const generations = async () =>
    (await subject.store().loadFleet()).breakers.map(({ id, generation }) => `${id} ${generation}`);
  const actions = async () =>
    (await subject.store().listAudit({ limit: 50 })).map((row) => row.action).toReversed();
  return { generations, actions };
}

export function commandsContract(subject: Subject): void {
  describe('commands', () => {
    const { generations, actions } = readings(subject);
    beforeEach(async () => {
      const store = subject.store();
      const run = await startRun(store, 'ins-1');
      await startRun(store, 'ins-2');
      await append(store, run, { breakers: [BREAKER, OTHER] });
    });

    it('issue every breaker of a command or none', async () => {
      const store = subject.store();
      await store.putCommand(command('one'));
      const both = { breakerIds: [BREAKER.id, OTHER.id] };
      const refused = await store.putCommand(command('two', both));
      expect(refused).toMatchObject({
        kind: 'conflict',
        conflicts: [{ breakerId: BREAKER.id, generation: 1, latest: { id: 'one' } }],
      });
      expect(await generations()).toEqual(['brk-1 1', 'brk-2 0']);
      const expected = { [BREAKER.id]: 1, [OTHER.id]: 0 };
      const issued = await store.putCommand(command('three', { ...both, expected }));
      expect(issued).toMatchObject({
        kind: 'issued',
        overrides: [
          { breakerId: BREAKER.id, generation: 2, commandId: 'cmd-three' },
          { breakerId: OTHER.id, generation: 1, commandId: 'cmd-three' },
        ],
      });
      expect(await generations()).toEqual(['brk-1 2', 'brk-2 1']);
      const reopened = await subject.reopen();
      expect((await reopened.overridesOfCommand('cmd-three')).map(({ id }) => id)).toEqual([
        'three',
        'three-1',
      ]);
    });

    it('wait, and are started once by who names what was asked for', async () => {
      const store = subject.store();
      await store.putCommand(command('a', pending));
      expect(await store.listCommands({ waiting: true, limit: 10 })).toHaveLength(1);
      expect(await store.startCommand(start('a', { digest: 'another' }))).toMatchObject({
        kind: 'not_waiting',
        command: { status: 'pending_approval' },
      });
      expect(await store.startCommand(start('a'))).toMatchObject({
        kind: 'issued',
        command: { status: 'issued', approvedBy: 'bob' },
        overrides: [{ id: 'a', generation: 1 }],
      });
      expect(await store.startCommand(start('a'))).toMatchObject({ kind: 'not_waiting' });
      expect(await store.startCommand(start('nobody'))).toEqual({
        kind: 'not_waiting',
        command: null,
      });
      expect(await store.listCommands({ waiting: true, limit: 10 })).toEqual([]);
      expect(await actions()).toEqual(['override.issue', 'override.approved']);
    });

    it('[S-14] are approved or changed, never both: one digest wins', async () => {
      const store = subject.store();
      for (let round = 0; round < 20; round++) {
        const id = `r${round}`;
        const expected = { [BREAKER.id]: round };
        await store.putCommand(command(id, { ...pending, expectedGeneration: round }));
        const change = {
          id: `cmd-${id}`,
          from: `digest-${id}`,
          digest: 'new',
          facts: { breakers: [] },
          expected,
          audit: audit('override.facts_changed'),
        };
        const acts = [
          () => store.startCommand(start(id, { expected })).then(({ kind }) => kind === 'issued'),
          () => store.refreshCommand(change).then((changed) => changed !== null),
        ];
        const order = round % 2 === 0 ? acts : acts.toReversed();
        const won = await Promise.all(order.map((act) => act()));
        expect(won).toEqual([true, false]);
        if (round % 2 === 0) continue;
        const renamed = start(id, { expected, digest: 'new' });
        expect(await store.startCommand(renamed)).toMatchObject({ kind: 'issued' });
      }
    });

    it('are settled once, with the row that says so', async () => {
      const store = subject.store();
      await store.putCommand(command('a', pending));
      const settle = {
        id: 'cmd-a',
        from: ['pending_approval', 'scheduled'],
        to: 'denied',
        at: T0 + 9,
        by: 'bob',
        reason: 'not now',
        audit: audit('override.denied'),
      } as const;
      expect(await store.settleCommand(settle)).toMatchObject({
        status: 'denied',
        statusBy: 'bob',
        statusReason: 'not now',
      });
      expect(await store.settleCommand({ ...settle, to: 'cancelled' })).toBeNull();
      expect(await actions()).toEqual(['override.issue', 'override.denied']);
    });

    it('change leases together or not at all', async () => {
      const store = subject.store();
      await store.putCommand(command('a', { breakerIds: [BREAKER.id, OTHER.id] }));
      expect(await store.changeLeases([change('a'), change('a-1', 7)])).toMatchObject({
        kind: 'conflict',
        override: { id: 'a-1', leaseRevision: 0 },
      });
      expect(await store.changeLeases([change('a'), change('a-1')])).toMatchObject({
        kind: 'changed',
        overrides: [
          { leaseRevision: 1, endsAt: T0 + 60_001 },
          { leaseRevision: 1, endsAt: T0 + 60_001 },
        ],
      });
      expect(await store.changeLeases([change('nobody')])).toEqual({
        kind: 'ended',
        override: null,
      });
    });

    it('take instances in that came later, once', async () => {
      const store = subject.store();
      await store.putCommand(command('a', { includeNew: true }));
      const add = {
        overrideId: 'a',
        instanceIds: ['ins-1', 'ins-2'],
        at: T0 + 5,
        deliverBy: T0 + 30_005,
        audit: audit('override.joined'),
      };
      const joined = await store.addTargets(add);
      expect(joined?.override.targets).toMatchObject([
        { instanceId: 'ins-1', deliverBy: null, updatedAt: T0 },
        { instanceId: 'ins-2', deliverBy: T0 + 30_005, delivery: 'queued' },
      ]);
      const ending = { at: T0, reason: 'released', by: null, audit: audit('end') } as const;
      await store.endOverrides([{ id: 'a', ...ending }]);
      expect(await store.addTargets(add)).toBeNull();
    });

    it('keep where a gradual release stands, together with what it let go', async () => {
      const store = subject.store();
      await store.putCommand(command('a'));
      const release = {
        id: 'rel-1',
        actor: 'kim',
        reason: '',
        createdAt: T0,
        overrideIds: ['a'],
        batchSize: 1,
        intervalMs: 1_000,
        nextAt: T0,
        status: 'running',
        statusAt: T0,
        statusBy: 'kim',
        statusReason: null,
      } as const;
      await store.putRelease(release, audit('release.started'));
      const target = { overrideId: 'a', instanceId: 'ins-1', releasedAt: T0 + 1 };
      const stepped = await store.stepRelease({
        release: { ...release, status: 'stopped', statusReason: 'it tripped' },
        targets: [{ ...target, outcome: 'tripped' }],
        audit: audit('release.stopped'),
      });
      expect(stepped.overrides[0]?.targets).toMatchObject([
        { releasedAt: T0 + 1, releaseOutcome: 'tripped' },
      ]);
      const reopened = await subject.reopen();
      expect(await reopened.listReleases({ open: true, limit: 5 })).toMatchObject([
        { id: 'rel-1', status: 'stopped', statusReason: 'it tripped' },
      ]);
      expect(await reopened.getRelease('nobody')).toBeNull();
    });

    it('keep policies by environment, and reviews that are closed once', async () => {
      const store = subject.store();
      const policy = {
        environment: 'prod*',
        twoPerson: 'L3',
        stepUp: 'L3',
        tierOneServices: ['checkout*'],
        updatedAt: T0,
        updatedBy: 'kim',
      } as const;
      await store.setPolicy(policy, audit('policy.set'));
      await store.setPolicy({ ...policy, stepUp: 'L2' }, audit('policy.set'));
      expect(await store.listPolicies()).toEqual([{ ...policy, stepUp: 'L2' }]);
      const review = { id: 'rev-1', createdAt: T0, dueAt: T0 + 9 };
      await store.putCommand(command('a', { breakGlass: true, review }));
      const open = await store.listReviews({ open: true, limit: 5 });
      expect(open).toMatchObject([{ id: 'rev-1', closedAt: null, command: { id: 'cmd-a' } }]);
      const close = { id: 'rev-1', at: T0 + 3, by: 'bob', note: 'seen', audit: audit('closed') };
      expect(await store.closeReview(close)).toMatchObject({ closedBy: 'bob', note: 'seen' });
      expect(await store.closeReview({ ...close, by: 'eve' })).toBeNull();
      expect(await store.listReviews({ open: true, limit: 5 })).toEqual([]);
      expect(await store.getReview('rev-1')).toMatchObject({ closedBy: 'bob' });
    });
  });
}
