import { describe, expect, it } from 'vitest';
import { createIds } from '@/server/services/ids';
import { silentSpans } from '@/server/services/queries/gap-spans';
import { openMemoryStore, openWorld, replacing, sha256, fakeRandom, TestAgent } from './support';

describe('retention', () => {
  it('[R-34] removes old samples in small batches with pauses', async () => {
    const store = openMemoryStore();
    const limits: number[] = [];
    let left = 5_000;
    const world = await openWorld({
      store: replacing(store, 'prune', async (before, limit) => {
        expect(before).toBeLessThanOrEqual(world.clock.wall() - 7 * 86_400_000 + 1_000);
        limits.push(limit);
        const samples = Math.min(limit, left);
        left -= samples;
        return { samples, probes: 0 };
      }),
    });
    await world.pass(602_000);
    expect(left).toBe(0);
    expect(limits).toEqual([2_000, 2_000, 2_000, 2_000]);
  });
});

describe('a start after a hard stop', () => {
  it('[R-27] shows the acknowledged trip although the word about it was never stored', async () => {
    const store = openMemoryStore();
    const before = await openWorld({ store });
    const agent = new TestAgent(before);
    await agent.connect();
    await agent.send(agent.registered());
    await before.pass(5_000);
    await agent.send(agent.transition('closed', 'open', 1));

    const world = await openWorld({ store, clock: before.clock });
    const { breaker } = await world.services.queries.breaker(agent.breakerId);
    expect(breaker).toMatchObject({ state: 'open', instances: { live: 0 } });
    expect(breaker.since).not.toBeNull();
  });
});

describe('queries', () => {
  it('page history by position', async () => {
    const world = await openWorld();
    const agent = new TestAgent(world);
    await agent.connect();
    const events = [agent.registered()];
    for (let at = 1; at <= 6; at++) {
      events.push(agent.transition(at % 2 ? 'closed' : 'open', at % 2 ? 'open' : 'closed', at));
    }
    await agent.send(...events);
    const { queries } = world.services;
    const first = await queries.history(agent.breakerId, { limit: 4, types: 'transition' });
    await agent.send(agent.transition('closed', 'open', 7));
    const second = await queries.history(agent.breakerId, {
      limit: 4,
      types: 'transition',
      before: first.next ?? '',
    });
    expect([...first.events, ...second.events].map((event) => event.seq)).toEqual([
      7, 6, 5, 4, 3, 2,
    ]);
    expect(second.next).toBeNull();
    const bad = queries.history(agent.breakerId, { limit: 4, before: 'x' });
    await expect(bad).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('say what they do not know', async () => {
    const world = await openWorld();
    const { queries, overrides } = world.services;
    const missing = { code: 'not_found' };
    await expect(queries.breaker('br_x')).rejects.toMatchObject(missing);
    await expect(queries.service('svc_x')).rejects.toMatchObject(missing);
    await expect(overrides.impact('br_x', 'reset')).rejects.toMatchObject(missing);
    await expect(overrides.get('ovr_x')).rejects.toMatchObject(missing);
  });
});

describe('ids', () => {
  it('are the same for the same names, and differ where the names only join alike', () => {
    const ids = createIds({ hash: sha256, random: fakeRandom });
    const again = createIds({ hash: sha256, random: fakeRandom });
    expect(ids.breaker('prod', 'a', 'b')).toBe(again.breaker('prod', 'a', 'b'));
    expect(ids.breaker('prod', 'a', 'b')).toMatch(/^br_[0-9a-f]{24}$/);
    expect(ids.breaker('prod', 'ab', 'c')).not.toBe(ids.breaker('prod', 'a', 'bc'));
    expect(ids.instance('prod', 'a', 'b').slice(4)).not.toBe(
      ids.breaker('prod', 'a', 'b').slice(3),
    );
    expect(ids.override()).not.toBe(ids.override());
  });
});

const change = (from: string, to: string, at: number, lastSeenAt: number) =>
  ({ instanceId: 'i', from, to, at, lastSeenAt, reason: '' }) as never;

describe('silent spans', () => {
  const range = { from: 1_000, to: 2_000 };

  it('begin with the last frame and end with the next', () => {
    const changes = [change('live', 'stale', 1_500, 1_400), change('stale', 'live', 1_700, 1_690)];
    expect(silentSpans(changes, range)).toMatchObject([{ from: 1_400, to: 1_700 }]);
  });

  it('reach over the ends of the range', () => {
    expect(silentSpans([change('stale', 'live', 1_200, 1_190)], range)).toMatchObject([
      { from: 1_000, to: 1_200 },
    ]);
    const lost = [change('live', 'stale', 1_500, 900), change('stale', 'offline', 1_800, 900)];
    expect(silentSpans(lost, range)).toMatchObject([{ from: 1_000, to: 2_000 }]);
  });

  it('take what is after the range as a sign of what was in it', () => {
    expect(silentSpans([change('live', 'stale', 3_000, 2_900)], range)).toEqual([]);
    expect(silentSpans([change('offline', 'live', 3_000, 2_999)], range)).toMatchObject([range]);
  });
});
