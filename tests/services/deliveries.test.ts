import { describe, expect, it } from 'vitest';
import { ada } from '@/tests/support/callers';
import { issue, obey, reporting, targetsOf } from './override-support';
import { openWorld, TestAgent, type World } from './support';

const on = (agent: TestAgent) => ({ kind: 'breaker' as const, breakerId: agent.breakerId });

async function force(world: World, agent: TestAgent, over = {}) {
  const { overrides } = await issue(world, { scope: on(agent), ...over });
  const [only] = overrides;
  if (only === undefined) throw new Error('no override');
  return only;
}

const wokenUp = (world: World, agent: TestAgent) =>
  world.published.filter(
    (one) => one.type === 'desired' && one.instanceIds.includes(agent.session.instanceId),
  ).length;

describe('a breaker that is created after the override was given', () => {
  it('[R-23] is waited for and asked for again when it registers', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const override = await force(world, one);
    await obey(one, { outcome: 'rejected', final: false, reason: 'no such breaker' });
    expect(await targetsOf(world, override)).toEqual(['one queued']);
    expect((await world.services.overrides.get(override.id)).endedAt).toBeNull();

    const before = wokenUp(world, one);
    await one.send(one.registered());
    expect(wokenUp(world, one)).toBe(before + 1);
    await obey(one);
    expect(await targetsOf(world, override)).toEqual(['one applied']);
  });

  it('[R-23] expires at deliver-by when it never comes, and says so', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const override = await force(world, one);
    await obey(one, { outcome: 'rejected', final: false });
    await world.pass(31_000);
    expect(await world.services.overrides.get(override.id)).toMatchObject({
      endReason: 'undeliverable',
      targets: [
        { delivery: 'expired', reason: 'the instance did not create this breaker in time' },
      ],
    });
  });

  it('[R-25] is waited for until the end of the lease after a restart of the instance', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const override = await force(world, one, { leaseMs: 600_000 });
    await obey(one);
    await world.pass(120_000);
    const again = new TestAgent(world);
    await again.connect();
    await obey(again, { outcome: 'rejected', final: false });
    await world.pass(120_000);
    expect(await targetsOf(world, override)).toEqual(['one queued']);
    await again.sendState([again.state()]);
    await obey(again);
    expect(await targetsOf(world, override)).toEqual(['one applied']);
  });

  it('[S-09] stays refused when the refusal is for good', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const override = await force(world, one);
    await obey(one, { outcome: 'rejected', reason: 'the service does not allow it' });
    const before = wokenUp(world, one);
    await one.send(one.registered());
    expect(wokenUp(world, one)).toBe(before);
    expect(await targetsOf(world, override)).toEqual(['one rejected']);
  });
});

describe('an instance that registers during the lease', () => {
  it('[R-26] is left alone unless new instances were meant', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const override = await force(world, one);
    const two = await reporting(world, { instance: 'two' });
    await world.pass(1_000);
    expect(await obey(two)).toEqual([]);
    expect(await targetsOf(world, override)).toEqual(['one queued']);
  });

  it('[R-26] gets the override when they were, with a time of its own to answer', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const override = await force(world, one, { includeNew: true, leaseMs: 600_000 });
    await obey(one);
    await world.pass(120_000);
    const two = await reporting(world, { instance: 'two' });
    await world.pass(1_000);
    expect(wokenUp(world, two)).toBeGreaterThan(0);
    const { overrides } = await world.services.agents.desired(two.session);
    expect(overrides).toMatchObject([{ id: override.id, remainingMs: 479_000 - 20 }]);
    expect(overrides[0]?.deliverWithinMs).toBeGreaterThan(28_000);
    await obey(two);
    expect(await targetsOf(world, override)).toEqual(['one applied', 'two applied']);
    const { rows } = await world.services.queries.audit({ limit: 20, subject: override.id });
    expect(rows.map(({ action }) => action)).toContain('override.joined');
  });

  it('[R-26] is waited for while nobody else could be reached', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    await world.services.agents.disconnected(one.session, world.clock.wall(), true);
    const override = await force(world, one, { includeNew: true, leaseMs: 600_000 });
    await world.pass(40_000);
    expect(await targetsOf(world, override)).toEqual(['one expired']);
    const two = await reporting(world, { instance: 'two' });
    await world.pass(1_000);
    await obey(two);
    expect(await targetsOf(world, override)).toEqual(['one expired', 'two applied']);
  });
});

