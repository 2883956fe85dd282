import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chartDomain, fetchRange, reachesNow, viewLimits } from '@/components/breaker/chart-domain';
import { DetailStore } from '@/components/breaker/detail-store';
import { foldDetail, NO_DETAIL } from '@/components/breaker/live-detail';
import { runbookFacts } from '@/components/breaker/runbook-facts';
import { CHART_IDS } from '@/components/charts/stack-context';
import { readRange } from '@/components/breaker/range-popover';
import { changeQuery, readView } from '@/components/breaker/use-range';
import { storyBreaker, storySeries } from '@/components/design/breaker-story';

const NOW = 1_780_000_000_000;

const read = (query: string) => readView(new URLSearchParams(query));
const nothing = {
  span: '15m',
  past: null,
  instance: null,
  at: null,
  scale: 'log',
  tables: [],
};

describe('[U-35] the view in the address', () => {
  it('reads span, fixed range, instance, cursor, scale and tables', () => {
    expect(read('range=5m&instance=i1&at=1500.4&scale=linear&tables=ramp,instances,x')).toEqual({
      span: '5m',
      past: null,
      instance: 'i1',
      at: 1_500.4,
      scale: 'linear',
      tables: ['ramp', 'instances'],
    });
    expect(read('from=1000&to=2000').past).toEqual({ from: 1_000, to: 2_000 });
  });
  it('takes nonsense for the last 15 minutes, live', () => {
    const wrong = ['', 'range=9y', 'from=5&to=1', 'from=a&to=b', 'from=1', 'at=', 'at=-4'];
    for (const query of wrong) expect(read(query)).toEqual(nothing);
  });
  it('changes only what was asked for', () => {
    expect(changeQuery('range=5m&x=1', { past: { from: 1.4, to: 9 } })).toBe(
      'range=5m&x=1&from=1&to=9',
    );
    expect(changeQuery('range=5m&from=1&to=9', { past: null, instance: 'a b' })).toBe(
      'range=5m&instance=a+b',
    );
    expect(changeQuery('at=4&tables=ramp&scale=linear', { at: null, tables: [] })).toBe(
      'scale=linear',
    );
    expect(changeQuery('scale=linear&x=1', { scale: 'log' })).toBe('x=1');
  });
  it('comes back the same, whatever was looked at', () => {
    const instant = fc.integer({ min: 0, max: NOW });
    const views = fc.record({
      range: fc.constantFrom('5m', '15m', '1h', '6h', '24h'),
      past: fc.option(
        fc.tuple(instant, instant).map(([from, to]) => ({ from, to: from + to + 1 })),
      ),
      instance: fc.option(fc.string({ minLength: 1 })),
      at: fc.option(instant),
      scale: fc.constantFrom('log', 'linear'),
      tables: fc.subarray([...CHART_IDS]),
    } as const);
    fc.assert(
      fc.property(views, ({ range, ...view }) => {
        const query = changeQuery('from=7&to=9&at=3&tables=ramp', { range, ...view });
        expect(read(query)).toEqual({ span: range, ...view });
      }),
      { numRuns: 100 },
    );
  });
  it('names a range by its two ends, or says what is wrong with them', () => {
    expect(readRange('2026-03-02T14:00', '2026-03-02T14:30:05')).toEqual({
      from: Date.UTC(2026, 2, 2, 14),
      to: Date.UTC(2026, 2, 2, 14, 30, 5),
    });
    expect(readRange('', '2026-03-02T14:30')).toMatch(/beginning is not a date/);
    expect(readRange('2026-03-02T14:30', 'soon')).toMatch(/end is not a date/);
    expect(readRange('2026-03-02T14:30', '2026-03-02T14:30')).toMatch(/after the beginning/);
    expect(readRange('2026-03-02T14:30:00', '2026-03-02T14:30:09')).toMatch(/at least 10 s/);
  });
});

describe('domains', () => {
  const live = readView(new URLSearchParams('range=5m'));
  it('leaves room after now for what comes', () => {
    expect(chartDomain(live, NOW)).toEqual({ from: NOW - 300_000, to: NOW + 30_000 });
    const past = { from: 1, to: 2 };
    expect(chartDomain({ ...live, past }, NOW)).toBe(past);
    expect(fetchRange({ ...live, past }, NOW)).toBe(past);
  });
  it('asks the same question for a whole minute', () => {
    const minute = Math.floor(NOW / 60_000) * 60_000;
    const [first, last] = [fetchRange(live, minute), fetchRange(live, minute + 59_999)];
    expect(first).toEqual(last);
    expect(first.from).toBeLessThanOrEqual(chartDomain(live, minute).from);
    expect(last.to).toBeGreaterThan(minute + 59_999);
  });
});

