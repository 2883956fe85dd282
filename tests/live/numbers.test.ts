import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Aggregator } from '@/lib/live/aggregate';
import { failureThreshold } from '@/lib/live/failure-threshold';
import { mergeLatency, packHistogram } from '@/lib/live/latency';
import { pickProbes } from '@/lib/live/pick-probes';
import { RateWindow } from '@/lib/live/rate-window';
import { pickResolution } from '@/lib/live/resolution';
import { Spark, SPARK_BUCKET_MS } from '@/lib/live/spark';
import type { ProbePoint } from '@/lib/protocol/views';
import { LatencyHistogram } from '@/lib/stats';
import { calls, sampleOf } from '@/tests/services/support';

const latencies = fc.array(fc.double({ min: 0.01, max: 60_000, noNaN: true }), { maxLength: 40 });

describe('merged latency', () => {
  it('has the quantiles of one histogram over all values', () => {
    fc.assert(
      fc.property(fc.array(latencies, { minLength: 1, maxLength: 6 }), (lists) => {
        const whole = new LatencyHistogram();
        const parts = lists.map((list) => {
          const part = new LatencyHistogram();
          for (const value of list) {
            part.record(value);
            whole.record(value);
          }
          return packHistogram(part.toSparse());
        });
        const merged = mergeLatency(parts, [0.5, 0.95, 0.99]);
        expect(merged.count).toBe(whole.count);
        [0.5, 0.95, 0.99].forEach((q, at) => {
          const expected = whole.count === 0 ? null : whole.quantile(q);
          expect(Math.abs((merged.quantiles[at] ?? 0) - (expected ?? 0))).toBeLessThan(0.01);
          expect(merged.quantiles[at] === null).toBe(expected === null);
        });
      }),
    );
  });

  it('gives the largest known value where the rank falls among timeouts', () => {
    const histogram = new LatencyHistogram();
    for (const value of [10, 20, Infinity, Infinity, Infinity]) histogram.record(value);
    expect(mergeLatency([packHistogram(histogram.toSparse())], [0.95]).quantiles[0]).toBe(20);
  });
});

describe('the rate window', () => {
  it('counts ten seconds up to the newest sample, and nothing in the end', () => {
    const window = new RateWindow();
    for (let second = 1; second <= 20; second++) window.add(sampleOf([1, 1]), second * 1_000);
    expect(window.sums(20_000).admitted).toBe(20);
    expect(window.sums(21_900).admitted).toBe(20);
    expect(window.sums(27_000).admitted).toBe(10);
    expect(window.prune(40_000)).toBe(true);
    expect(window.isEmpty).toBe(true);
  });

  it('counts a merged sample that is longer than the window in proportion', () => {
    const window = new RateWindow();
    window.add({ ...sampleOf([]), periodMs: 20_000, calls: calls({ success: 100 }) }, 20_000);
    expect(window.sums(20_000).admitted).toBe(50);
  });
});

describe('the sparkline', () => {
  it('holds five minutes, the newest last, null where nothing was', () => {
    const spark = new Spark();
    const now = 60 * SPARK_BUCKET_MS * 1_000;
    const failing = { ...sampleOf([]), calls: calls({ success: 1, timeout: 1, not_permitted: 2 }) };
    spark.add(failing, now - 1_000);
    spark.add(failing, now - 299_000);
    const read = spark.read(now - 1);
    expect(read.sparkEndsAt).toBe(now);
    expect(read.spark).toHaveLength(60);
    expect([read.spark[0], read.spark[59]]).toEqual([0.75, 0.75]);
    expect(read.spark.filter((value) => value !== null)).toHaveLength(2);
    expect(spark.hasData(now + 400_000)).toBe(false);
  });
});

