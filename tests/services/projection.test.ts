import { describe, expect, it } from 'vitest';
import { ada } from '@/tests/support/callers';
import {
  breakerView,
  calls,
  FLEET,
  HASH_A,
  HASH_B,
  openWorld,
  TestAgent,
  type World,
} from './support';

async function reporting(world: World, instance = 'one'): Promise<TestAgent> {
  const agent = new TestAgent(world, { instance });
  await agent.connect();
  await agent.send(agent.registered());
  return agent;
}

describe('a logical breaker', () => {
  it('has the worst state of its live instances, and counts them', async () => {
    const world = await openWorld();
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map((name) => reporting(world, name)),
    );
    const opened = world.clock.wall();
    await two!.send(
      two!.transition('closed', 'open', 1, { openTimeoutMs: 30_000, retryInMs: 28_000, level: 2 }),
    );
    await three!.send(three!.transition('closed', 'half_open', 1, { step: 1, share: 0.3 }));
    expect(breakerView(world)).toMatchObject({
      state: 'open',
      states: { closed: 1, open: 1, half_open: 1 },
      instances: { total: 3, live: 3, stale: 0, offline: 0 },
      level: 2,
      openTimeoutMs: 30_000,
      ramp: { step: 1, share: 0.3 },
      failureThreshold: 0.5,
      configDrift: false,
    });
    expect(breakerView(world).since).toBeGreaterThanOrEqual(opened);
    expect(breakerView(world).retryAt! - opened).toBeLessThan(29_000);

    await two!.send(two!.transition('open', 'closed', 2));
    expect(breakerView(world)).toMatchObject({ state: 'half_open', retryAt: null, level: 2 });
    await world.services.agents.disconnected(three!.session, world.clock.wall(), true);
    expect(breakerView(world)).toMatchObject({
      state: 'closed',
      states: { closed: 2 },
      ramp: null,
    });
    one!.heard();
  });

  it('shows the recovering instance that is least far, and its hold', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const two = await reporting(world, 'two');
    await one.send(one.transition('closed', 'half_open', 1, { step: 0, share: 0.1 }));
    await two.send(two.transition('closed', 'half_open', 1, { step: 0, share: 0.1 }));
    const step = {
      type: 'step' as const,
      breaker: 'payments',
      successes: 5,
      failures: 0,
      tookMs: 9,
    };
    await two.send(two.event({ ...step, step: 2, share: 0.6, breakerEpoch: 1 }));
    expect(breakerView(world).ramp).toMatchObject({ step: 0, share: 0.1 });
    await one.send(
      one.event({ ...step, step: 1, share: 0.3, breakerEpoch: 1 }),
      one.event({ type: 'hold', breaker: 'payments', cause: 'p95 above baseline' }),
    );
    expect(breakerView(world)).toMatchObject({ ramp: { step: 1, share: 0.3 }, hold: true });
  });

  it('sums rates, merges latency, and lets them fade', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const two = await reporting(world, 'two');
    for (let second = 0; second < 10; second++) {
      await world.pass(1_000);
      const mixed = { success: 8, timeout: 1, server_error: 1, cancelled: 2, not_permitted: 5 };
      await one.sendSamples(one.sample({ calls: calls(mixed) }, Array(8).fill(10)));
      await two.sendSamples(two.sample({ calls: calls({ success: 10 }) }, Array(10).fill(100)));
    }
    await world.pass(200);
    const view = breakerView(world);
    expect(view.callsPerSecond).toBeCloseTo(22, 0);
    expect(view.refusedPerSecond).toBeCloseTo(5, 0);
    expect(view.failureShare).toBeCloseTo(0.1, 2);
    expect(view.latencyP95Ms).toBeGreaterThan(98);
    expect(view.latencyP95Ms).toBeLessThan(102);
    expect(view.spark).toHaveLength(60);
    // (2 failures + 5 refused) of (20 judged + 5 refused).
    expect(view.spark.filter((share) => share !== null)).toEqual(
      expect.arrayContaining([expect.closeTo(0.28, 2)]),
    );
    await world.pass(15_000);
    one.heard();
    expect(breakerView(world)).toMatchObject({ callsPerSecond: 0, failureShare: null });
    expect(breakerView(world).sparkEndsAt).toBeGreaterThan(view.sparkEndsAt);
    await world.pass(310_000);
    expect(breakerView(world).spark.every((share) => share === null)).toBe(true);
  });

  it('drifts when live instances disagree about the configuration', async () => {
    const world = await openWorld();
    await reporting(world);
    const two = new TestAgent(world, { instance: 'two' });
    await two.connect();
    await two.send(two.registered('payments', { configHash: HASH_B }));
    expect(breakerView(world).configDrift).toBe(true);
    const { configs } = await world.services.queries.breaker(two.breakerId);
    expect(configs.map((config) => config.configHash).toSorted()).toEqual([HASH_A, HASH_B]);
    await world.services.agents.disconnected(two.session, world.clock.wall(), true);
    expect(breakerView(world).configDrift).toBe(false);
  });

  it('counts as troubled in its service while it is open or recovering', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    await one.send(one.transition('closed', 'open', 1));
    await world.pass(200);
    expect(await world.services.queries.services()).toMatchObject([
      { name: 'checkout', breakers: 1, troubled: 1, instances: { total: 1, live: 1 } },
    ]);
    expect(world.services.feed.snapshot(FLEET).services).toEqual(
      await world.services.queries.services(),
    );
  });

  it('[U-09] is owned by whom its agents named last, live and for who comes later', async () => {
    const world = await openWorld();
    await reporting(world);
    const ownerOf = async () => {
      await world.pass(200);
      const [service] = await world.services.queries.services();
      expect(world.services.feed.snapshot(FLEET).services).toEqual([service]);
      return service?.owner;
    };
    expect(await ownerOf()).toBeNull();
    const { revision } = world.services.feed.snapshot(FLEET);
    await new TestAgent(world, { instance: 'two', owner: 'Team Payments' }).connect();
    await world.pass(200);
    expect(world.services.feed.since(revision, FLEET)).toMatchObject({
      services: [{ owner: 'Team Payments' }],
    });
    await new TestAgent(world, { instance: 'three' }).connect();
    await new TestAgent(world, { instance: 'four', owner: ' ' }).connect();
    expect(await ownerOf()).toBe('Team Payments');
    await new TestAgent(world, { instance: 'two', owner: 'Team Checkout' }).connect();
    expect(await ownerOf()).toBe('Team Checkout');
  });

  it('keeps what the operator wants and what the instance reports apart', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const override = await world.services.overrides.issue(ada, {
      breakerId: one.breakerId,
      kind: 'force_open',
      reason: 'the target is down',
      expectedGeneration: 0,
      idempotencyKey: 'a-key-of-ada',
    });
    expect(breakerView(world)).toMatchObject({
      state: 'closed',
      generation: 1,
      override: { id: override.id, kind: 'force_open', actor: 'ada' },
    });
    await one.send(
      one.transition('closed', 'forced_open', 1, { cause: 'override', overrideId: override.id }),
    );
    expect(breakerView(world).state).toBe('forced_open');
    const { instances } = await world.services.queries.breaker(one.breakerId);
    expect(instances[0]?.override).toMatchObject({ id: override.id, kind: 'force_open' });
    const [shown] = world.services.feed.snapshot(FLEET).overrides;
    expect(shown?.targets[0]?.reportedState).toBe('forced_open');
  });
});

