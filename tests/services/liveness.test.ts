import { describe, expect, it } from 'vitest';
import { ada } from '@/tests/support/callers';
import {
  breakerView,
  FLEET_AND_INSTANCES,
  openMemoryStore,
  openWorld,
  replacing,
  TestAgent,
  tokenRecord,
  type World,
} from './support';

const instanceView = (world: World, at = 0) =>
  world.services.feed.snapshot(FLEET_AND_INSTANCES).instances?.[at];

async function reporting(world: World, options = {}): Promise<TestAgent> {
  const agent = new TestAgent(world, options);
  await agent.connect();
  await agent.send(agent.registered());
  return agent;
}

describe('liveness', () => {
  it('[R-10] is live to 45 s, stale to 5 min, then offline, each change stored', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    expect(instanceView(world)?.liveness).toBe('live');
    await world.pass(44_000);
    expect(instanceView(world)?.liveness).toBe('live');
    await world.pass(3_000);
    expect(instanceView(world)?.liveness).toBe('stale');
    expect(breakerView(world).instances).toEqual({ total: 1, live: 0, stale: 1, offline: 0 });
    await world.pass(255_000);
    expect(instanceView(world)?.liveness).toBe('offline');
    agent.heard();
    await world.pass(200);
    expect(instanceView(world)?.liveness).toBe('live');

    const changes = await world.store.listLiveness([agent.session.instanceId], 0, 9e15);
    const steps = changes.map((change) => `${change.from} ${change.to}`);
    expect(steps.slice(-3)).toEqual(['live stale', 'stale offline', 'offline live']);
  });

  it('[R-10] is offline at once after a goodbye, and not after a lost connection', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    await world.services.agents.disconnected(agent.session, world.clock.wall(), false);
    await world.pass(200);
    expect(instanceView(world)).toMatchObject({ liveness: 'live', connected: false });
    await agent.connect();
    await world.services.agents.disconnected(agent.session, world.clock.wall(), true);
    expect(instanceView(world)).toMatchObject({ liveness: 'offline', connected: false });
  });

  it('[R-10] counts nothing as heard after a restart of the console', async () => {
    const store = openMemoryStore();
    const before = await openWorld({ store });
    const agent = await reporting(before);
    await agent.send(agent.transition('closed', 'open', 1));
    await before.services.stop();

    const world = await openWorld({ store, clock: before.clock });
    expect(breakerView(world)).toMatchObject({
      state: 'open',
      states: {},
      instances: { total: 1, live: 0, stale: 1, offline: 0 },
    });
    const back = new TestAgent(world, { epoch: agent.epoch });
    const { ackedSeq } = await back.connect();
    expect(ackedSeq).toBe(2);
    await world.pass(200);
    expect(breakerView(world).instances.live).toBe(1);
  });

  it('[R-10] shows the silence in a series as a span without a line', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const from = world.clock.wall();
    await world.pass(60_000);
    agent.heard();
    await world.pass(1_000);
    const to = world.clock.wall();
    const { gaps, points } = await world.services.queries.series(agent.breakerId, {
      from,
      to,
      points: 600,
    });
    expect(points).toEqual([]);
    expect(gaps).toHaveLength(1);
    expect(gaps[0]?.from).toBe(from);
    expect(gaps[0]!.to - gaps[0]!.from).toBeGreaterThanOrEqual(60_000);
  });
});

describe('identity', () => {
  it('[R-12] a second connection of the same run replaces the first', async () => {
    const world = await openWorld();
    const first = await reporting(world);
    const second = new TestAgent(world, { epoch: first.epoch });
    await second.connect();
    expect(first.replaced).toBe(true);
    await world.pass(200);
    expect(instanceView(world)).toMatchObject({ connected: true, duplicateIdentity: false });
    await world.services.agents.disconnected(first.session, world.clock.wall(), true);
    expect(instanceView(world)).toMatchObject({ connected: true, liveness: 'live' });
  });

  it('[R-12] another run of the same instance is flagged and both stay', async () => {
    const world = await openWorld();
    const first = await reporting(world);
    const second = new TestAgent(world, { epoch: 'f'.repeat(32) });
    await second.connect();
    expect(first.replaced).toBe(false);
    await world.pass(200);
    expect(instanceView(world)?.duplicateIdentity).toBe(true);
    const body = {
      breakerId: first.breakerId,
      kind: 'force_open' as const,
      reason: 'the target is down',
      expectedGeneration: 0,
      idempotencyKey: 'key-of-ada',
    };
    await expect(world.services.overrides.issue(ada, body)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const instances = [first.session.instanceId];
    expect(await world.services.overrides.issue(ada, { ...body, instances })).toMatchObject({
      kind: 'force_open',
    });
    await world.services.agents.disconnected(second.session, world.clock.wall(), true);
    expect(instanceView(world)).toMatchObject({ duplicateIdentity: false, liveness: 'live' });
  });

  it.each([
    [{ environment: 'staging' }],
    [{ service: 'billing' }],
    [{ token: tokenRecord({ abilities: ['obey'] }) }],
    [{ service: 'checkout-2', token: tokenRecord({ servicePattern: 'checkout' }) }],
  ])('[S-08] a token does not open more than it covers: %j', async (options) => {
    const world = await openWorld();
    await expect(new TestAgent(world, options).connect()).rejects.toMatchObject({
      code: 'not_allowed',
    });
  });

  it('[S-48] a service has room for 2,000 instances', async () => {
    let runs = 0;
    const world = await openWorld({
      wrap: (store) =>
        replacing(store, 'registerRun', async ({ instance, epoch }) => ({
          run: { id: ++runs, instanceId: instance.id, epoch, ackedSeq: 0, samplesSeq: 0 },
          instance: {
            ...instance,
            liveness: 'live',
            clockOffsetMs: null,
            droppedEvents: 0,
            droppedSamples: 0,
            duplicates: 0,
            archivedAt: null,
          },
        })),
    });
    for (let at = 0; at < 2_000; at++) {
      await new TestAgent(world, { instance: `i${at}` }).connect();
    }
    await expect(new TestAgent(world, { instance: 'one too many' }).connect()).rejects.toThrow(
      'quota',
    );
    await expect(new TestAgent(world, { instance: 'i7' }).connect()).resolves.toBeDefined();
    const elsewhere = new TestAgent(world, { service: 'check-in' });
    await expect(elsewhere.connect()).resolves.toBeDefined();
  });

  it('an instance that was offline for a day leaves the lists', async () => {
    const world = await openWorld();
    await reporting(world);
    await world.pass(310_000);
    world.clock.fake.jump(24 * 3_600_000);
    await world.pass(601_000);
    expect(instanceView(world)).toBeUndefined();
    expect(world.services.feed.snapshot(FLEET_AND_INSTANCES).breakers).toEqual([]);
    const again = await reporting(world);
    expect(breakerView(world).id).toBe(again.breakerId);
  });
});
