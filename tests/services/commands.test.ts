import { describe, expect, it } from 'vitest';
import { ada, bob, personNamed } from '@/tests/support/callers';
import { issue, newKey, obey, reporting, targetsOf } from './override-support';
import { calls, openMemoryStore, openWorld, PROVED, TestAgent, type World } from './support';

const REASON = 'the target is down';

/** Two services in one environment that call the same target, and one that calls the first. */
async function shop(world: World) {
  const checkout = await reporting(world, { service: 'checkout' }, ['payments', 'stock']);
  const second = await reporting(world, { service: 'checkout', instance: 'two' }, ['payments']);
  const carts = await reporting(world, { service: 'check-carts' }, ['payments']);
  const { breakers, services } = world.services.feed.snapshot(new Set(['fleet']));
  const breaker = (service: string, name: string) => {
    const found = breakers.find((one) => one.service === service && one.name === name);
    if (!found) throw new Error(`no breaker ${name} of ${service}`);
    return found.id;
  };
  const serviceId = services.find(({ name }) => name === 'checkout')?.id ?? '';
  return { checkout, second, carts, breaker, serviceId };
}

const target = { kind: 'target', environment: 'prod', target: 'payments-api' } as const;

describe('a command', () => {
  it('[R-17] over a service is one row of audit and an override for each breaker', async () => {
    const world = await openWorld();
    const { checkout, second, serviceId } = await shop(world);
    const command = await issue(world, { scope: { kind: 'service', serviceId } });
    expect(command).toMatchObject({ status: 'issued', risk: 'L3', outcome: 'in_progress' });
    expect(command.overrides.map(({ breaker }) => breaker).toSorted()).toEqual([
      'payments',
      'stock',
    ]);
    expect(command.counts).toEqual({ queued: 3 });
    await obey(checkout);
    await obey(second);
    const done = await world.services.commands.get(command.id);
    expect(done).toMatchObject({ outcome: 'succeeded', counts: { applied: 3 } });
    const { rows } = await world.services.queries.audit({ limit: 50, subject: command.id });
    expect(rows.map(({ action, who }) => `${action} ${who?.name}`)).toEqual([
      'override.issued ada',
    ]);
  });

  it('[R-17] to a target reaches it in all services of the environment and no other', async () => {
    const world = await openWorld();
    const { checkout, carts } = await shop(world);
    const command = await issue(world, { scope: target });
    expect(command.overrides.map(({ service }) => service).toSorted()).toEqual([
      'check-carts',
      'checkout',
    ]);
    expect(await obey(carts)).toHaveLength(1);
    expect(await obey(checkout)).toHaveLength(1);
    const elsewhere = { ...target, environment: 'stage' };
    await expect(issue(world, { scope: elsewhere })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('[R-19] is refused as a whole when somebody acted on one of its breakers', async () => {
    const world = await openWorld();
    const { breaker } = await shop(world);
    const { expectedGenerations } = await world.services.commands.preview({
      scope: target,
      kind: 'force_open',
      includeNew: false,
    });
    const mine = breaker('checkout', 'payments');
    await issue(world, { scope: { kind: 'breaker', breakerId: mine } }, bob);
    const late = world.services.commands.issue(ada, {
      scope: target,
      kind: 'force_open',
      includeNew: false,
      breakGlass: false,
      reason: REASON,
      expectedGenerations,
      stepUpId: PROVED,
      idempotencyKey: newKey(),
    });
    await expect(late).rejects.toMatchObject({
      code: 'conflict',
      details: { conflicts: [{ breakerId: mine, generation: 1, latest: { actor: 'bob' } }] },
    });
    const other = breaker('check-carts', 'payments');
    const { overrides } = await world.services.queries.breaker(other);
    expect(overrides).toEqual([]);
  });

  it('[U-22] is refused when a breaker joined its scope since the preview', async () => {
    const world = await openWorld();
    const { breaker } = await shop(world);
    const expectedGenerations = { [breaker('checkout', 'payments')]: 0 };
    await expect(issue(world, { scope: target, expectedGenerations })).rejects.toMatchObject({
      code: 'conflict',
      details: { joined: [breaker('check-carts', 'payments')], left: [] },
    });
  });

  it('[S-12] has to be allowed for every service that it touches', async () => {
    const world = await openWorld();
    await shop(world);
    const grants = [{ role: 'operator', environment: 'prod', service: 'checkout' }] as const;
    const door = world.services.forCaller(personNamed('kim', grants));
    const preview = await door.commands.preview({
      scope: target,
      kind: 'force_open',
      includeNew: false,
    });
    await expect(
      door.commands.issue({
        scope: target,
        kind: 'force_open',
        includeNew: false,
        breakGlass: false,
        reason: REASON,
        expectedGenerations: preview.expectedGenerations,
        idempotencyKey: newKey(),
      }),
    ).rejects.toMatchObject({ code: 'not_allowed' });
  });

  it.each([
    [{ kind: 'force_closed' as const, leaseMs: 31 * 60_000 }, /30 minutes/],
    [{ kind: 'reset' as const, includeNew: true }, /once/],
    [{ startAt: 1 }, /start has passed/],
    [{ breakGlass: true, reason: 'too short it is' }, /20 characters/],
    [{ breakGlass: true, reason: 'a reason that is long enough', leaseMs: 1_900_000 }, /30 min/],
  ])('[R-20] [S-16] says what is wrong with %j', async (over, message) => {
    const world = await openWorld();
    const { checkout } = await shop(world);
    const scope = { kind: 'breaker', breakerId: checkout.breakerId } as const;
    const command = world.services.commands.issue(ada, {
      scope,
      kind: 'force_open',
      includeNew: false,
      breakGlass: false,
      reason: REASON,
      expectedGenerations: { [checkout.breakerId]: 0 },
      idempotencyKey: newKey(),
      ...over,
    });
    await expect(command).rejects.toMatchObject({ code: 'invalid_input', message });
  });

  it('[R-24] is partial when one of two refused, and failed when all did', async () => {
    const world = await openWorld();
    const { checkout, second, breaker } = await shop(world);
    const scope = { kind: 'breaker', breakerId: breaker('checkout', 'payments') } as const;
    const first = await issue(world, { scope });
    await obey(checkout);
    await obey(second, { outcome: 'rejected', reason: 'the service does not allow it' });
    expect(await world.services.commands.get(first.id)).toMatchObject({
      outcome: 'partial',
      counts: { applied: 1, rejected: 1 },
    });
    const instanceIds = [second.session.instanceId];
    const next = await issue(world, { scope: { ...scope, kind: 'instances', instanceIds } });
    await obey(second, { outcome: 'rejected' });
    expect(await world.services.commands.get(next.id)).toMatchObject({ outcome: 'failed' });
  });

  it('returns to automatic as a whole, and a breaker with all that overlaps on it', async () => {
    const world = await openWorld();
    const { checkout, breaker, serviceId } = await shop(world);
    const all = await issue(world, { scope: { kind: 'service', serviceId } });
    const payments = breaker('checkout', 'payments');
    const kind = 'force_closed' as const;
    await issue(world, { scope: { kind: 'breaker', breakerId: payments }, kind });
    const ended = await world.services.overrides.releaseBreaker(bob, payments, {});
    expect(ended.map(({ endReason, endedBy }) => `${endReason} ${endedBy}`)).toEqual([
      'released bob',
      'released bob',
    ]);
    expect(await obey(checkout)).toHaveLength(1);
    const released = await world.services.commands.release(bob, all.id, {});
    expect(released.overrides.every(({ endedAt }) => endedAt !== null)).toBe(true);
    expect(await obey(checkout)).toEqual([]);
  });
});

async function leased(world: World, over = {}) {
  const agent = await reporting(world);
  const scope = { kind: 'breaker', breakerId: agent.breakerId } as const;
  const { overrides } = await issue(world, { scope, leaseMs: 600_000, ...over });
  await obey(agent);
  const [override] = overrides;
  if (override === undefined) throw new Error('no override');
  return { agent, override };
}

describe('a lease', () => {
  it('[R-20] is made longer from now on, under the same generation, with before and after', async () => {
    const world = await openWorld();
    const { agent, override } = await leased(world);
    await world.pass(300_000);
    const changed = await world.services.overrides.changeLease(bob, override.id, {
      leaseMs: 1_800_000,
      reason: 'the migration takes longer',
    });
    expect(changed).toMatchObject({
      generation: 1,
      leaseRevision: 1,
      endsAt: override.createdAt + 2_100_000,
      targets: [{ delivery: 'applied', leaseRevision: 0 }],
    });
    const { overrides } = await world.services.agents.desired(agent.session);
    expect(overrides).toMatchObject([
      { generation: 1, leaseRevision: 1, remainingMs: 1_800_000, deliverWithinMs: 30_000 },
    ]);
    await obey(agent);
    const told = await world.services.overrides.get(override.id);
    expect(told.targets).toMatchObject([{ delivery: 'applied', leaseRevision: 1 }]);
    await world.pass(1_799_000);
    expect((await world.services.overrides.get(override.id)).endedAt).toBeNull();
    await world.pass(2_000);
    expect((await world.services.overrides.get(override.id)).endReason).toBe('lease');
    const { rows } = await world.services.queries.audit({ limit: 20, subject: override.id });
    expect(rows.find(({ action }) => action === 'override.lease_changed')).toMatchObject({
      actor: 'bob',
      details: {
        before: { endsAt: override.endsAt, leaseRevision: 0 },
        after: { endsAt: override.createdAt + 2_100_000, leaseRevision: 1 },
        totalMs: 2_100_000,
      },
    });
  });

  it('[R-24] that the instance did not take shows at its target', async () => {
    const world = await openWorld();
    const { agent, override } = await leased(world);
    await world.services.overrides.changeLease(ada, override.id, { leaseMs: 3_600_000 });
    await obey(agent, { leaseRevision: 0, reason: 'the service allows 900 s at most' });
    const told = await world.services.overrides.get(override.id);
    expect(told).toMatchObject({
      leaseRevision: 1,
      targets: [{ delivery: 'applied', leaseRevision: 0, reason: /900 s/ }],
    });
  });

  it('[R-19] [T-19] is not changed by two people at once, nor after it was released', async () => {
    const world = await openWorld();
    const { override } = await leased(world);
    const seen = { expectedLeaseRevision: 0 };
    const change = (leaseMs: number) =>
      world.services.overrides.changeLease(ada, override.id, { leaseMs, ...seen });
    const both = await Promise.allSettled([change(120_000), change(240_000)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await world.services.overrides.release(bob, override.id, {});
    await expect(
      world.services.overrides.changeLease(ada, override.id, { leaseMs: 120_000 }),
    ).rejects.toMatchObject({ code: 'conflict', details: { endedBy: 'bob' } });
  });

  it.each([
    ['force_open', 241 * 60_000],
    ['force_closed', 31 * 60_000],
  ] as const)('[R-20] of %s is not longer than %d ms from now', async (kind, leaseMs) => {
    const world = await openWorld();
    const { override } = await leased(world, { kind });
    await expect(
      world.services.overrides.changeLease(ada, override.id, { leaseMs, stepUpId: PROVED }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('[R-20] ends where it was shortened to, by the clock that the wall does not move', async () => {
    const world = await openWorld();
    const { override } = await leased(world);
    await world.services.overrides.changeLease(ada, override.id, { leaseMs: 60_000 });
    world.clock.wallStep = -3_600_000;
    await world.pass(61_000);
    expect((await world.services.overrides.get(override.id)).endReason).toBe('lease');
  });

  it('[S-13] is made longer with a step-up only where that was needed to begin with', async () => {
    const world = await openWorld();
    const { override } = await leased(world, { kind: 'force_closed' });
    const change = world.services.overrides.changeLease(ada, override.id, { leaseMs: 1_500_000 });
    await expect(change).rejects.toMatchObject({ code: 'step_up_needed' });
    const shorter = await world.services.overrides.changeLease(ada, override.id, {
      leaseMs: 60_000,
    });
    expect(shorter.leaseRevision).toBe(1);
  });
});

describe('a start that was planned', () => {
  const AHEAD = 3_600_000;

  async function planned(world: World) {
    const agent = await reporting(world);
    const scope = { kind: 'breaker', breakerId: agent.breakerId } as const;
    const startAt = world.clock.wall() + AHEAD;
    return { agent, scope, command: await issue(world, { scope, startAt, leaseMs: 600_000 }) };
  }

  it('[R-17] comes at its time, also after a restart of the console, for who is there then', async () => {
    const store = openMemoryStore();
    const before = await openWorld({ store });
    const { command, agent } = await planned(before);
    expect(command).toMatchObject({ status: 'scheduled', outcome: 'waiting', overrides: [] });
    expect((await before.services.agents.desired(agent.session)).overrides).toEqual([]);
    before.clock.fake.jump(AHEAD - 10_000);

    const world = await openWorld({ store, clock: before.clock });
    const back = new TestAgent(world);
    await back.connect();
    await back.send(back.registered());
    const two = await reporting(world, { instance: 'two' });
    await world.pass(9_000);
    expect((await world.services.commands.get(command.id)).status).toBe('scheduled');
    await world.pass(2_000);
    const started = await world.services.commands.get(command.id);
    expect(started).toMatchObject({ status: 'issued', overrides: [{ generation: 1 }] });
    const [override] = started.overrides;
    if (override === undefined) throw new Error('no override');
    await obey(two);
    expect(await targetsOf(world, override)).toEqual(['one queued', 'two applied']);
  });

  it('can be taken back before, not after', async () => {
    const world = await openWorld();
    const { command } = await planned(world);
    const cancelled = await world.services.commands.cancel(bob, command.id, {});
    expect(cancelled).toMatchObject({ status: 'cancelled', statusBy: 'bob' });
    await world.pass(AHEAD + 1_000);
    expect((await world.services.commands.get(command.id)).overrides).toEqual([]);
    await expect(world.services.commands.cancel(ada, command.id, {})).rejects.toMatchObject({
      code: 'conflict',
      message: /cancelled by bob/,
    });
  });

  it('[R-19] yields to somebody who holds the breaker since', async () => {
    const world = await openWorld();
    const { agent, command, scope } = await planned(world);
    await world.pass(AHEAD - 60_000);
    await issue(world, { scope }, bob);
    await obey(agent);
    await world.pass(62_000);
    expect(await world.services.commands.get(command.id)).toMatchObject({
      status: 'failed',
      statusReason: 'bob has overridden a breaker of it since it was planned',
    });
  });

  it('is not made up for when the console was away', async () => {
    const store = openMemoryStore();
    const before = await openWorld({ store });
    const { command } = await planned(before);
    before.clock.fake.jump(AHEAD + 700_000);
    const world = await openWorld({ store, clock: before.clock });
    expect(await world.services.commands.get(command.id)).toMatchObject({ status: 'failed' });
  });
});

describe('the preview of a command', () => {
  it('[U-22] counts who is hit, who calls, whom it calls, and what ends it', async () => {
    const world = await openWorld();
    const { checkout, second, serviceId } = await shop(world);
    const edge = await reporting(world, { service: 'check-edge' }, []);
    await edge.send(
      edge.event({
        type: 'registered',
        breaker: 'to-checkout',
        target: 'checkout',
        config: {},
        configHash: 'e'.repeat(64),
      }),
    );
    await checkout.sendSamples(
      checkout.sample({ calls: calls({ success: 36, server_error: 24, not_permitted: 60 }) }),
    );
    await world.services.agents.disconnected(second.session, world.clock.wall(), true);
    const preview = await world.services.commands.preview({
      scope: { kind: 'service', serviceId },
      kind: 'force_closed',
      includeNew: false,
      leaseMs: 600_000,
    });
    expect(preview).toMatchObject({
      environment: 'prod',
      risk: 'L3',
      needs: { stepUp: true, secondPerson: false },
      instances: { live: 1, stale: 0, offline: 1 },
      failureShare: 0.4,
      callers: [{ service: 'check-edge' }],
      callees: expect.arrayContaining([{ target: 'payments-api', serviceId: null }]),
      ends: { leaseMs: 600_000, contactLossMs: 120_000 },
    });
    expect(preview.callsPerSecond).toBeGreaterThan(1.7);
    expect(preview.callsPerSecond).toBeLessThan(2.1);
  });

  it('[U-22] is checked again when the command is sent: other facts ask for another look', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const scope = { kind: 'breaker', breakerId: agent.breakerId } as const;
    const asked = { scope, kind: 'force_open' as const, includeNew: false };
    const { digest } = await world.services.commands.preview(asked);
    await agent.send(agent.transition('closed', 'open', 1));
    const send = (previewDigest: string) => issue(world, { ...asked, previewDigest });
    const refused = await send(digest).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'conflict',
      details: { preview: { breakers: [{ state: 'open' }] } },
    });
    const fresh = await world.services.commands.preview(asked);
    expect(await send(fresh.digest)).toMatchObject({ status: 'issued' });
    await expect(send('nobody-has-seen-it')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('[U-22] shows the computed state beside the forced one', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const scope = { kind: 'breaker', breakerId: agent.breakerId } as const;
    const look = () =>
      world.services.commands.preview({ scope, kind: 'force_open', includeNew: false });
    await agent.send(agent.transition('closed', 'forced_closed', 1, { cause: 'override' }));
    expect((await look()).breakers).toMatchObject([{ wouldBeOpen: false }]);
    const judged = { breaker: 'payments', breakerEpoch: 1, reason: 'ratio' };
    await agent.send(agent.event({ type: 'would_trip', ...judged } as never));
    expect((await look()).breakers).toMatchObject([{ wouldBeOpen: true }]);
    await agent.send(agent.transition('forced_closed', 'forced_open', 2, { cause: 'override' }));
    expect((await look()).breakers).toMatchObject([{ wouldBeOpen: null }]);
  });
});
