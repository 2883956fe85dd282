import { instanceDetailId } from '@/lib/protocol/detail-id';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterPatch, mergePatches } from '@/lib/live';
import type { LivePatch, LiveSnapshot } from '@/lib/protocol/live-frames';
import { liveFrame } from '@/lib/protocol/live-frames';
import { foldPatch, heldOf } from '@/tests/live/reference-fold';
import { ada, bob } from '@/tests/support/callers';
import { calls, FLEET, FLEET_AND_INSTANCES, openWorld, TestAgent, type World } from './support';

async function reporting(world: World, instance = 'one'): Promise<TestAgent> {
  const agent = new TestAgent(world, { instance });
  await agent.connect();
  await agent.send(agent.registered());
  return agent;
}

function record(world: World): LivePatch[] {
  const patches: LivePatch[] = [];
  world.services.feed.subscribe((patch) => patches.push(patch));
  return patches;
}

const snapshot = (world: World, topics = FLEET_AND_INSTANCES): LiveSnapshot =>
  world.services.feed.snapshot(topics);

type Act = { readonly kind: string; readonly who: number; readonly ms: number };
const act = fc.record({
  kind: fc.constantFrom(
    'open',
    'half',
    'close',
    'sample',
    'leave',
    'return',
    'pass',
    'override',
    'release',
    'state',
  ),
  who: fc.integer({ min: 0, max: 2 }),
  ms: fc.constantFrom(0, 100, 1_000, 50_000),
});

async function perform(world: World, agents: readonly TestAgent[], one: Act, at: number) {
  const agent = agents[one.who]!;
  const { services, clock } = world;
  const epoch = at + 1;
  switch (one.kind) {
    case 'open':
      await agent.send(agent.transition('closed', 'open', epoch, { retryInMs: 5_000 }));
      break;
    case 'half':
      await agent.send(agent.transition('open', 'half_open', epoch, { step: 0, share: 0.1 }));
      break;
    case 'close':
      await agent.send(agent.transition('half_open', 'closed', epoch));
      break;
    case 'sample':
      await agent.sendSamples(agent.sample({ calls: calls({ success: at, timeout: 1 }) }, [at]));
      break;
    case 'leave':
      await services.agents.disconnected(agent.session, clock.wall(), at % 2 === 0);
      await agent.connect();
      break;
    case 'state':
      await agent.sendState(at % 3 === 0 ? [] : [agent.state({ breakerEpoch: epoch })]);
      break;
    case 'override': {
      const [breaker] = snapshot(world).breakers;
      if (!breaker) break;
      await services.overrides.issue(ada, {
        breakerId: breaker.id,
        kind: 'force_open',
        reason: 'because of a test',
        expectedGeneration: breaker.generation,
        idempotencyKey: `key-${clock.wall()}-${at}`,
      });
      break;
    }
    case 'release': {
      const running = snapshot(world).overrides.find((one) => one.endedAt === null);
      if (running) await services.overrides.release(bob, running.id, {});
      break;
    }
    default:
      agent.heard();
      await world.pass(one.ms);
  }
}