describe('ranges that are long, over or still running', () => {
  const day = readView(new URLSearchParams('range=24h'));
  it('asks for a long range every few minutes only', () => {
    const start = Math.floor(NOW / 300_000) * 300_000;
    expect(fetchRange(day, start)).toEqual(fetchRange(day, start + 299_999));
    expect(fetchRange(day, start + 300_000)).not.toEqual(fetchRange(day, start));
    expect(fetchRange(day, start).to).toBeGreaterThan(start + 299_999);
    expect(chartDomain(day, NOW).to).toBeLessThanOrEqual(NOW + 361_000);
  });
  it('goes on with a fixed range that is not over yet', () => {
    const view = { ...day, past: { from: NOW - 60_000, to: NOW + 60_000 } };
    expect(reachesNow(view, NOW)).toBe(true);
    expect(fetchRange(view, NOW)).toMatchObject({ from: NOW - 60_000 });
    expect(fetchRange(view, NOW).to).toBeGreaterThan(NOW);
    expect(reachesNow(view, NOW + 60_000)).toBe(false);
    expect(fetchRange(view, NOW + 60_000)).toBe(view.past);
  });
  it('lets nobody move beyond what can be known', () => {
    const { from, to } = viewLimits(chartDomain(day, NOW), NOW);
    expect(to).toBe(chartDomain(day, NOW).to);
    expect(NOW - from).toBeGreaterThan(365 * 86_400_000);
  });
});

describe('live detail', () => {
  const series = storySeries(NOW);
  const patch = { points: series.points.slice(-3), probes: series.probes.slice(-3) };

  it('may be told the same twice', () => {
    const once = foldDetail(NO_DETAIL, { type: 'patch', patch });
    expect(foldDetail(once, { type: 'patch', patch })).toEqual(once);
    expect(foldDetail(once, { type: 'resync' })).toBe(NO_DETAIL);
  });
  it('forgets what the fetched half repeats anyway', () => {
    const all = foldDetail(NO_DETAIL, {
      type: 'patch',
      patch: { points: series.points, probes: series.probes, events: series.events },
    });
    expect(all.points.length).toBeLessThan(series.points.length);
    expect(all.points.at(-1)).toEqual(series.points.at(-1));
  });
});

describe('runbook', () => {
  const body = storyBreaker(NOW);
  const series = storySeries(NOW);
  const facts = runbookFacts({
    ...series,
    domain: { from: NOW - 900_000, to: NOW + 60_000 },
    instances: body.instances,
    overrides: [],
    config: body.configs[0]?.config ?? null,
    latencyScale: 'log',
  });

  it('answers the four questions from one input', () => {
    expect(facts.opening?.cause).toBe('fallback');
    expect(facts.impact.probes.total).toBe(series.probes.length);
    expect(facts.impact.refused).toBeGreaterThan(0);
    expect(facts.latency.quantile).toBe(0.95);
    expect(facts.tail?.kind).toBe('p99');
    expect(facts.check).toMatchObject({ step: 1, steps: 4, outcome: 'running' });
  });
  it('shows the running attempt that is least far', () => {
    expect(facts.steps?.map((row) => row.status)).toEqual(['done', 'now', 'ahead', 'ahead']);
    expect(facts.shown?.attempt.outcome).toBe('running');
  });
  it('counts attempts over all instances', () => {
    expect(facts.recovery).toMatchObject({ attempts: 18, recovered: 3, fellBack: 12 });
    expect(facts.after).toHaveLength(1);
    expect(facts.after[0]).toMatchObject({ settled: true, baselineP95Ms: 120 });
    expect(facts.after[0]?.instances).toHaveLength(3);
    expect(facts.after[0]?.calls).toBeGreaterThanOrEqual(100);
  });
});

describe('detail store', () => {
  afterEach(() => vi.useRealTimers());

  it('shows figures once a second and an event at once', () => {
    vi.useFakeTimers();
    const series = storySeries(NOW);
    const store = new DetailStore();
    let told = 0;
    const leave = store.subscribe(() => {
      told += 1;
    });
    for (const point of series.points.slice(-10)) store.add({ points: [point] });
    expect(told).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect([told, store.shown().points.length]).toEqual([1, 10]);
    store.add({ events: series.events.slice(-1) });
    expect(told).toBe(2);
    store.resync();
    expect([told, store.shown()]).toEqual([3, NO_DETAIL]);
    leave();
  });
});
