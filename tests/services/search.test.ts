import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEARCH_LIMIT_MS, searchDown } from '@/server/services/queries/search-down';
import type { AuditInsert } from '@/server/store/port';
import { FakeClock } from '@/tests/support/fake-clock';
import { openMemoryStore, openWorld, replacing, ServerClock, TestAgent } from './support';

const monoOf = (clock: FakeClock) => ({ mono: () => clock.now() });

describe('[S-23] a search in parts', () => {
  it('finds what one statement would, however wide the parts and however long they take', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 501 }),
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 5 }),
        async (keys, width, limit, top, delays) => {
          const clock = new FakeClock();
          const rows = keys.toSorted((a, b) => b - a);
          let turn = 0;
          const found = await searchDown(monoOf(clock), {
            top,
            bottom: 1,
            width,
            limit,
            narrow: 'x',
            read: async (from, upTo, most) => {
              clock.advance(delays[turn++ % delays.length] ?? 0);
              return rows.filter((key) => key >= from && key < upTo).slice(0, most);
            },
          }).catch(() => null);
          const all = rows.filter((key) => key < top).slice(0, limit);
          expect(found ?? all).toEqual(all);
          expect(found !== null || clock.now() > SEARCH_LIMIT_MS).toBe(true);
        },
      ),
    );
  });

  it('takes small parts where they are slow and large ones where they are quick', async () => {
    const clock = new FakeClock();
    const widths: number[] = [];
    await searchDown(monoOf(clock), {
      top: 240,
      bottom: 0,
      width: 10,
      limit: 1,
      narrow: 'x',
      read: async (from, upTo) => {
        widths.push(upTo - from);
        clock.advance(widths.length < 4 ? 1 : 30);
        return [];
      },
    });
    expect(widths).toEqual([10, 20, 40, 80, 40, 20, 10, 10, 10]);
  });
});

const row = (details: AuditInsert['details']): AuditInsert => ({
  at: 1,
  actor: 'ada',
  action: 'override.issued',
  subject: 'br_1',
  outcome: 'done',
  details,
});

/** A world over a store that is slow for as long as `slow` says, and counts what it was asked. */
async function slowWorld(name: 'listAudit' | 'listHistory', partMs: number) {
  const clock = new ServerClock();
  const store = openMemoryStore();
  let asked = 0;
  const method = async (page: never) => {
    asked += 1;
    clock.fake.jump(partMs);
    return (store[name] as (page: never) => Promise<never>)(page);
  };
  const world = await openWorld({
    clock,
    store,
    wrap: (inner) => replacing(inner, name, method as never),
  });
  return { world, store, asked: () => asked };
}

describe('[S-23] a pathological search', () => {
  it('of the audit trail is stopped, and says after what and what to narrow', async () => {
    const { world, store, asked } = await slowWorld('listAudit', 300);
    // As if there were a hundred million rows.
    const auditHead = await store.auditHead();
    store.auditHead = async () => ({ ...auditHead, row: 100_000_000 });
    const began = world.clock.mono();
    const search = world.services.queries.audit({ text: '%_%a%_%', limit: 1 });
    await expect(search).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/2 s.*time range, a person, an action or a subject/),
      details: { limitMs: 2_000 },
    });
    expect(world.clock.mono() - began).toBeLessThan(SEARCH_LIMIT_MS + 2 * 300);
    expect(asked()).toBe(7);
  });

  it('of a history is stopped as well, and the same with a range goes well', async () => {
    const { world } = await slowWorld('listHistory', 300);
    const agent = new TestAgent(world);
    await agent.connect();
    await agent.send(agent.registered());
    const all = { limit: 10, types: 'hold' };
    await expect(world.services.queries.history(agent.breakerId, all)).rejects.toMatchObject({
      message: expect.stringContaining('give a shorter range'),
    });
    const from = world.clock.wall() - 3_600_000;
    const found = await world.services.queries.history(agent.breakerId, { ...all, from });
    expect(found).toEqual({ events: [], next: null });
  });

  it('looks at a part of the rows at a time, and finds the oldest one all the same', async () => {
    const world = await openWorld();
    await world.store.appendAudit(row({ word: 'needle_50%' }));
    for (let count = 0; count < 6_000; count += 1) await world.store.appendAudit(row({ count }));
    const asked: number[] = [];
    const { store } = world;
    const inner = store.listAudit.bind(store);
    store.listAudit = async (page) => {
      asked.push((page.before ?? 0) - (page.notBefore ?? 0));
      return inner(page);
    };
    const { rows } = await world.services.queries.audit({ text: 'needle_50%', limit: 5 });
    expect(rows.map(({ details }) => details)).toEqual([{ word: 'needle_50%' }]);
    expect(asked.length).toBeGreaterThan(1);
    expect(Math.max(...asked)).toBeLessThanOrEqual(8_192);
    // What stands for anything elsewhere means itself.
    for (const text of ['needle_5_%', 'needle%', '%', 'needle\\_50%']) {
      const { rows: none } = await world.services.queries.audit({ text, limit: 5 });
      expect({ text, none: none.length }).toEqual({ text, none: text === '%' ? 1 : 0 });
    }
  });
});
