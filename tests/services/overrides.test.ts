import { describe, expect, it } from 'vitest';
import type { IssueOverrideBody } from '@/lib/protocol/api';
import type { AppliedFrame } from '@/lib/protocol/agent-frames';
import type { OverrideView } from '@/lib/protocol/views';
import { ada, bob, eve } from '@/tests/support/callers';
import { openMemoryStore, openWorld, PROVED, TestAgent, tokenRecord, type World } from './support';

let keys = 0;
function body(breakerId: string, over: Partial<IssueOverrideBody> = {}): IssueOverrideBody {
  keys++;
  return {
    breakerId,
    kind: 'force_open',
    reason: 'the target is down',
    expectedGeneration: 0,
    idempotencyKey: `key-${keys}-xxxx`,
    stepUpId: PROVED,
    ...over,
  };
}

async function reporting(world: World, options = {}): Promise<TestAgent> {
  const agent = new TestAgent(world, options);
  await agent.connect();
  await agent.send(agent.registered());
  return agent;
}

function answer(
  world: World,
  agent: TestAgent,
  override: Pick<OverrideView, 'id'>,
  outcome: AppliedFrame['results'][number]['outcome'],
  breaker = 'payments',
) {
  return world.services.agents.applied(
    agent.session,
    { type: 'applied', revision: 1, results: [{ overrideId: override.id, breaker, outcome }] },
    world.clock.wall(),
  );
}

const deliveries = async (world: World, id: string) =>
  (await world.services.overrides.get(id)).targets.map((target) => target.delivery);

async function auditActions(world: World, subject?: string): Promise<string[]> {
  const { rows } = await world.services.queries.audit({
    limit: 100,
    ...(subject === undefined ? {} : { subject }),
  });
  return rows.map((row) => `${row.action} ${row.outcome}`).toReversed();
}