describe('a state frame', () => {
  it('[R-27] is asked for when the digest differs, and then agrees', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const state = one.state({ state: 'half_open', automatic: 'half_open', step: 2, share: 0.6 });
    expect(await one.sendState([state], true)).toBe('need_state');
    expect(await one.sendState([state])).toBe('ok');
    expect(await one.sendState([state], true)).toBe('ok');
    expect(breakerView(world)).toMatchObject({
      state: 'half_open',
      ramp: { step: 2, steps: 4, share: 0.6 },
    });
  });

  it('counts when all its parts are there, and drops what it does not name', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    await one.send(one.registered('search'));
    const digest = HASH_A;
    const now = world.clock.wall();
    const part = (breakers: ReturnType<TestAgent['state']>[], number: number) =>
      one.answered(
        world.services.agents.state(
          one.session,
          { type: 'state', digest, breakers, part: number, parts: 2 },
          now,
        ),
      );
    await part([one.state({ breaker: 'fresh', target: 'x', state: 'open', automatic: 'open' })], 1);
    expect(
      world.services.feed
        .snapshot(FLEET)
        .breakers.map((one) => one.name)
        .toSorted(),
    ).toEqual(['payments', 'search']);
    await part([one.state()], 2);
    expect(
      world.services.feed
        .snapshot(FLEET)
        .breakers.map((one) => one.name)
        .toSorted(),
    ).toEqual(['fresh', 'payments']);
  });

  it('that overtook older events is not undone by them', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    await one.sendState([one.state({ state: 'closed', breakerEpoch: 3 })]);
    await one.send(
      one.transition('closed', 'open', 1),
      one.transition('open', 'half_open', 2),
      one.transition('half_open', 'closed', 3),
    );
    expect(breakerView(world).state).toBe('closed');
    const { events } = await world.services.queries.history(one.breakerId, { limit: 10 });
    expect(events).toHaveLength(4);
    await one.send(one.transition('closed', 'open', 4));
    expect(breakerView(world).state).toBe('open');
  });
});

