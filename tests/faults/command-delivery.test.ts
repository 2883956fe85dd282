/**
 * Commands over a line that repeats and loses, between people who race, and over a console that dies
 * at every write. The console's services and the agent's desk are the real ones; only the line and
 * the clock are the test's.
 */
import { describe, expect, it } from 'vitest';
import { OverrideDesk } from '@/lib/agent/overrides/desk';
import type { LocalPolicy } from '@/lib/agent/overrides/policy';
import type { Store } from '@/server/store/port';
import { FakeBreaker } from '@/tests/agent/support/fake-breaker';
import { issue, newKey, reporting } from '@/tests/services/override-support';
import {
  openMemoryStore,
  openWorld,
  PROVED,
  TestAgent,
  type AgentOptions,
  type World,
} from '@/tests/services/support';
import { ada, bob } from '@/tests/support/callers';

const policy: LocalPolicy = {
  kinds: ['force_open', 'force_closed', 'reset'],
  maxLeaseMs: 4 * 3_600_000,
};

/** Small and repeatable; the quality of the numbers does not matter here. */
function lcg(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The agent's side of one instance: its desk outlives connections and restarts of the console. */
class Instance {
  readonly breaker = new FakeBreaker();
  readonly desk = new OverrideDesk({
    policy,
    breaker: (name) => (name === 'payments' ? this.breaker : undefined),
    ended: () => undefined,
    debug: () => undefined,
  });
  readonly options: AgentOptions;
  agent!: TestAgent;

  constructor(instance: string) {
    this.options = { instance, epoch: instance.repeat(32).slice(0, 32), startedAt: 1 };
    this.breaker.on((event) => this.desk.breakerChanged('payments', event, this.mono));
  }

  get mono(): number {
    return this.agent.world.clock.mono();
  }

  async join(world: World): Promise<void> {
    this.agent = new TestAgent(world, this.options);
    await this.agent.connect();
    await this.agent.sendState([this.agent.state()]);
  }

  /** The set comes `times` times; of the answers, those that `keeps` lets through arrive. */
  async hear(times = 1, keeps: () => boolean = () => true): Promise<number> {
    const { agents } = this.agent.world.services;
    const { overrides, revision } = await agents.desired(this.agent.session);
    for (let time = 0; time < times; time++) {
      const results = this.desk.receive(overrides, this.mono);
      if (results.length === 0 || !keeps()) continue;
      const frame = { type: 'applied' as const, revision, results };
      await agents.applied(this.agent.session, frame, this.agent.world.clock.wall());
    }
    return overrides.length * times;
  }
}

async function crew(world: World, names: readonly string[]) {
  const instances = names.map((name) => new Instance(name));
  for (const one of instances) await one.join(world);
  const breakerId = instances[0]?.agent.breakerId ?? '';
  return { instances, scope: { kind: 'breaker' as const, breakerId } };
}

const isOpen = (delivery: string) => delivery === 'queued' || delivery === 'sent';

describe('[R-18] ten thousand deliveries with three in ten doubled and one answer in ten lost', () => {
  it('change each instance once for each command, and end up answered', async () => {
    const random = lcg(11);
    const world = await openWorld();
    const { instances, scope } = await crew(world, 'abcdefghijklmnopqrst'.split(''));
    let deliveries = 0;
    let commands = 0;
    let resets = 0;
    while (deliveries < 10_000) {
      const kind = commands % 3 === 0 ? 'reset' : 'force_open';
      const command = await issue(world, { scope, kind, leaseMs: 600_000 });
      commands += 1;
      if (kind === 'reset') resets += 1;
      for (;;) {
        const heard = await Promise.all(
          instances.map((one) => one.hear(random() < 0.3 ? 2 : 1, () => random() >= 0.1)),
        );
        deliveries += heard.reduce((sum, one) => sum + one, 0);
        const { counts } = await world.services.commands.get(command.id);
        if (!Object.keys(counts).some(isOpen)) break;
      }
      const { outcome } = await world.services.commands.get(command.id);
      expect(outcome).toBe('succeeded');
      await world.services.overrides.releaseBreaker(ada, scope.breakerId, {});
      await Promise.all(instances.map((one) => one.hear()));
    }
    for (const { breaker } of instances) {
      expect(breaker.resets).toBe(resets);
      const forced = breaker.changes.filter((change) => change.startsWith('forced'));
      expect(forced).toHaveLength(commands - resets);
      expect(breaker.effective).toBe('closed');
    }
    expect(commands).toBeGreaterThan(200);
  }, 600_000);
});

describe('[R-19] [T-19] two people who race a thousand times', () => {
  it('have one winner each time, and every instance ends up with the same', async () => {
    const world = await openWorld();
    const { instances, scope } = await crew(world, ['a', 'b', 'c']);
    const rival = (caller: typeof ada, kind: 'force_open' | 'force_closed', generation: number) =>
      world.services.commands.issue(caller, {
        scope,
        kind,
        includeNew: false,
        breakGlass: false,
        reason: 'it has to be this way',
        leaseMs: 600_000,
        expectedGenerations: { [scope.breakerId]: generation },
        idempotencyKey: newKey(),
        stepUpId: PROVED,
      });
    for (let generation = 0; generation < 1_000; generation++) {
      const racers = [rival(ada, 'force_open', generation), rival(bob, 'force_closed', generation)];
      const results = await Promise.allSettled(generation % 2 === 0 ? racers : racers.toReversed());
      const won = results.filter((one) => one.status === 'fulfilled');
      expect(won).toHaveLength(1);
      if (generation % 10 !== 9) continue;
      await Promise.all(instances.map((one) => one.hear()));
      const wanted = won[0]?.value.kind === 'force_open' ? 'forced_open' : 'forced_closed';
      expect(instances.map(({ breaker }) => breaker.effective)).toEqual([wanted, wanted, wanted]);
      await world.services.overrides.releaseBreaker(ada, scope.breakerId, {});
      await Promise.all(instances.map((one) => one.hear()));
    }
    const { generation } = await world.services.overrides.impact(scope.breakerId, 'force_open');
    expect(generation).toBe(1_000);
  }, 600_000);
});

/** Everything that changes what is stored about commands. */
const WRITES: ReadonlySet<string> = new Set([
  'putCommand',
  'startCommand',
  'recordDeliveries',
  'changeLeases',
  'endOverrides',
  'putRelease',
  'stepRelease',
]);

/** A console that dies at its n-th write, before or after the commit; nothing works from there on. */
function dyingAt(n: number, after: boolean) {
  const state = { writes: 0, dead: false };
  const dies = () => {
    state.dead = true;
    return new Error('the console died here');
  };
  const wrap = (store: Store): Store =>
    new Proxy(store, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          const writes = WRITES.has(String(key));
          if (state.dead && writes) throw dies();
          if (writes) state.writes += 1;
          const here = writes && state.writes === n;
          if (here && !after) throw dies();
          const result: unknown = await value.apply(target, args);
          if (here) throw dies();
          return result;
        };
      },
    });
  return { state, wrap };
}

