import { describe, expect, it } from 'vitest';
import type { RunBatch, Store } from '@/server/store/port';
import { breakerView, openWorld, replacing, settle, TestAgent, type World } from './support';

/** A store whose commits wait until they are let through. */
function gated(): { wrap(store: Store): Store; commits: RunBatch[][]; open(): void } {
  const commits: RunBatch[][] = [];
  let waiting: (() => void)[] = [];
  let closed = true;
  return {
    commits,
    open() {
      closed = false;
      for (const go of waiting) go();
      waiting = [];
    },
    wrap: (store) =>
      replacing(store, 'appendBatches', async (batches) => {
        commits.push([...batches]);
        if (closed) await new Promise<void>((go) => waiting.push(go));
        return store.appendBatches(batches);
      }),
  };
}

async function connected(world: World, instance = 'one'): Promise<TestAgent> {
  const agent = new TestAgent(world, { instance });
  await agent.connect();
  return agent;
}

describe('events', () => {
  it('[R-01] are acknowledged, and shown, only after the commit', async () => {
    const gate = gated();
    const world = await openWorld({ wrap: (store) => gate.wrap(store) });
    const agent = await connected(world);
    let acked = false;
    const answer = world.services.agents
      .events(agent.session, [agent.registered()], world.clock.wall())
      .then((ack) => {
        acked = true;
        return ack;
      });
    await world.pass(100);
    expect(gate.commits).toHaveLength(1);
    expect(acked).toBe(false);
    expect(world.services.feed.snapshot(new Set(['fleet'])).breakers).toHaveLength(0);

    gate.open();
    expect((await answer).ackedSeq).toBe(1);
    expect(breakerView(world).state).toBe('closed');
  });

  it('[R-01] share one commit when they arrive together', async () => {
    const gate = gated();
    gate.open();
    const world = await openWorld({ wrap: (store) => gate.wrap(store) });
    const agents = await Promise.all(
      Array.from({ length: 20 }, (_, at) => connected(world, `i${at}`)),
    );
    await agents[0]?.send(agents[0].registered());
    gate.commits.length = 0;
    const answers = agents.map((agent, at) =>
      world.services.agents.events(
        agent.session,
        at === 0 ? [agent.transition('closed', 'open', 1)] : [agent.registered()],
        world.clock.wall(),
      ),
    );
    await settle();
    world.clock.fake.advance(20);
    const acks = await Promise.all(answers);
    expect(gate.commits).toHaveLength(1);
    expect(acks.every((ack) => ack.accepted === 1)).toBe(true);
  });

  it('[R-01] go at once when 1,000 rows wait', async () => {
    const gate = gated();
    gate.open();
    const world = await openWorld({ wrap: (store) => gate.wrap(store) });
    const agent = await connected(world);
    await agent.send(agent.registered());
    gate.commits.length = 0;
    const events = Array.from({ length: 1_000 }, (_, at) =>
      agent.transition(at % 2 ? 'open' : 'closed', at % 2 ? 'closed' : 'open', at + 1),
    );
    const ack = await world.services.agents.events(agent.session, events, world.clock.wall());
    expect(ack.ackedSeq).toBe(1_001);
    expect(gate.commits).toHaveLength(1);
  });

  it('[R-02] are stored once, however often they come', async () => {
    const world = await openWorld();
    const agent = await connected(world);
    const events = [agent.registered(), agent.transition('closed', 'open', 1)];
    await agent.send(...events);
    const again = await agent.send(...events, ...events);
    expect(again).toMatchObject({ ackedSeq: 2, accepted: 0, duplicate: 4, resendFrom: null });
    const history = await world.services.queries.history(agent.breakerId, { limit: 100 });
    expect(history.events).toHaveLength(2);
  });

  it('[R-03] with a hole are stored up to it and asked for from there', async () => {
    const world = await openWorld();
    const agent = await connected(world);
    const events = [
      agent.registered(),
      agent.transition('closed', 'open', 1),
      agent.transition('open', 'half_open', 2),
      agent.transition('half_open', 'closed', 3),
    ];
    const [first, , third, fourth] = events;
    const within = await agent.send(first!, third!, fourth!);
    expect(within).toMatchObject({ ackedSeq: 1, accepted: 1, resendFrom: 2 });
    const between = await agent.send(fourth!);
    expect(between).toMatchObject({ ackedSeq: 1, resendFrom: 2 });
    const whole = await agent.send(...events);
    expect(whole).toMatchObject({ ackedSeq: 4, accepted: 3, duplicate: 1, resendFrom: null });
    expect(breakerView(world).state).toBe('closed');
  });

  it('[R-03] that the agent lost are a gap in history with its counts', async () => {
    const world = await openWorld();
    const agent = await connected(world);
    await agent.send(agent.registered());
    agent.seq = 12;
    const gap = {
      type: 'gap' as const,
      at: agent.wall,
      mono: agent.mono,
      fromSeq: 2,
      toSeq: 11,
      counts: { transition: 10 },
      reason: 'ring full',
    };
    const ack = await agent.send(gap, agent.transition('closed', 'open', 11));
    expect(ack).toMatchObject({ ackedSeq: 12, resendFrom: null });
    await world.pass(200);
    const { instances } = world.services.feed.snapshot(new Set(['instances']));
    expect(instances?.[0]?.droppedEvents).toBe(10);
    const now = world.clock.wall();
    const series = await world.services.queries.series(agent.breakerId, {
      from: now - 60_000,
      to: now,
      points: 600,
    });
    expect(series.gaps).toContainEqual(
      expect.objectContaining({ reason: 'ring full', events: 10 }),
    );
  });

  it('of one run that cannot be stored do not keep the others from the disk', async () => {
    const world = await openWorld({
      wrap: (store) =>
        replacing(store, 'appendBatches', async (batches) => {
          if (batches.some((batch) => batch.breakers.some((one) => one.name === 'poison'))) {
            throw new Error('cannot store that');
          }
          return store.appendBatches(batches);
        }),
    });
    const good = await connected(world, 'good');
    const bad = await connected(world, 'bad');
    const now = world.clock.wall();
    const { agents } = world.services;
    const refused = agents.events(bad.session, [bad.registered('poison')], now);
    refused.catch(() => undefined);
    const stored = agents.events(good.session, [good.registered()], now);
    await world.pass(40);
    await expect(refused).rejects.toThrow('cannot store that');
    expect((await stored).accepted).toBe(1);
  });

  it('[S-48] of a 501st breaker are refused for good while the others go on', async () => {
    const world = await openWorld();
    const agent = await connected(world);
    const events = Array.from({ length: 501 }, (_, at) => agent.registered(`b${at}`));
    const first = await agent.send(...events.slice(0, 500));
    expect(first.refused).toBeUndefined();
    const over = await agent.send(
      events[500]!,
      agent.transition('closed', 'open', 1, { breaker: 'b1' }),
    );
    expect(over.ackedSeq).toBe(502);
    expect(over.refused).toEqual([expect.objectContaining({ seq: 501, code: 'quota' })]);
    expect(breakerView(world, 'b1').state).toBe('open');
    expect(world.services.feed.snapshot(new Set(['fleet'])).breakers).toHaveLength(500);
  });
});

