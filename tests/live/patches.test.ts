import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterPatch, mergePatches } from '@/lib/live';
import type { LivePatch } from '@/lib/protocol/live-frames';
import { foldPatch, type Held } from './reference-fold';

const ids = ['a', 'b', 'c'] as const;
const id = fc.constantFrom(...ids);

/** Only the members that folding reads; the rest of a view is carried along. */
function rows<T extends object>(values: fc.Arbitrary<T>): fc.Arbitrary<(T & { id: string })[]> {
  return fc
    .uniqueArray(fc.tuple(id, values), { selector: ([key]) => key, maxLength: 3 })
    .map((pairs) => pairs.map(([key, value]) => ({ ...value, id: key })));
}

const number = fc.integer({ min: 0, max: 99 });
const whole = fc.record({ level: number, callsPerSecond: number });
const partial = fc.record({ level: number, callsPerSecond: number }, { requiredKeys: [] });

const detail = fc.record(
  {
    events: fc
      .uniqueArray(number, { maxLength: 3 })
      .map((list) => list.map((one) => ({ id: one }))),
    points: fc.uniqueArray(fc.record({ at: number, successes: number }), {
      selector: (point) => point.at,
      maxLength: 3,
    }),
    instances: fc.uniqueArray(fc.record({ instanceId: id, level: number }), {
      selector: (row) => row.instanceId,
    }),
  },
  { requiredKeys: [] },
);

const changes = fc.record(
  {
    breakers: rows(partial),
    services: rows(whole),
    overrides: rows(whole.map((one) => ({ ...one, breakerId: 'a' }))),
    instances: rows(whole),
    removedInstances: fc.uniqueArray(id, { maxLength: 2 }),
    detail: fc.dictionary(id, detail, { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);

/**
 * A history as the feed makes one: a breaker that is removed is not patched in the same revision,
 * and comes back whole.
 */
const history = fc
  .array(fc.tuple(changes, fc.option(id, { freq: 6 })), { minLength: 1, maxLength: 12 })
  .map((list): LivePatch[] => {
    const present = new Set<string>(ids);
    return list.map(([change, removed], at) => {
      const gone: string[] = removed !== null && present.has(removed) ? [removed] : [];
      const breakers = (change.breakers ?? [])
        .filter((breaker) => !gone.includes(breaker.id))
        .map((breaker) =>
          present.has(breaker.id) ? breaker : { level: 0, callsPerSecond: 0, ...breaker },
        );
      for (const one of gone) present.delete(one);
      for (const breaker of breakers) present.add(breaker.id);
      const patch = {
        type: 'patch',
        fromRevision: at + 1,
        toRevision: at + 1,
        now: at,
        ...change,
        instances: (change.instances ?? []).filter(
          (one) => !new Set<string>(change.removedInstances).has(one.id),
        ),
        breakers,
        removedBreakers: gone,
      };
      return patch as unknown as LivePatch;
    });
  });

const start: Held = {
  revision: 0,
  breakers: Object.fromEntries(ids.map((one) => [one, { id: one, level: 0, callsPerSecond: 0 }])),
  services: {},
  overrides: {},
  instances: {},
};

const nonEmpty = (patches: LivePatch[]): [LivePatch, ...LivePatch[]] => {
  const [first, ...rest] = patches;
  if (!first) throw new Error('no patches');
  return [first, ...rest];
};

describe('merged patches', () => {
  it('[R-13] fold to the same as one after the other', () => {
    fc.assert(
      fc.property(history, (patches) => {
        const merged = mergePatches(nonEmpty(patches));
        expect(merged).toMatchObject({ fromRevision: 1, toRevision: patches.length });
        const single = patches.reduce(foldPatch, start);
        expect(foldPatch(start, merged)).toEqual(single);
      }),
    );
  });

  it('may be merged in any grouping', () => {
    fc.assert(
      fc.property(history, fc.nat(), (patches, cut) => {
        const at = (cut % patches.length) + 1;
        const head = mergePatches(nonEmpty(patches.slice(0, at)));
        const tail = patches.slice(at);
        const grouped = mergePatches([head, ...tail]);
        expect(foldPatch(start, grouped)).toEqual(
          foldPatch(start, mergePatches(nonEmpty(patches))),
        );
      }),
    );
  });

  it('[R-15] keep every event and the latest of everything else', () => {
    fc.assert(
      fc.property(history, (patches) => {
        const merged = mergePatches(nonEmpty(patches));
        for (const one of ids) {
          const told = patches.flatMap((patch) => patch.detail?.[one]?.events ?? []);
          const kept = merged.detail?.[one]?.events ?? [];
          expect(new Set(kept.map((event) => event.id))).toEqual(
            new Set(told.map((event) => event.id)),
          );
          const points = patches.flatMap((patch) => patch.detail?.[one]?.points ?? []);
          for (const point of merged.detail?.[one]?.points ?? []) {
            expect(point).toEqual(points.findLast((other) => other.at === point.at));
          }
        }
      }),
    );
  });
});

describe('a filtered patch', () => {
  const topicSets = fc
    .uniqueArray(fc.constantFrom('fleet', 'instances', 'breaker:a', 'breaker:b'))
    .map((topics) => new Set<string>(topics));

  it('keeps its range and brings nothing that was not asked for', () => {
    fc.assert(
      fc.property(history, topicSets, (patches, topics) => {
        for (const patch of patches) {
          const cut = filterPatch(patch, topics);
          expect(cut).toMatchObject({ fromRevision: patch.fromRevision, now: patch.now });
          expect(topics.has('instances') || cut.instances === undefined).toBe(true);
          expect(topics.has('fleet') || cut.services === undefined).toBe(true);
          const wanted = Object.keys(cut.detail ?? {}).map((one) => `breaker:${one}`);
          expect(wanted.filter((topic) => !topics.has(topic))).toEqual([]);
        }
      }),
    );
  });

  it('is the same before and after merging', () => {
    fc.assert(
      fc.property(history, topicSets, (patches, topics) => {
        const cutThenMerged = mergePatches(
          nonEmpty(patches.map((patch) => filterPatch(patch, topics))),
        );
        const mergedThenCut = filterPatch(mergePatches(nonEmpty(patches)), topics);
        expect(foldPatch(start, cutThenMerged)).toEqual(foldPatch(start, mergedThenCut));
        expect(cutThenMerged.detail ?? {}).toEqual(mergedThenCut.detail ?? {});
      }),
    );
  });

  it('brings a watched breaker and its overrides without the fleet', () => {
    const patch = {
      type: 'patch',
      fromRevision: 1,
      toRevision: 1,
      now: 0,
      breakers: [{ id: 'a' }, { id: 'b' }],
      overrides: [
        { id: 'o1', breakerId: 'a' },
        { id: 'o2', breakerId: 'b' },
      ],
    } as unknown as LivePatch;
    expect(filterPatch(patch, new Set(['breaker:a']))).toMatchObject({
      breakers: [{ id: 'a' }],
      overrides: [{ id: 'o1' }],
    });
  });
});