describe('an idempotency key', () => {
  it('answers the same command again and refuses another one', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const { overrides } = world.services;
    const first = body(agent.breakerId);
    const issued = await overrides.issue(ada, first);
    expect(await overrides.issue(ada, first)).toMatchObject({ id: issued.id });
    await expect(overrides.issue(ada, { ...first, kind: 'reset' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await auditActions(world, issued.id)).toEqual(['override.issued done']);
  });
});

describe('an override', () => {
  it('[R-17][R-24] goes from queued over sent to applied, each step audited', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const { overrides, agents } = world.services;
    const issued = await overrides.issue(ada, body(agent.breakerId));
    expect(issued).toMatchObject({ generation: 1, leaseMs: 900_000 });
    expect(issued.targets[0]).toMatchObject({ delivery: 'queued', reportedState: 'closed' });
    expect(world.published).toContainEqual(
      expect.objectContaining({ type: 'desired', instanceIds: [agent.session.instanceId] }),
    );

    await world.pass(1_000);
    const desired = await agents.desired(agent.session);
    expect(desired.overrides).toEqual([
      expect.objectContaining({
        id: issued.id,
        breaker: 'payments',
        generation: 1,
        deliverWithinMs: 29_000,
        remainingMs: 899_000,
      }),
    ]);
    expect(await deliveries(world, issued.id)).toEqual(['sent']);
    await answer(world, agent, issued, 'applied');
    expect(await deliveries(world, issued.id)).toEqual(['applied']);
    await answer(world, agent, issued, 'applied');
    expect(await auditActions(world, issued.id)).toEqual([
      'override.issued done',
      'override.applied done',
    ]);
    const [shown] = world.services.feed.snapshot(new Set(['fleet'])).overrides;
    expect(shown?.targets[0]).toMatchObject({ delivery: 'applied', reportedState: 'closed' });
  });

  it.each(['rejected', 'expired', 'superseded'] as const)('[R-24] may be %s', async (outcome) => {
    const world = await openWorld();
    const agent = await reporting(world);
    const issued = await world.services.overrides.issue(ada, body(agent.breakerId));
    await world.services.agents.desired(agent.session);
    await answer(world, agent, issued, outcome);
    const view = await world.services.overrides.get(issued.id);
    expect(view.targets[0]?.delivery).toBe(outcome);
    expect(view.endReason).toBe(outcome === 'superseded' ? null : 'undeliverable');
    expect(await auditActions(world, issued.id)).toContain(
      `override.${outcome} ${{ rejected: 'refused', expired: 'failed', superseded: 'done' }[outcome]}`,
    );
  });

  it('[R-23] stays queued for an offline target until deliver-by, then expires', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    await world.services.agents.disconnected(agent.session, world.clock.wall(), true);
    const issued = await world.services.overrides.issue(ada, body(agent.breakerId));
    expect(issued.targets[0]).toMatchObject({ liveness: 'offline', delivery: 'queued' });
    await world.pass(29_000);
    expect(await deliveries(world, issued.id)).toEqual(['queued']);
    await world.pass(1_500);
    expect(await world.services.overrides.get(issued.id)).toMatchObject({
      endReason: 'undeliverable',
      targets: [{ delivery: 'expired' }],
    });
    await agent.connect();
    expect((await world.services.agents.desired(agent.session)).overrides).toEqual([]);
  });

  it('[R-23] reaches a target that comes back in time', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    await world.services.agents.disconnected(agent.session, world.clock.wall(), true);
    const issued = await world.services.overrides.issue(ada, body(agent.breakerId));
    await world.pass(20_000);
    await agent.connect();
    const { overrides } = await world.services.agents.desired(agent.session);
    expect(overrides[0]?.deliverWithinMs).toBe(10_000);
    await answer(world, agent, issued, 'applied');
    expect(await deliveries(world, issued.id)).toEqual(['applied']);
  });

  it('[R-24][S-49] sent without an answer is unknown; a late success is applied_late', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const issued = await world.services.overrides.issue(ada, body(agent.breakerId));
    await world.services.agents.desired(agent.session);
    await world.pass(33_000);
    expect(await deliveries(world, issued.id)).toEqual(['unknown']);
    // Only the instance can tell, so it is asked again, without permission to start now.
    const { overrides } = await world.services.agents.desired(agent.session);
    expect(overrides[0]?.deliverWithinMs).toBe(0);
    await answer(world, agent, issued, 'applied');
    expect(await deliveries(world, issued.id)).toEqual(['applied_late']);
    expect(await auditActions(world, issued.id)).toEqual([
      'override.issued done',
      'override.unknown failed',
      'override.applied_late failed',
    ]);
  });

  it('[S-49] is not applied by an instance that was not sent it, nor by another', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const two = await reporting(world, { instance: 'two' });
    const instances = [one.session.instanceId];
    const issued = await world.services.overrides.issue(ada, body(one.breakerId, { instances }));
    await answer(world, one, issued, 'applied');
    await answer(world, two, issued, 'applied');
    expect(await deliveries(world, issued.id)).toEqual(['queued']);
    await world.services.agents.desired(one.session);
    await answer(world, two, issued, 'applied');
    await answer(world, one, issued, 'applied', 'another-breaker');
    expect(await deliveries(world, issued.id)).toEqual(['sent']);
    await world.pass(40_000);
    const never = await world.services.overrides.issue(
      ada,
      body(one.breakerId, { instances, expectedGeneration: 1 }),
    );
    await world.pass(31_000);
    await answer(world, one, never, 'applied');
    expect(await deliveries(world, never.id)).toEqual(['expired']);
  });

  it('[R-20] ends with its lease, by a clock that the wall does not move', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const issued = await world.services.overrides.issue(
      ada,
      body(agent.breakerId, { leaseMs: 60_000 }),
    );
    await world.services.agents.desired(agent.session);
    await answer(world, agent, issued, 'applied');
    world.clock.wallStep = 86_400_000;
    await world.pass(58_000);
    expect((await world.services.overrides.get(issued.id)).endedAt).toBeNull();
    await world.pass(2_500);
    expect(await world.services.overrides.get(issued.id)).toMatchObject({ endReason: 'lease' });
    expect((await world.services.agents.desired(agent.session)).overrides).toEqual([]);
    expect(await auditActions(world, issued.id)).toContain('override.ended done');
  });

  it.each([
    [{ kind: 'force_closed', leaseMs: 31 * 60_000 }],
    [{ leaseMs: 241 * 60_000 }],
    [{ instances: ['ins_stranger'] }],
  ] as const)('[R-20] is refused, and that is audited: %j', async (over) => {
    const world = await openWorld();
    const agent = await reporting(world);
    const issue = world.services.overrides.issue(
      ada,
      body(agent.breakerId, over as Partial<IssueOverrideBody>),
    );
    await expect(issue).rejects.toMatchObject({ code: 'invalid_input', status: 400 });
    expect(await auditActions(world, agent.breakerId)).toEqual(['override.issue refused']);
  });

  it('ends at release, also where it was not sent yet', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    await reporting(world, { instance: 'two' });
    const issued = await world.services.overrides.issue(ada, body(one.breakerId));
    await world.services.agents.desired(one.session);
    await answer(world, one, issued, 'applied');
    world.published.length = 0;
    const released = await world.services.overrides.release(bob, issued.id, {});
    expect(released).toMatchObject({ endReason: 'released', endedBy: 'bob' });
    expect(released.targets.map((target) => target.delivery).toSorted()).toEqual([
      'applied',
      'expired',
    ]);
    expect(world.published.filter((one) => one.type === 'desired')).toHaveLength(1);
    expect((await world.services.agents.desired(one.session)).overrides).toEqual([]);
    const again = await world.services.overrides.release(eve, issued.id, {});
    expect(again.endedBy).toBe('bob');
    await expect(world.services.overrides.release(bob, 'ovr_x', {})).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('leaves the older one in force when it ends', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const { overrides, agents } = world.services;
    const older = await overrides.issue(ada, body(agent.breakerId));
    const newer = await overrides.issue(
      ada,
      body(agent.breakerId, { kind: 'force_closed', expectedGeneration: 1 }),
    );
    const both = await agents.desired(agent.session);
    expect(both.overrides.map((one) => one.id)).toEqual([older.id, newer.id]);
    await answer(world, agent, older, 'superseded');
    await answer(world, agent, newer, 'applied');
    await overrides.release(ada, newer.id, {});
    const left = await agents.desired(agent.session);
    expect(left.overrides.map((one) => one.id)).toEqual([older.id]);
    await answer(world, agent, older, 'applied');
    expect(await deliveries(world, older.id)).toEqual(['applied']);
  });

  it('of kind reset is done when everybody has answered', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const issued = await world.services.overrides.issue(
      ada,
      body(agent.breakerId, { kind: 'reset' }),
    );
    expect(issued.leaseMs).toBe(0);
    const { overrides } = await world.services.agents.desired(agent.session);
    expect(overrides[0]).toMatchObject({ kind: 'reset', remainingMs: 0 });
    await answer(world, agent, issued, 'applied');
    expect(await world.services.overrides.get(issued.id)).toMatchObject({ endReason: 'done' });
  });

  it('is not sent under a token that may not obey', async () => {
    const world = await openWorld();
    const agent = await reporting(world, { token: tokenRecord({ abilities: ['publish'] }) });
    await world.services.overrides.issue(ada, body(agent.breakerId));
    expect((await world.services.agents.desired(agent.session)).overrides).toEqual([]);
  });
});

