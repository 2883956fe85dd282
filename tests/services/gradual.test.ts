import { describe, expect, it } from 'vitest';
import { ada, bob } from '@/tests/support/callers';
import { issue, obey, reporting } from './override-support';
import { openMemoryStore, openWorld, TestAgent, type World, type WorldOptions } from './support';

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;

/** Five instances that are held open and say so. */
async function held(options: WorldOptions = {}) {
  const world = await openWorld(options);
  const agents: TestAgent[] = [];
  for (const instance of NAMES) agents.push(await reporting(world, { instance }));
  const [first] = agents;
  if (first === undefined) throw new Error('no agent');
  const scope = { kind: 'breaker', breakerId: first.breakerId } as const;
  const command = await issue(world, { scope, leaseMs: 3_600_000 });
  for (const agent of agents) {
    await obey(agent);
    await agent.sendState([forced(agent, command.overrides[0]?.id ?? '')]);
  }
  return { world, agents, command };
}

const forced = (agent: TestAgent, id: string) =>
  agent.state({
    state: 'forced_open',
    breakerEpoch: 1,
    override: { id, kind: 'force_open' },
  });

/** Every agent that is let go says so; those named trip again right away. */
async function follow(agents: readonly TestAgent[], trips: readonly string[] = []) {
  for (const agent of agents) {
    const { overrides } = await agent.world.services.agents.desired(agent.session);
    if (overrides.length > 0) continue;
    const trip = trips.includes(agent.options.instance ?? '');
    await agent.sendState([
      agent.state(
        trip ? { state: 'open', automatic: 'open', breakerEpoch: 3 } : { breakerEpoch: 2 },
      ),
    ]);
  }
}

const start = (world: World, commandId: string, over = {}) =>
  world.services.releases.start(bob, { commandId, batchSize: 2, intervalMs: 10_000, ...over });

const released = async (world: World, id: string) =>
  (await world.services.releases.get(id)).steps.map(
    ({ instance, outcome }) => `${instance} ${outcome}`,
  );

describe('a gradual release', () => {
  it('lets so many instances go at a time and ends when the last is well', async () => {
    const { world, agents, command } = await held();
    const { id } = await start(world, command.id);
    expect(await released(world, id)).toEqual(['a released', 'b released']);
    await follow(agents);
    await world.pass(9_000);
    expect(await released(world, id)).toEqual(['a confirmed', 'b confirmed']);
    await world.pass(1_500);
    expect((await world.services.releases.get(id)).released).toBe(4);
    await follow(agents);
    await world.pass(10_000);
    await follow(agents);
    await world.pass(11_000);
    expect(await world.services.releases.get(id)).toMatchObject({
      status: 'done',
      released: 5,
      total: 5,
    });
    expect((await world.services.commands.get(command.id)).overrides).toMatchObject([
      { endReason: 'released', endedBy: 'bob' },
    ]);
  });

  it('stops when one that was let go trips again; the rest stays held', async () => {
    const { world, agents, command } = await held();
    const { id } = await start(world, command.id);
    await follow(agents, ['b']);
    await world.pass(1_000);
    expect(await world.services.releases.get(id)).toMatchObject({
      status: 'stopped',
      statusReason: 'b tripped again',
      released: 2,
    });
    await world.pass(60_000);
    expect(await released(world, id)).toEqual(['a confirmed', 'b tripped']);
    const [, , c] = agents;
    expect(await obey(c!)).toHaveLength(1);
    const { rows } = await world.services.queries.audit({ limit: 20, subject: id });
    expect(rows.map(({ action, outcome }) => `${action} ${outcome}`)).toContain(
      'release.stopped failed',
    );
  });

  it('goes on when a person says so, and cancelling leaves the rest to its lease', async () => {
    const { world, agents, command } = await held();
    const { id } = await start(world, command.id);
    await follow(agents, ['b']);
    await world.pass(1_000);
    await world.services.releases.resume(ada, id);
    await world.pass(1_000);
    expect((await world.services.releases.get(id)).released).toBe(4);
    expect(await world.services.releases.cancel(ada, id)).toMatchObject({
      status: 'cancelled',
      statusBy: 'ada',
    });
    await world.pass(60_000);
    expect((await world.services.releases.get(id)).released).toBe(4);
    await expect(world.services.releases.resume(ada, id)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await world.services.commands.get(command.id)).overrides[0]?.endedAt).toBeNull();
  });

  it('stops when an instance that is there does not let go', async () => {
    const { world, command } = await held();
    const { id } = await start(world, command.id);
    await world.pass(11_000);
    expect(await world.services.releases.get(id)).toMatchObject({
      status: 'stopped',
      statusReason: 'a did not let go',
    });
  });

  it('does not wait for an instance that is gone', async () => {
    const { world, agents, command } = await held();
    const [a] = agents;
    await world.services.agents.disconnected(a!.session, world.clock.wall(), true);
    const { id } = await start(world, command.id);
    await follow(agents.slice(1));
    await world.pass(11_000);
    expect((await released(world, id)).slice(0, 2)).toEqual(['a not_heard', 'b confirmed']);
    expect((await world.services.releases.get(id)).released).toBe(4);
  });

  it('[T-18] goes on after a restart of the console from where it was', async () => {
    const store = openMemoryStore();
    const before = await held({ store });
    const { id } = await start(before.world, before.command.id);
    await follow(before.agents);
    await before.world.pass(1_000);

    const world = await openWorld({ store, clock: before.world.clock });
    const agents = before.agents.map(
      (agent) =>
        new TestAgent(world, {
          ...agent.options,
          epoch: agent.epoch,
          startedAt: agent.wall - 60_000,
        }),
    );
    for (const agent of agents) await agent.connect();
    await follow(agents);
    expect((await world.services.releases.get(id)).released).toBe(2);
    await world.pass(11_000);
    expect((await world.services.releases.get(id)).released).toBe(4);
    expect((await world.services.releases.get(id)).status).toBe('running');
  });

  it('is one at a time for an override, and only of what is in force', async () => {
    const { world, command } = await held();
    await start(world, command.id);
    await expect(start(world, command.id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      world.services.releases.start(bob, { batchSize: 1, intervalMs: 1_000 }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    await world.services.commands.release(ada, command.id, {});
    await world.pass(1_000);
    const [release] = await world.services.releases.list({});
    expect(release).toMatchObject({ status: 'done' });
    await expect(start(world, command.id)).rejects.toMatchObject({
      code: 'conflict',
      message: 'nothing of it is in force',
    });
  });
});