describe('aggregated samples', () => {
  const told = fc.record({
    instanceId: fc.constantFrom('a', 'b', 'c'),
    second: fc.integer({ min: 0, max: 30 }),
    periods: fc.integer({ min: 1, max: 5 }),
    success: fc.integer({ min: 0, max: 50 }),
    timeout: fc.integer({ min: 0, max: 5 }),
    share: fc.constantFrom(0, 0.1, 0.5, 1),
    latencies,
  });

  it('lose and invent no call, at any resolution', () => {
    fc.assert(
      fc.property(
        fc.array(told, { maxLength: 30 }),
        fc.constantFrom(1_000, 2_000, 5_000),
        (list, width) => {
          const aggregator = new Aggregator(width);
          for (const one of list) {
            const sample = {
              ...sampleOf(one.latencies),
              periodMs: one.periods * 1_000,
              share: one.share,
              calls: calls({ success: one.success, timeout: one.timeout }),
            };
            aggregator.add({ instanceId: one.instanceId, at: (one.second + 10) * 1_000, sample });
          }
          const points = aggregator.points();
          const sum = (pick: (point: (typeof points)[number]) => number) =>
            points.reduce((total, point) => total + pick(point), 0);
          expect(sum((point) => point.successes)).toBe(list.reduce((n, one) => n + one.success, 0));
          expect(sum((point) => point.failures)).toBe(list.reduce((n, one) => n + one.timeout, 0));
          expect(sum((point) => point.latencySamples)).toBe(
            list.reduce((n, one) => n + one.latencies.length, 0),
          );
          for (const point of points) {
            expect(point.instances).toBeGreaterThan(0);
            expect(point.share).toBeGreaterThanOrEqual(0);
            expect(point.share).toBeLessThanOrEqual(1);
            expect(point.at % width).toBe(0);
          }
          expect(points.map((point) => point.at)).toEqual(
            points.map((point) => point.at).toSorted((a, b) => a - b),
          );
        },
      ),
    );
  });

  it('give every instance the same weight in the share, however often it reports', () => {
    const aggregator = new Aggregator(10_000);
    const add = (instanceId: string, at: number, share: number) =>
      aggregator.add({ instanceId, at, sample: { ...sampleOf([]), share } });
    for (let second = 1; second <= 9; second++) add('busy', second * 1_000, 1);
    add('quiet', 5_000, 0);
    expect(aggregator.points()).toMatchObject([{ at: 0, instances: 2, share: 0.5 }]);
  });

  it('stay in their second when a report is a moment late', () => {
    const aggregator = new Aggregator(1_000);
    for (let second = 1; second <= 20; second++) {
      const late = second % 3 === 0 ? 120 : -120;
      aggregator.add({ instanceId: 'a', at: second * 1_000 + late, sample: sampleOf([1]) });
    }
    expect(aggregator.points().map((point) => point.successes)).toEqual(Array(20).fill(1));
  });
});

describe('the resolution', () => {
  it('fits the range into the points', () => {
    expect(pickResolution(600_000, 600)).toBe(1_000);
    expect(pickResolution(601_000, 600)).toBe(2_000);
    expect(pickResolution(86_400_000, 600)).toBe(300_000);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 * 86_400_000 }),
        fc.integer({ min: 10, max: 1_000 }),
        (range, points) => {
          expect(Math.ceil(range / pickResolution(range, points))).toBeLessThanOrEqual(points);
        },
      ),
    );
  });
});

const probes = (count: number, isFailure: (at: number) => boolean): ProbePoint[] =>
  Array.from({ length: count }, (_, at) => ({
    id: at,
    at,
    instanceId: 'a',
    step: 0,
    outcome: isFailure(at) ? 'timeout' : 'success',
    latencyMs: 1,
    idempotent: true,
  }));

describe('picked probes', () => {
  it('keep every failure and thin the successes evenly', () => {
    const { picked, leftOut } = pickProbes(
      probes(5_000, (at) => at % 50 === 0),
      1_000,
    );
    expect(picked).toHaveLength(1_000);
    expect(leftOut).toBe(4_000);
    expect(picked.filter((probe) => probe.outcome === 'timeout')).toHaveLength(100);
    const inFirstHalf = picked.filter((probe) => probe.at < 2_500).length;
    expect(inFirstHalf).toBeGreaterThan(480);
    expect(inFirstHalf).toBeLessThan(520);
  });

  it('never exceed the limit', () => {
    const { picked, leftOut } = pickProbes(
      probes(3_000, () => true),
      1_000,
    );
    expect([picked.length, leftOut]).toEqual([1_000, 2_000]);
    expect(
      pickProbes(
        probes(10, () => true),
        1_000,
      ),
    ).toMatchObject({ leftOut: 0 });
  });
});

describe('the failure threshold', () => {
  it.each([
    [
      {
        trip: [
          { kind: 'consecutive', failures: 5 },
          { kind: 'mixed', rate: 0.4 },
        ],
      },
      0.4,
    ],
    [{ trip: [{ kind: 'slow', rate: 0.4 }] }, null],
    [{ trip: 'often' }, null],
    [{ trip: [null, 7, { kind: 'ratio', rate: 'half' }] }, null],
    [{}, null],
  ])('of %j is %s', (config, expected) => {
    expect(failureThreshold(config)).toBe(expected);
  });
});