describe('fencing', () => {
  it('[R-19] refuses an old generation and says who, when and why', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const first = body(agent.breakerId);
    const issued = await world.services.overrides.issue(ada, first);
    await expect(world.services.overrides.issue(bob, body(agent.breakerId))).rejects.toMatchObject({
      code: 'conflict',
      details: {
        generation: 1,
        latest: { actor: 'ada', reason: first.reason, at: issued.createdAt, kind: 'force_open' },
      },
    });
    const repeat = await world.services.overrides.issue(ada, first);
    expect(repeat.id).toBe(issued.id);
    expect(await auditActions(world)).toContainEqual(expect.stringMatching(/refused$/));
  });

  it('[R-19] two people racing 200 times: one winner each time', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    for (let generation = 0; generation < 200; generation++) {
      const results = await Promise.allSettled(
        [ada, bob].map((person) =>
          world.services.overrides.issue(
            person,
            body(agent.breakerId, {
              kind: person === ada ? 'force_open' : 'force_closed',
              expectedGeneration: generation,
            }),
          ),
        ),
      );
      expect(results.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
    const { generation } = await world.services.overrides.impact(agent.breakerId, 'force_open');
    expect(generation).toBe(200);
  }, 60_000);
});

describe('restarts', () => {
  it('[R-17] the console finishes what it finds', async () => {
    const store = openMemoryStore();
    const before = await openWorld({ store });
    const agent = await reporting(before);
    const { overrides, agents } = before.services;
    const lasting = await overrides.issue(ada, body(agent.breakerId));
    await agents.desired(agent.session);
    await answer(before, agent, lasting, 'applied');
    const unsent = await overrides.issue(ada, body(agent.breakerId, { expectedGeneration: 1 }));
    const brief = await overrides.issue(
      ada,
      body(agent.breakerId, { expectedGeneration: 2, leaseMs: 60_000 }),
    );
    await agents.desired(agent.session);
    // Killed: nothing of its timers runs any more.
    before.clock.fake.jump(120_000);

    const world = await openWorld({ store, clock: before.clock });
    expect(await world.services.overrides.get(brief.id)).toMatchObject({
      endReason: 'lease',
      targets: [{ delivery: 'unknown' }],
    });
    expect(await deliveries(world, unsent.id)).toEqual(['unknown']);
    const back = new TestAgent(world, { epoch: agent.epoch, startedAt: agent.wall - 500_000 });
    await back.connect();
    const desired = await world.services.agents.desired(back.session);
    expect(desired.overrides.map((one) => one.id)).toEqual([lasting.id, unsent.id]);
    expect(desired.overrides[0]?.remainingMs).toBe(780_000);
    expect(desired.revision).toBeGreaterThanOrEqual(3);
  });

  it('[R-25] an instance that restarts gets the rest of the lease, three times in ten minutes', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const { overrides, agents } = world.services;
    const issued = await overrides.issue(ada, body(agent.breakerId, { leaseMs: 3_600_000 }));
    await agents.desired(agent.session);
    await answer(world, agent, issued, 'applied');
    for (let round = 0; round < 3; round++) {
      await world.pass(60_000);
      const next = new TestAgent(world);
      await next.connect();
      const desired = await agents.desired(next.session);
      expect(desired.overrides[0]).toMatchObject({ id: issued.id, generation: 1 });
      expect(desired.overrides[0]?.deliverWithinMs).toBe(30_000);
      expect(await deliveries(world, issued.id)).toEqual(['sent']);
      await answer(world, next, issued, 'applied');
    }
    await world.pass(60_000);
    const fourth = new TestAgent(world);
    await fourth.connect();
    expect((await agents.desired(fourth.session)).overrides).toEqual([]);
    expect(await deliveries(world, issued.id)).toEqual(['expired']);
    expect(await auditActions(world, issued.id)).toContain('override.sent done');
  });
});