describe('[T-18] a console that dies at every write from the request to the result', () => {
  const REASON = 'the target is down';

  /** What a person does in that time; a step that fails leaves the rest undone. */
  async function story(world: World, instances: readonly Instance[], key: string) {
    const [first] = instances;
    const scope = { kind: 'breaker' as const, breakerId: first?.agent.breakerId ?? '' };
    const command = await world.services.commands.issue(ada, {
      scope,
      kind: 'force_open',
      includeNew: false,
      breakGlass: false,
      reason: REASON,
      leaseMs: 600_000,
      expectedGenerations: { [scope.breakerId]: 0 },
      idempotencyKey: key,
    });
    for (const one of instances) await one.hear();
    await world.services.commands.changeLease(ada, command.id, { leaseMs: 300_000 });
    for (const one of instances) await one.hear();
    await world.services.releases.start(ada, {
      commandId: command.id,
      batchSize: 1,
      intervalMs: 1_000,
    });
  }

  async function dieAndReturn(n: number, after: boolean): Promise<boolean> {
    const store = openMemoryStore();
    const { state, wrap } = dyingAt(n, after);
    const before = await openWorld({ store, wrap });
    const instances = [new Instance('a'), new Instance('b')];
    for (const one of instances) await one.join(before);
    const key = newKey();
    await story(before, instances, key).catch((error: unknown) => {
      if (!state.dead) throw error;
    });
    if (!state.dead) return false;

    const world = await openWorld({ store, clock: before.clock });
    for (const one of instances) await one.join(world);
    const breakerId = instances[0]?.agent.breakerId ?? '';
    // The person was not answered, and sends the same again.
    const again = await world.services.commands.issue(ada, {
      scope: { kind: 'breaker', breakerId },
      kind: 'force_open',
      includeNew: false,
      breakGlass: false,
      reason: REASON,
      leaseMs: 600_000,
      expectedGenerations: { [breakerId]: 0 },
      idempotencyKey: key,
    });
    for (let second = 0; second < 2; second++) {
      for (const one of instances) await one.hear();
      await world.pass(500);
    }
    const told = await world.services.commands.get(again.id);
    expect(told.overrides).toHaveLength(1);
    expect(Object.keys(told.counts).filter(isOpen)).toEqual([]);
    expect(told.counts.applied).toBe(2);
    for (const { breaker } of instances) {
      // Once for the command; a changed lease puts the same one on again.
      const forced = new Set(breaker.changes.filter((change) => change.startsWith('forced')));
      expect(forced.size).toBe(1);
    }
    const { rows } = await world.services.queries.audit({ limit: 100 });
    expect(rows.filter(({ action }) => action === 'override.issued')).toHaveLength(1);

    // Whatever was under way, the lease ends it everywhere.
    await world.pass(601_000);
    for (const one of instances) {
      await one.hear();
      one.desk.tick(one.mono, one.mono);
      expect(one.breaker.effective).toBe('closed');
    }
    const ended = await world.services.commands.get(told.id);
    expect(ended.overrides.every(({ endedAt }) => endedAt !== null)).toBe(true);
    return true;
  }

  it.each([
    ['before', false],
    ['after', true],
  ] as const)('%s the commit: the next start completes it or ends it', async (_when, after) => {
    let points = 0;
    while (await dieAndReturn(points + 1, after)) points += 1;
    expect(points).toBeGreaterThanOrEqual(7);
  });
});