describe('the time of an event', () => {
  it('[R-11] is on the server clock, never in the future, never backwards', async () => {
    const world = await openWorld();
    const agent = new TestAgent(world, { skewMs: 3_600_000 });
    await agent.connect();
    const start = world.clock.wall();
    await agent.send(agent.registered());
    world.clock.fake.jump(1_000);
    // The agent's wall clock is set back a day; its monotonic clock is not.
    const stepped = agent.transition('closed', 'open', 1);
    const event = { ...stepped, at: stepped.at - 86_400_000 };
    await agent.send(event);
    const { events } = await world.services.queries.history(agent.breakerId, { limit: 10 });
    const [open, registered] = events;
    expect(registered?.at).toBe(start);
    expect(open!.at - registered!.at).toBeGreaterThanOrEqual(1_000);
    expect(open!.at).toBeLessThanOrEqual(open!.receivedAt);
    expect(open?.agentAt).toBe(event.at);
  });

  it('[R-11] follows the measured offset, which is shown', async () => {
    const world = await openWorld();
    const agent = new TestAgent(world, { skewMs: 5_000 });
    await agent.connect();
    const reading = { at: agent.wall, mono: agent.mono };
    world.clock.fake.jump(20);
    world.services.agents.heard(agent.session, world.clock.wall(), { reading, roundTripMs: 40 });
    await world.pass(200);
    const { instances } = world.services.feed.snapshot(new Set(['instances']));
    expect(instances?.[0]?.clockOffsetMs).toBe(5_000);
  });
});