async function doubled(world: World) {
  const one = await reporting(world, { epoch: '1'.repeat(32) });
  const twin = await reporting(world, { epoch: '2'.repeat(32) });
  const scope = {
    kind: 'instances' as const,
    breakerId: one.breakerId,
    instanceIds: [one.session.instanceId],
  };
  const [override] = (await issue(world, { scope })).overrides;
  if (override === undefined) throw new Error('no override');
  return { one, twin, override };
}

describe('two live processes under one instance id', () => {
  it('[R-12] [S-49] have done it only when both have said so', async () => {
    const world = await openWorld();
    const { one, twin, override } = await doubled(world);
    const { revision } = await world.services.agents.desired(one.session);
    await world.services.agents.desired(twin.session);
    const results = [{ overrideId: override.id, breaker: 'payments', outcome: 'applied' as const }];
    const frame = { type: 'applied' as const, revision, results };
    await world.services.agents.applied(one.session, frame, world.clock.wall());
    expect(await targetsOf(world, override)).toEqual(['one sent']);
    await world.services.agents.applied(twin.session, frame, world.clock.wall());
    expect(await targetsOf(world, override)).toEqual(['one applied']);
  });

  it('[R-12] [R-24] that disagree leave it unknown, with the count', async () => {
    const world = await openWorld();
    const { one, twin, override } = await doubled(world);
    await obey(one);
    await world.services.agents.desired(twin.session);
    await obey(twin, { outcome: 'rejected', reason: 'not here' });
    expect((await world.services.overrides.get(override.id)).targets).toMatchObject([
      { delivery: 'unknown', reason: '2 processes claim this instance: 1 applied, 1 rejected' },
    ]);
  });

  it('[S-49] do not answer for what was sent to the other one only', async () => {
    const world = await openWorld();
    const { one, twin, override } = await doubled(world);
    await world.services.agents.desired(one.session);
    const results = [{ overrideId: override.id, breaker: 'payments', outcome: 'applied' as const }];
    const frame = { type: 'applied' as const, revision: 1, results };
    await world.services.agents.applied(twin.session, frame, world.clock.wall());
    expect(await targetsOf(world, override)).toEqual(['one sent']);
  });

  it('[R-12] have to be chosen by name', async () => {
    const world = await openWorld();
    const { one } = await doubled(world);
    await expect(issue(world, { scope: on(one) })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { duplicateIdentity: [one.session.instanceId] },
    });
  });
});

describe('an instance that restarts too often', () => {
  it('[R-25] is left alone with a warning; the override stays for the others', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const two = await reporting(world, { instance: 'two' });
    const override = await force(world, one, { leaseMs: 3_600_000 });
    await obey(one);
    await obey(two);
    for (let restart = 0; restart < 4; restart++) {
      await world.pass(30_000);
      const next = new TestAgent(world);
      await next.connect();
      await obey(next);
    }
    expect(await world.services.overrides.get(override.id)).toMatchObject({
      endedAt: null,
      targets: [
        { instance: 'one', delivery: 'expired', reason: 'stopped: restarts too often' },
        { instance: 'two', delivery: 'applied' },
      ],
    });
    expect(world.logged.join()).toContain('restarts too often');
  });

  it('[R-25] ends it with a reason of its own when it was the only one', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const override = await force(world, one, { leaseMs: 3_600_000 });
    await obey(one);
    for (let restart = 0; restart < 4; restart++) {
      await world.pass(30_000);
      const next = new TestAgent(world);
      await next.connect();
      await obey(next);
    }
    await world.pass(1_000);
    expect(await world.services.overrides.get(override.id)).toMatchObject({
      endReason: 'restarts',
    });
    await expect(
      world.services.overrides.changeLease(ada, override.id, { leaseMs: 60_000 }),
    ).rejects.toMatchObject({ code: 'conflict' });
  });
});
