import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countProbes, latencyAxis, probeMarks, probeShape, thinProbes } from '@/lib/series/probes';
import {
  baselineOf,
  holdLine,
  probeLatency,
  quantileFor,
  quantileOf,
  quantileSeries,
  tailLatency,
} from '@/lib/series/quantiles';
import { point, probe } from './make';

describe('probe marks', () => {
  it('sorts outcomes into three shapes', () => {
    expect(
      ['success', 'client_error', 'timeout', 'server_error', 'refused', 'overload'].map(probeShape),
    ).toEqual(['success', 'success', 'timeout', 'failure', 'failure', 'failure']);
  });
  it('holds every probe and line inside a log axis', () => {
    const axis = latencyAxis('log', [0.2, 40, 12_000], [240, null]);
    expect(axis.bounds).toEqual([1, 30_000]);
    const marks = probeMarks([probe(1, 'refused', 0.2), probe(2, 'timeout', 12_000)], axis);
    expect(marks.map((mark) => [mark.shape, mark.drawnMs, mark.latencyMs])).toEqual([
      ['failure', 1, 0.2],
      ['timeout', 12_000, 12_000],
    ]);
  });
  it('has a linear axis from zero', () => {
    expect(latencyAxis('linear', [410], [360]).bounds).toEqual([0, 500]);
    expect(latencyAxis('log', [], []).bounds[0]).toBe(1);
  });
  it('keeps to the domain', () => {
    const axis = latencyAxis('log', [50], []);
    expect(probeMarks([probe(5), probe(15)], axis, { from: 10, to: 20 })).toHaveLength(1);
  });
  it('never leaves out a failure', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('success' as const, 'failure' as const, 'timeout' as const), {
          maxLength: 300,
        }),
        fc.integer({ min: 1, max: 60 }),
        (shapes, limit) => {
          const marks = shapes.map((shape) => ({ shape }));
          const { marks: kept, leftOut } = thinProbes(marks, limit);
          const bad = marks.filter((mark) => mark.shape !== 'success').length;
          expect(kept.filter((mark) => mark.shape !== 'success')).toHaveLength(bad);
          expect(kept.length).toBeLessThanOrEqual(Math.max(limit, bad));
          expect(kept.length + leftOut).toBe(marks.length);
        },
      ),
    );
  });
  it('counts by class, most frequent first', () => {
    const counts = countProbes([
      probe(1),
      probe(2, 'timeout'),
      probe(3, 'timeout'),
      probe(4, 'refused'),
    ]);
    expect(counts).toMatchObject({ total: 4, success: 1, timeout: 2, failure: 1 });
    expect(counts.classes[0]).toEqual({ outcome: 'timeout', count: 2 });
  });
});

describe('quantiles', () => {
  it('climbs the ladder of the specification', () => {
    expect([0, 4, 5, 19, 20, 58, 59, 299, 300].map(quantileFor)).toEqual([
      null,
      null,
      0.5,
      0.5,
      0.9,
      0.9,
      0.95,
      0.95,
      0.99,
    ]);
  });
  it('reads nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(quantileOf(values, 0.95)).toBe(95);
    expect(quantileOf(values, 0.5)).toBe(50);
    expect(quantileOf([7], 0.99)).toBe(7);
    expect(quantileOf([], 0.5)).toBeNull();
  });
  it('is undecided below five successes and ignores fast failures', () => {
    const few = [1, 2, 3, 4].map((at) => probe(at, 'success', 100));
    expect(probeLatency(few)).toEqual({ quantile: null, valueMs: null, samples: 4 });
    const failing = Array.from({ length: 50 }, (_, at) => probe(at, 'refused', 1));
    expect(probeLatency([...few, probe(5, 'success', 100), ...failing])).toEqual({
      quantile: 0.5,
      valueMs: 100,
      samples: 5,
    });
  });
  it('says max instead of P99 under 100 samples', () => {
    const some = Array.from({ length: 34 }, (_, index) => probe(index, 'success', index + 1));
    expect(tailLatency(some)).toEqual({ kind: 'max', valueMs: 34, samples: 34 });
    const many = Array.from({ length: 200 }, (_, index) => probe(index, 'success', index + 1));
    expect(tailLatency(many)).toEqual({ kind: 'p99', valueMs: 198, samples: 200 });
    expect(tailLatency([probe(1, 'timeout')])).toBeNull();
  });
  it('breaks the line at a missing bucket and at an undecided one', () => {
    const rows = quantileSeries(
      [point(0), point(1_000, { latencySamples: 3 }), point(4_000)],
      1_000,
    );
    expect(rows.map((row) => [row.at, row.p95Ms])).toEqual([
      [500, 90],
      [1_500, null],
      [2_000, null],
      [4_500, 90],
    ]);
  });
  it('takes the latest baseline and multiplies it to the hold line', () => {
    const points = [
      point(0, { baselineP95Ms: 70 }),
      point(1_000, { baselineP95Ms: 120 }),
      point(2_000, { baselineP95Ms: null }),
    ];
    expect(baselineOf(points).p95Ms).toBe(120);
    expect(holdLine(120, 3)).toBe(360);
    expect(holdLine(2, 3, 20)).toBe(20);
    expect(holdLine(null, 3)).toBeNull();
    expect(holdLine(120, null)).toBeNull();
  });
});
