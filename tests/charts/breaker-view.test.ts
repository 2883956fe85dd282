import { afterEach, describe, expect, it, vi } from 'vitest';
import { chartDomain, fetchRange } from '@/components/breaker/chart-domain';
import { DetailStore } from '@/components/breaker/detail-store';
import { foldDetail, NO_DETAIL } from '@/components/breaker/live-detail';
import { runbookFacts } from '@/components/breaker/runbook-facts';
import { changeQuery, readView } from '@/components/breaker/use-range';
import { storyBreaker, storySeries } from '@/components/design/breaker-story';

const NOW = 1_780_000_000_000;

describe('the view in the address', () => {
  it('reads span, fixed range and instance', () => {
    expect(readView(new URLSearchParams('range=5m&instance=i1'))).toEqual({
      span: '5m',
      past: null,
      instance: 'i1',
    });
    expect(readView(new URLSearchParams('from=1000&to=2000')).past).toEqual({
      from: 1_000,
      to: 2_000,
    });
  });
  it('takes nonsense for the last 15 minutes, live', () => {
    const wrong = ['', 'range=9y', 'from=5&to=1', 'from=a&to=b', 'from=1'];
    for (const query of wrong) {
      expect(readView(new URLSearchParams(query))).toEqual({
        span: '15m',
        past: null,
        instance: null,
      });
    }
  });
  it('changes only what was asked for', () => {
    expect(changeQuery('range=5m&x=1', { past: { from: 1.4, to: 9 } })).toBe(
      'range=5m&x=1&from=1&to=9',
    );
    expect(changeQuery('range=5m&from=1&to=9', { past: null, instance: 'a b' })).toBe(
      'range=5m&instance=a+b',
    );
  });
});

describe('domains', () => {
  const live = { span: '5m', past: null, instance: null } as const;
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
    expect(facts.after?.calls).toBeGreaterThanOrEqual(100);
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