describe('[T-20] a target that comes back after the end of its time', () => {
  it('[R-23] [R-24] is never told to start; a lost answer is found again', async () => {
    const world = await openWorld();
    const { instances, scope } = await crew(world, ['a', 'b']);
    const [a, b] = instances;
    if (a === undefined || b === undefined) throw new Error('no crew');
    await world.services.agents.disconnected(b.agent.session, world.clock.wall(), true);
    const command = await issue(world, { scope, leaseMs: 600_000 });
    await a.hear(1, () => false);
    await world.pass(33_000);
    const { counts } = await world.services.commands.get(command.id);
    expect(counts).toEqual({ unknown: 1, expired: 1 });
    await b.join(world);
    await b.hear();
    expect(b.breaker.effective).toBe('closed');
    await a.hear(2);
    expect(await world.services.commands.get(command.id)).toMatchObject({
      outcome: 'partial',
      counts: { applied_late: 1, expired: 1 },
    });
    expect(a.breaker.changes).toHaveLength(1);
  });
});

describe('[T-21] scaling during a lease', () => {
  it('[R-26] brings new instances in, and forgets nobody who left', async () => {
    const world = await openWorld();
    const { instances, scope } = await crew(world, ['a']);
    const [a] = instances;
    if (a === undefined) throw new Error('no crew');
    const command = await issue(world, { scope, leaseMs: 600_000, includeNew: true });
    await a.hear();
    const b = new Instance('b');
    await b.join(world);
    await world.pass(1_000);
    await b.hear();
    expect(b.breaker.effective).toBe('forced_open');
    await world.services.agents.disconnected(a.agent.session, world.clock.wall(), true);
    const { overrides, counts } = await world.services.commands.get(command.id);
    expect(counts).toEqual({ applied: 2 });
    expect(overrides[0]?.targets.map(({ liveness }) => liveness)).toEqual(['offline', 'live']);
    const late = await reporting(world, { instance: 'late' });
    await world.pass(1_000);
    expect((await world.services.agents.desired(late.session)).overrides).toHaveLength(1);
  });
});
