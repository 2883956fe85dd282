import { describe, expect, it } from 'vitest';
import { geometryFor, plotWidth, tickCount } from '@/components/charts/geometry';
import { chartModel, type ChartInput } from '@/components/charts/model';
import { leftOf, placed } from '@/components/charts/percent';
import { backoffTable, lanesTable, latencyTable, rampTable } from '@/components/charts/tables';
import { heightsFor } from '@/components/charts/use-heights';
import { storyBreaker, storySeries } from '@/components/design/breaker-story';

const NOW = 1_780_000_000_000;
const series = storySeries(NOW);
const body = storyBreaker(NOW);

function input(part: Partial<ChartInput> = {}): ChartInput {
  return {
    now: NOW,
    domain: { from: NOW - 900_000, to: NOW + 90_000 },
    resolutionMs: series.resolutionMs,
    points: series.points,
    probes: series.probes,
    probesLeftOut: 0,
    events: series.events,
    gaps: series.gaps,
    instances: body.instances,
    overrides: [],
    config: body.configs[0]?.config ?? null,
    latencyScale: 'log',
    ...part,
  };
}

describe('chart model', () => {
  const model = chartModel(input());

  it('draws every failure and keeps each mark inside the axis', () => {
    const failed = series.probes.filter((probe) => probe.outcome !== 'success').length;
    expect(model.marks.filter((mark) => mark.shape !== 'success')).toHaveLength(failed);
    const [bottom, top] = model.axis.bounds;
    expect(model.marks.every((mark) => mark.drawnMs > bottom * 1 && mark.drawnMs < top)).toBe(true);
  });
  it('has the hold line at a multiple of the baseline', () => {
    expect(model.baseline.p95Ms).toBe(120);
    expect(model.holdMs).toBe(360);
    expect(chartModel(input({ config: null })).holdMs).toBeNull();
    expect(chartModel(input({ config: { recovery: { latency: null } } })).holdMs).toBeNull();
  });
  it('breaks the ramp where nothing was reported', () => {
    const hole = model.ramp.filter((row) => row.allowedPercent === null);
    expect(hole.length).toBeGreaterThanOrEqual(2);
    const inside = series.gaps[0];
    const drawn = model.ramp.filter(
      (row) =>
        inside !== undefined &&
        row.allowedPercent !== null &&
        row.at > inside.from &&
        row.at < inside.to,
    );
    expect(drawn).toEqual([]);
  });
  it('knows no state after now and ends its bands there', () => {
    expect(model.bands.at(-1)?.to).toBe(NOW);
    expect(model.bands.at(-1)?.state).toBe('half_open');
  });
  it('narrows to one instance', () => {
    const one = chartModel(input({ instanceId: 'i1' }));
    expect(new Set(one.openings.map((opening) => opening.instanceId))).toEqual(new Set(['i1']));
    expect(one.openings.length * 3).toBe(model.openings.length);
    expect(one.probes.every((probe) => probe.instanceId === 'i1')).toBe(true);
  });
  it('is empty without data, and says unknown instead of closed', () => {
    const none = chartModel(
      input({ points: [], probes: [], events: [], gaps: [], instances: [], config: null }),
    );
    expect([none.ramp, none.marks, none.quantiles, none.openings]).toEqual([[], [], [], []]);
    expect(none.bands.map((band) => band.state)).toEqual(['unknown']);
  });
  it('has the same facts as tables, newest first', () => {
    expect(rampTable(model).rows[0]?.[0]).toMatch(/Z$/);
    expect(rampTable(model).total).toBe(model.points.length);
    expect(latencyTable(model).total).toBe(model.probes.length);
    expect(backoffTable(model).rows[0]?.[2]).toBe('3');
  });
});

const cells = (csv: string) =>
  csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

describe('the numbers of a chart as a file', () => {
  const model = chartModel(input());
  it('has every row, oldest first, with the unit in the name of the column', () => {
    const [names, first, ...rest] = cells(latencyTable(model).csv());
    expect(names).toEqual(['time', 'outcome', 'latency_ms', 'step', 'instance']);
    expect(first?.[0]).toBe(new Date(model.probes[0]?.at ?? 0).toISOString());
    expect(rest).toHaveLength(model.probes.length - 1);
    expect(Number(first?.[2])).toBeCloseTo(model.probes[0]?.latencyMs ?? -1, 6);
  });
  it('[U-08] is in UTC, whatever zone the page shows', () => {
    const [kathmandu, utc] = [rampTable(model, 'Asia/Kathmandu'), rampTable(model)];
    expect(kathmandu.csv()).toBe(utc.csv());
    expect(kathmandu.rows[0]?.[0]).toMatch(/\+05:45$/);
    expect(kathmandu.text().split('\n')[0]).toBe(kathmandu.columns.join('\t'));
  });
  it('[S-43] disarms what a spreadsheet would run', () => {
    const instances = body.instances.map((one) => ({ ...one, instance: '=cmd|x' }));
    const events = series.events.map((one) => ({ ...one, instance: '=cmd|x' }));
    const evil = lanesTable(chartModel(input({ instances, events })));
    expect(cells(evil.csv())[1]?.[1]).toBe("'=cmd|x");
  });
  it('tells of each stay of each instance, and leaves unknown what is not known', () => {
    const table = lanesTable(model);
    const stays = model.lanes.flatMap((lane) => lane.bands);
    expect(table.total).toBe(stays.length);
    expect(cells(backoffTable(model).csv())[0]).toContain('open_timeout_ms');
  });
});

const sum = (height: number) => {
  const { ramp, latency, backoff } = heightsFor(height);
  return ramp + latency + backoff;
};

describe('geometry', () => {
  it('gives labels room and phones narrower gutters', () => {
    expect(plotWidth(geometryFor(1_000))).toBe(902);
    expect(geometryFor(360).left).toBeLessThan(geometryFor(1_000).left);
    expect(tickCount(geometryFor(328))).toBe(2);
    expect(plotWidth(geometryFor(0))).toBe(0);
  });
  it('fits three charts on a small laptop and grows with the window', () => {
    expect(sum(768)).toBeLessThanOrEqual(337);
    expect(sum(900)).toBeGreaterThan(sum(768));
    expect(sum(3_000)).toBeLessThanOrEqual(561);
  });
  it('places spans in percent and drops those out of view', () => {
    const domain = { from: 0, to: 200 };
    expect(placed(domain, { from: -50, to: 50 })).toEqual({
      left: '0.000%',
      width: '25.000%',
      share: 0.25,
    });
    expect(placed(domain, { from: 300, to: 400 })).toBeNull();
    expect(leftOf(domain, 50)).toBe('25.000%');
  });
});