describe('the preview', () => {
  it('[U-22] counts what would be hit and who would refuse', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const two = await reporting(world, { instance: 'two', kinds: ['force_open', 'reset'] });
    await world.services.agents.disconnected(two.session, world.clock.wall(), true);
    const impact = await world.services.overrides.impact(one.breakerId, 'force_closed');
    expect(impact).toMatchObject({
      kind: 'force_closed',
      generation: 0,
      instances: { live: 1, stale: 0, offline: 1 },
      willRefuse: [{ instance: 'two' }],
      activeOverrides: [],
    });
  });

  it('[U-22] [S-08] names who may not obey and who accepts too short a lease', async () => {
    const world = await openWorld();
    const token = tokenRecord({ id: 'tok_publish', abilities: ['publish'] });
    const audit = {
      at: 0,
      actor: 'a',
      action: 't',
      subject: 's',
      outcome: 'done',
      details: {},
    } as const;
    await world.store.createToken(token, 'hash-of-it', audit);
    const mute = await reporting(world, { instance: 'mute', token });
    await reporting(world, { instance: 'brief', maxLeaseMs: 60_000 });
    const { willRefuse } = await world.services.overrides.impact(mute.breakerId, 'force_open');
    expect(willRefuse.map(({ instance, why }) => `${instance}: ${why}`).toSorted()).toEqual([
      'brief: its own policy accepts 60 s at most',
      'mute: its token may publish but not obey',
    ]);
  });
});