describe('a series', () => {
  it('merges instances into buckets, leaves gaps out, and never averages quantiles', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const two = await reporting(world, 'two');
    const from = Math.floor(world.clock.wall() / 1_000) * 1_000;
    await world.pass(1_000);
    await one.sendSamples(
      one.sample({ share: 0.1, state: 'half_open', step: 0, inFlight: 1 }, Array(99).fill(10)),
    );
    await two.sendSamples(two.sample({ share: 0.5, inFlight: 2 }, [1_000]));
    await world.pass(5_000);
    await two.sendSamples(two.sample({}, [20]));
    const { points, resolutionMs } = await world.services.queries.series(one.breakerId, {
      from,
      to: from + 60_000,
      points: 600,
    });
    expect(resolutionMs).toBe(1_000);
    expect(points).toHaveLength(2);
    expect(points[0]).toMatchObject({
      instances: 2,
      share: 0.3,
      step: 0,
      admitted: 100,
      successes: 100,
      inFlight: 3,
      latencySamples: 100,
    });
    expect(points[0]?.p95Ms).toBeLessThan(11);
    const only = await world.services.queries.series(one.breakerId, {
      from,
      to: from + 60_000,
      points: 600,
      instance: two.session.instanceId,
    });
    expect(only.points.map((point) => point.successes)).toEqual([1, 1]);
  });

  it('sums over the breakers of a target: what ramps let through, what others do, what is refused', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const two = await reporting(world, 'two');
    const { target } = breakerView(world);
    const from = Math.floor(world.clock.wall() / 1_000) * 1_000;
    await world.pass(1_000);
    await one.sendSamples(
      one.sample(
        { state: 'half_open', step: 0, calls: calls({ success: 3, not_permitted: 7 }) },
        [],
      ),
    );
    await two.sendSamples(two.sample({ calls: calls({ success: 20, timeout: 1 }) }, []));
    const query = { target, from, to: from + 60_000, points: 600 };
    const sums = await world.services.queries.targetSeries(query);
    expect(sums).toMatchObject({ breakers: 1, breakersLeftOut: 0, resolutionMs: 1_000 });
    expect(sums.points).toEqual([
      { at: from, ramping: 3, steady: 21, refused: 7, failures: 1, probing: 1 },
    ]);
    const elsewhere = { ...query, environment: 'nowhere' };
    expect(await world.services.queries.targetSeries(elsewhere)).toMatchObject({
      breakers: 0,
      points: [],
    });
    await expect(
      world.services.queries.targetSeries({ ...query, to: from - 1 }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('brings transitions, and the last one before the range', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    await one.send(one.transition('closed', 'open', 1));
    await world.pass(10_000);
    const from = world.clock.wall();
    await world.pass(1_000);
    await one.send(one.transition('open', 'half_open', 2));
    const series = await world.services.queries.series(one.breakerId, {
      from,
      to: from + 10_000,
      points: 600,
    });
    expect(series.events.map((event) => event.data['to'])).toEqual(['half_open', 'open']);
    expect(series.eventsLeftOut).toBe(0);
  });

  it('refuses a range that ends before it begins, and a breaker that nobody knows', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const query = { from: 10, to: 5, points: 100 };
    await expect(world.services.queries.series(one.breakerId, query)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(world.services.queries.series('br_x', query)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
