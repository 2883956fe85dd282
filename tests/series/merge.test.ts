import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketAt, readAt } from '@/lib/series/cursor';
import { joinBuckets, keepFrom, upsert } from '@/lib/series/merge';
import { openings } from '@/lib/series/openings';
import { regrid } from '@/lib/series/regrid';
import { point, probe, story } from './make';

type Item = { id: number; at: number; value: number };
const merge = (held: readonly Item[], incoming: readonly Item[]) =>
  upsert(
    held,
    incoming,
    (item) => item.id,
    (item) => item.at,
  );

describe('upsert', () => {
  it('replaces by key and keeps the order of time', () => {
    const held = [
      { id: 1, at: 1, value: 1 },
      { id: 3, at: 3, value: 1 },
    ];
    expect(
      merge(held, [
        { id: 2, at: 2, value: 2 },
        { id: 3, at: 3, value: 2 },
      ]).map((item) => [item.id, item.value]),
    ).toEqual([
      [1, 1],
      [2, 2],
      [3, 2],
    ]);
    expect(merge(held, [])).toBe(held);
  });
  it('may be folded twice and in any order', () => {
    const items = fc.array(
      fc.integer({ min: 0, max: 20 }).map((id) => ({ id, at: id * 2, value: id })),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(items, items, (a, b) => {
        const once = merge(merge([], a), b);
        expect(merge(once, b)).toEqual(once);
        expect(merge(merge([], b), a)).toEqual(once);
      }),
    );
  });
  it('forgets what is too old', () => {
    const items = [1, 2, 3].map((at) => ({ at }));
    expect(keepFrom(items, 2, (item) => item.at)).toEqual([{ at: 2 }, { at: 3 }]);
    expect(keepFrom(items, 0, (item) => item.at)).toBe(items);
    expect(keepFrom(items, 9, (item) => item.at)).toEqual([]);
  });
});

describe('regrid', () => {
  it('adds counts and weighs shares by who reported', () => {
    const [bucket] = regrid(
      [
        point(0, {
          share: 0.1,
          instances: 1,
          admitted: 1,
          refused: 9,
          p95Ms: 100,
          latencySamples: 1,
        }),
        point(1_000, {
          share: 0.4,
          instances: 2,
          admitted: 4,
          refused: 6,
          p95Ms: 300,
          latencySamples: 4,
        }),
      ],
      5_000,
    );
    expect(bucket).toMatchObject({
      at: 0,
      instances: 2,
      admitted: 5,
      refused: 15,
      p95Ms: 300,
      latencySamples: 5,
    });
    expect(bucket?.share).toBeCloseTo(0.3, 9);
  });
  it('does not invent buckets', () => {
    expect(regrid([point(0), point(20_000)], 5_000).map((one) => one.at)).toEqual([0, 20_000]);
    expect(
      regrid([point(0, { p95Ms: null }), point(1_000, { p95Ms: null })], 5_000)[0]?.p95Ms,
    ).toBeNull();
  });
});

describe('cursor', () => {
  const points = [point(0, { share: 0.3, admitted: 3, refused: 7 }), point(1_000), point(5_000)];
  it('finds the bucket that covers an instant and none in a hole', () => {
    expect(bucketAt(points, 1_000, 1_999)?.at).toBe(1_000);
    expect(bucketAt(points, 1_000, 3_000)).toBeNull();
    expect(bucketAt([], 1_000, 0)).toBeNull();
  });
  it('reads all three charts at once', () => {
    const source = {
      points,
      resolutionMs: 1_000,
      bands: [{ from: 0, to: 9_000, state: 'open' }],
      probes: [probe(100), probe(200, 'timeout')],
      openings: openings(story()),
      gaps: [{ from: 3_000, to: 4_000, reasons: ['offline'], instances: 1, events: 0 }],
    };
    expect(readAt(source, 400)).toMatchObject({
      state: 'open',
      allowed: 0.3,
      admitted: 0.3,
      refusedPerSecond: 7,
      probes: 2,
      failedProbes: 1,
      opening: { level: 0 },
    });
    expect(readAt(source, 3_500)).toMatchObject({
      allowed: null,
      admitted: null,
      refusedPerSecond: null,
      missing: ['offline'],
    });
  });
});

const seconds = (from: number, to: number) =>
  Array.from({ length: (to - from) / 1_000 }, (_, index) => point(from + index * 1_000));

describe('joining fetched and live buckets', () => {
  const fetched = {
    now: 20_000,
    resolutionMs: 5_000,
    points: [
      point(10_000, { admitted: 50 }),
      point(15_000, { admitted: 50 }),
      point(20_000, { admitted: 2 }),
    ],
  };
  it('takes live buckets from where they are complete', () => {
    const joined = joinBuckets(fetched, seconds(20_000, 27_000), regrid);
    expect(joined.map((one) => [one.at, one.admitted])).toEqual([
      [10_000, 50],
      [15_000, 50],
      [20_000, 50],
      [25_000, 20],
    ]);
  });
  it('leaves settled buckets and those that live points cover in part', () => {
    const joined = joinBuckets(fetched, seconds(17_000, 22_000), regrid);
    expect(joined.map((one) => one.admitted)).toEqual([50, 50, 20]);
    expect(joinBuckets(fetched, [], regrid)).toBe(fetched.points);
  });
});
