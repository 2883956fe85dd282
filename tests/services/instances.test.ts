import { describe, expect, it } from 'vitest';
import { bob } from '../support/callers';
import { reporting } from './override-support';
import { FLEET, FLEET_AND_INSTANCES, openWorld, TestAgent, type World } from './support';

const remove = (world: World, id: string) => world.services.forCaller(bob).instances.remove(id);

async function gone(world: World, agent: TestAgent): Promise<string> {
  await world.services.agents.disconnected(agent.session, world.clock.wall(), true);
  return agent.session.instanceId;
}

describe('removing an instance that is gone', () => {
  it('takes it out of every list, keeps its history, and leaves one row', async () => {
    const world = await openWorld();
    await reporting(world);
    const two = await reporting(world, { instance: 'two' });
    const id = await gone(world, two);
    const { breakerId } = two;
    expect(await remove(world, id)).toMatchObject({ instance: 'two', breakersGone: [] });
    const { instances, services } = world.services.feed.snapshot(FLEET_AND_INSTANCES);
    expect(instances?.map(({ instance }) => instance)).toEqual(['one']);
    expect((await world.services.queries.breaker(breakerId)).instances).toHaveLength(1);
    const service = await world.services.queries.service(services[0]?.id ?? '');
    expect(service.instances).toHaveLength(1);
    const { events } = await world.services.queries.history(breakerId, { limit: 50 });
    expect(events.some((event) => event.instance === 'two')).toBe(true);
    const { rows } = await world.services.queries.audit({ limit: 5 });
    expect(rows[0]).toMatchObject({
      action: 'instance.removed',
      subject: id,
      outcome: 'done',
      details: { instance: 'two', service: 'checkout' },
    });
  });

  it('with the last instance its breakers leave the fleet, and all is back when it reports', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const { breakerId } = one;
    const id = await gone(world, one);
    expect((await remove(world, id)).breakersGone).toEqual([breakerId]);
    expect(world.services.feed.snapshot(FLEET).breakers).toEqual([]);
    const again = new TestAgent(world, { instance: 'one', epoch: 'e'.repeat(32) });
    await again.connect();
    await again.send(again.registered());
    expect(again.session.instanceId).toBe(id);
    expect(world.services.feed.snapshot(FLEET).breakers).toMatchObject([{ id: breakerId }]);
  });

  it('refuses one that is heard and one that is only stale, and says what to do', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const id = one.session.instanceId;
    await expect(remove(world, id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'one was not removed: it is connected; stop it first, or it would be back at once.',
    });
    await world.pass(60_000);
    await expect(remove(world, id)).rejects.toMatchObject({
      message: expect.stringContaining('it is stale, not offline') as string,
    });
    await world.pass(300_000);
    await expect(remove(world, id)).resolves.toMatchObject({ instanceId: id });
    await expect(remove(world, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('stays removed after a restart of the console', async () => {
    const world = await openWorld();
    const id = await gone(world, await reporting(world));
    await remove(world, id);
    const after = await openWorld({ store: world.store, clock: world.clock });
    expect(after.services.feed.snapshot(FLEET_AND_INSTANCES).instances).toEqual([]);
  });
});