describe('the feed', () => {
  it('[R-13][R-14] a snapshot and every later patch give a fresh snapshot', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { minLength: 1, maxLength: 25 }),
        fc.nat(),
        async (acts, cut) => {
          const world = await openWorld();
          const agents = [await reporting(world, 'a'), await reporting(world, 'b')];
          agents.push(await reporting(world, 'c'));
          const patches = record(world);
          let start = snapshot(world);
          for (const [at, one] of acts.entries()) {
            if (at === cut % acts.length) {
              start = snapshot(world);
              patches.length = 0;
            }
            await perform(world, agents, one, at);
          }
          await world.pass(200);
          let held = heldOf(start);
          for (const patch of patches) {
            expect(liveFrame.parse(patch)).toEqual(patch);
            expect(patch.fromRevision).toBe(held.revision + 1);
            held = foldPatch(held, patch);
          }
          expect(held).toEqual(heldOf(snapshot(world)));
          const since = world.services.feed.since(start.revision, FLEET_AND_INSTANCES);
          const resumed =
            since === null || since === 'lost' ? heldOf(start) : foldPatch(heldOf(start), since);
          expect(resumed).toEqual(heldOf(snapshot(world)));
        },
      ),
      { numRuns: 25 },
    );
  }, 120_000);

  it('[R-13] resumes from a revision, or says that it is lost', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const { feed } = world.services;
    const { revision } = feed.snapshot(FLEET);
    expect(feed.since(revision, FLEET)).toBeNull();
    expect(feed.since(revision + 1, FLEET)).toBe('lost');
    expect(feed.since(-1, FLEET)).toBe('lost');
    await agent.send(agent.transition('closed', 'open', 1));
    await agent.send(agent.transition('open', 'half_open', 2));
    const patch = feed.since(revision, FLEET);
    expect(patch).toMatchObject({
      fromRevision: revision + 1,
      toRevision: feed.revision(),
      breakers: [{ state: 'half_open' }],
    });
    // Ten minutes later the ring no longer reaches back.
    await world.pass(700_000);
    await agent.send(agent.transition('half_open', 'closed', 3));
    expect(feed.since(revision, FLEET)).toBe('lost');
  });

  it('publishes a transition at once and holds samples back for 100 ms', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    await world.pass(1_000);
    const patches = record(world);
    for (let at = 0; at < 10; at++) {
      await agent.sendSamples(agent.sample({ calls: calls({ success: 5 }) }, [1]));
    }
    expect(patches.length).toBeLessThanOrEqual(4);
    patches.length = 0;
    const before = world.clock.mono();
    await agent.send(agent.transition('closed', 'open', 1));
    expect(patches.some((patch) => patch.breakers?.[0]?.state === 'open')).toBe(true);
    expect(world.clock.mono() - before).toBeLessThanOrEqual(20);
  });

  it('sends only the fields that changed', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    await world.pass(1_000);
    const patches = record(world);
    await agent.send(agent.transition('closed', 'open', 1, { level: 1 }));
    const [patch] = patches.flatMap((one) => one.breakers ?? []);
    expect(Object.keys(patch ?? {}).toSorted()).toEqual(
      expect.arrayContaining(['asOf', 'id', 'level', 'since', 'state', 'states']),
    );
    expect(patch).not.toHaveProperty('name');
    expect(patch).not.toHaveProperty('spark');
  });

  it('carries the detail of watched breakers only', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const { feed } = world.services;
    const topics = new Set([`breaker:${agent.breakerId}`]);
    const early = feed.revision();
    await agent.send(agent.transition('closed', 'open', 1));
    expect(feed.since(early, topics)).toBe('lost');

    const unwatch = feed.watch(agent.breakerId);
    const { revision } = feed.snapshot(topics);
    await agent.send(agent.transition('open', 'half_open', 2, { step: 0 }));
    const probe = {
      type: 'probe' as const,
      seq: agent.samplesSeq++,
      at: agent.wall,
      mono: agent.mono,
      breaker: 'payments',
      step: 0,
      outcome: 'timeout' as const,
      latencyMs: 900,
      idempotent: true,
      inFlight: 1,
    };
    const sample = agent.sample({ state: 'half_open', step: 0, share: 0.1 }, [5]);
    await agent.answered(
      world.services.agents.samples(agent.session, [probe, sample], 0, world.clock.wall()),
    );
    await world.pass(200);
    const patch = feed.since(revision, topics);
    if (patch === null || patch === 'lost') throw new Error('no patch');
    expect(patch.detail?.[agent.breakerId]).toMatchObject({
      instances: [{ state: 'half_open', step: 0 }],
      events: [{ type: 'transition', data: { to: 'half_open' } }],
      points: [{ instances: 1, share: 0.1, successes: 1 }],
      probes: [{ outcome: 'timeout', latencyMs: 900 }],
    });
    expect(filterPatch(patch, FLEET)).not.toHaveProperty('detail');
    unwatch();
    await world.pass(61_000);
    expect(feed.since(feed.revision(), topics)).toBe('lost');
  });

  it('carries the points of one instance alone to whoever looks at it', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const { feed } = world.services;
    const { instanceId } = agent.session;
    const both = [agent.breakerId, instanceDetailId(agent.breakerId, instanceId)] as const;
    const other = instanceDetailId(agent.breakerId, 'ins_other');
    const stops = [...both, other].map((id) => feed.watch(id));
    const topics = new Set([...both, other].map((id) => `breaker:${id}`));
    const { revision } = feed.snapshot(topics);
    const sample = agent.sample({ state: 'closed', share: 1 }, [5]);
    await agent.answered(
      world.services.agents.samples(agent.session, [sample], 0, world.clock.wall()),
    );
    await world.pass(200);
    const patch = feed.since(revision, topics);
    if (patch === null || patch === 'lost') throw new Error('no patch');
    expect(patch.detail?.[both[1]]).toEqual({
      points: [expect.objectContaining({ successes: 1 })],
    });
    expect(patch.detail?.[both[0]]?.points).toEqual(patch.detail?.[both[1]]?.points);
    expect(patch.detail).not.toHaveProperty(other);
    for (const stop of stops) stop();
  });

  it('[R-13] keeps the detail whole for a browser that is back within a minute', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const { feed } = world.services;
    const topics = new Set([`breaker:${agent.breakerId}`]);
    const unwatch = feed.watch(agent.breakerId);
    const revision = feed.revision();
    unwatch();
    await world.pass(30_000);
    await agent.send(agent.transition('closed', 'open', 1));
    const again = feed.watch(agent.breakerId);
    const patch = feed.since(revision, topics);
    expect(patch).toMatchObject({ detail: { [agent.breakerId]: { events: [{ seq: 2 }] } } });
    again();
  });

  it('a listener that throws does not silence the others', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    world.services.feed.subscribe(() => {
      throw new Error('broken listener');
    });
    const patches = record(world);
    await agent.send(agent.transition('closed', 'open', 1));
    expect(patches.length).toBeGreaterThan(0);
    expect(world.logged.join()).toContain('broken listener');
  });

  it('merges neighbours into what they say together', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const unwatch = world.services.feed.watch(agent.breakerId);
    const patches = record(world);
    await agent.send(agent.transition('closed', 'open', 1));
    await agent.send(agent.transition('open', 'half_open', 2));
    await agent.send(agent.transition('half_open', 'closed', 3));
    const [first, ...rest] = patches;
    const merged = mergePatches([first!, ...rest]);
    expect(merged.detail?.[agent.breakerId]?.events).toHaveLength(3);
    expect(merged.breakers).toHaveLength(1);
    expect(merged.breakers?.[0]?.state).toBe('closed');
    unwatch();
  });
});
