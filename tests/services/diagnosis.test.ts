import { describe, expect, it } from 'vitest';
import type { Store } from '@/server/store/port';
import { reporting } from './override-support';
import {
  breakerView,
  calls,
  FLEET,
  HASH_B,
  openMemoryStore,
  openWorld,
  replacing,
  ServerClock,
  settle,
  TestAgent,
  type World,
} from './support';

const MINUTE = 60_000;

/** Closed and open again, `rounds` times, a few seconds apart. */
async function flap(world: World, agent: TestAgent, rounds: number): Promise<void> {
  let epoch = 1;
  const open = { cause: 'trip', calls: 30, failures: 25, openTimeoutMs: 5_000 };
  await agent.send(agent.transition('closed', 'open', epoch++, open));
  for (let round = 0; round < rounds; round++) {
    await world.pass(5_000);
    await agent.send(agent.transition('open', 'half_open', epoch++, { cause: 'retry_due' }));
    await world.pass(2_000);
    await agent.send(agent.transition('half_open', 'closed', epoch++, { cause: 'advance' }));
    await world.pass(2_000);
    await agent.send(agent.transition('closed', 'open', epoch++, open));
  }
}

const retryAhead = { retryInMs: 600_000 };

describe('diagnosis', () => {
  it('finds it when asked, with what it looked at', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    await flap(world, agent, 4);
    const body = await world.services.diagnosis.breaker(agent.breakerId);
    expect(body.findings.map(({ kind }) => kind)).toEqual(['flapping']);
    expect(body.findings[0]?.summary).toContain('4 times');
    expect(body.lookedAt).toMatchObject({ events: 13, cut: false });
  });

  it('looks once within five seconds, and once for all who ask at the same time', async () => {
    let reads = 0;
    const wrap = (store: Store): Store =>
      replacing(store, 'listHistory', (page) => {
        reads++;
        return store.listHistory(page);
      });
    const world = await openWorld({ wrap });
    const agent = await reporting(world);
    await world.pass(6_000);
    reads = 0;
    const ask = () => world.services.diagnosis.breaker(agent.breakerId);
    const [one, two] = await Promise.all([ask(), ask()]);
    expect(one).toEqual(two);
    await ask();
    expect(reads).toBe(1);
    await world.pass(6_000);
    await ask();
    expect(reads).toBe(2);
  });

  it('marks the row in the fleet by itself, and takes the mark away when it is over', async () => {
    const world = await openWorld();
    const one = await reporting(world);
    const two = new TestAgent(world, { instance: 'two' });
    await two.connect();
    await two.send(
      two.registered('payments', { configHash: HASH_B, config: { open: { baseMs: 1 } } }),
    );
    expect(breakerView(world).findings).toEqual([]);
    await world.pass(11_000);
    one.heard();
    expect(breakerView(world).findings).toEqual(['config_drift']);
    const { findings, examined, breakers } = await world.services.diagnosis.findings({});
    expect(findings).toMatchObject([{ breaker: 'payments', finding: { kind: 'config_drift' } }]);
    expect([examined, breakers]).toEqual([1, 1]);
    await world.services.agents.disconnected(two.session, world.clock.wall(), true);
    for (let beat = 0; beat < 4; beat++) {
      one.heard();
      await world.pass(20_000);
    }
    expect(breakerView(world).findings).toEqual([]);
  });

  it('tells the findings of one service, and refuses an unknown one', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    await flap(world, agent, 4);
    await world.pass(11_000);
    const [service] = world.services.feed.snapshot(FLEET).services;
    const found = await world.services.diagnosis.findings({ service: service?.id });
    expect(found.findings).toHaveLength(1);
    const unknown = world.services.diagnosis.findings({ service: 'svc_no' });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
    await expect(world.services.diagnosis.breaker('br_no')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('counts calls as samples come, and reads those of before a restart back', async () => {
    const store = openMemoryStore();
    const clock = new ServerClock();
    const before = await openWorld({ store, clock });
    const agent = await reporting(before);
    for (let second = 0; second < 20; second++) {
      await before.pass(1_000);
      await agent.sendSamples(agent.sample({ calls: calls({ success: 3, rejected_local: 4 }) }));
    }
    const id = agent.breakerId;
    const known = await before.services.diagnosis.breaker(id);
    expect(known.lookedAt.calls).toBe(60);
    expect(known.findings.map(({ kind }) => kind)).toEqual(['own_overload']);
    await before.services.agents.disconnected(agent.session, clock.wall(), false);
    const after = await openWorld({ store, clock });
    const again = await reporting(after);
    await after.pass(1_000);
    await again.sendSamples(again.sample({ calls: calls({ success: 5 }) }));
    expect((await after.services.diagnosis.breaker(id)).lookedAt.calls).toBe(65);
    await after.pass(6_000);
    expect((await after.services.diagnosis.breaker(id)).lookedAt.calls).toBe(65);
  });

  it('says open with nobody calling of an instance that is heard, and nothing of a stale one', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    await agent.send(agent.transition('closed', 'open', 1, { retryInMs: 1_000 }));
    for (let beat = 0; beat < 2; beat++) {
      await world.pass(20_000);
      agent.heard();
    }
    const heard = await world.services.diagnosis.breaker(agent.breakerId);
    expect(heard.findings.map(({ kind }) => kind)).toEqual(['nobody_calling']);
    await world.pass(2 * MINUTE);
    const stale = await world.services.diagnosis.breaker(agent.breakerId);
    expect(stale.findings).toEqual([]);
  });

  it('spends a bounded time a turn, breakers that changed state first', async () => {
    const looked: string[] = [];
    const clock = new ServerClock();
    const wrap = (store: Store): Store =>
      replacing(store, 'listHistory', async (page) => {
        looked.push(page.breakerId);
        // As long as three breakers may take in one turn.
        clock.fake.advance(4);
        return store.listHistory(page);
      });
    const world = await openWorld({ wrap, clock });
    const agent = await reporting(world);
    for (let one = 0; one < 20; one++) await agent.send(agent.registered(`b${one}`));
    await world.pass(15_000);
    looked.length = 0;
    await world.pass(30_000);
    expect(looked).toEqual([]);
    await agent.send(agent.transition('closed', 'open', 1, retryAhead));
    clock.fake.advance(500);
    await settle();
    expect(looked[0]).toBe(agent.breakerId);
    looked.length = 0;
    await world.pass(59_000);
    const perTurn = looked.length / 118;
    expect(perTurn).toBeLessThanOrEqual(3);
    // Everybody else once, and the one that was looked at just now not again.
    expect(new Set(looked).size).toBe(20);
    expect(looked).toHaveLength(20);
  });
});
