import { describe, expect, it } from 'vitest';
import { afterClose, closes, recoveryFigures } from '@/lib/series/recovery';
import { attempts, rampRule, stepTable, timeToFull } from '@/lib/series/steps';
import {
  gapMarks,
  holdMarks,
  overrideMarks,
  relapseMarks,
  together,
  transitionMarks,
} from '@/lib/series/marks';
import { change, event, point, probe, story } from './make';

const gap = (from: number, to: number, instanceId: string, reason: string) => ({
  from,
  to,
  instanceId,
  reason,
  events: 2,
});

const rule = rampRule({
  recovery: {
    admission: { kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] },
    minimumSuccesses: [5, 10, 20],
    stepMs: 5_000,
  },
});

describe('steps', () => {
  it('reads the ramp and repeats the last value of a short list', () => {
    expect(rule).toEqual({
      shares: [0.1, 0.3, 0.6, 1],
      minimums: [5, 10, 20, 20],
      stepMs: [5_000, 5_000, 5_000, 5_000],
    });
    expect(rampRule({ recovery: { admission: { kind: 'percent', share: 0.25 } } })?.shares).toEqual(
      [0.25],
    );
    expect(rampRule({})).toBeNull();
  });
  it('tells attempts apart', () => {
    expect(
      attempts(story()).map((one) => [one.startedAt, one.endedAt, one.step, one.outcome]),
    ).toEqual([
      [10_000, 22_000, 2, 'fell_back'],
      [42_000, 62_000, 3, 'recovered'],
    ]);
  });
  it('lists done, current and coming steps', () => {
    if (rule === null) throw new Error('no rule');
    const [, second] = attempts(story().slice(0, 8));
    const rows = stepTable(rule, second ?? null, 50_000, { successes: 4, failures: 1 });
    expect(rows.map((row) => [row.status, row.successes, row.minimum, row.tookMs])).toEqual([
      ['done', 5, 5, 5_000],
      ['done', 10, 10, 5_000],
      ['now', 4, 20, -2_000],
      ['ahead', null, 20, null],
    ]);
  });
  it('shows where an attempt fell back', () => {
    if (rule === null) throw new Error('no rule');
    const rows = stepTable(rule, attempts(story())[0] ?? null, 99_000, null);
    expect(rows.map((row) => [row.status, row.failures, row.tookMs])).toEqual([
      ['done', 0, 5_000],
      ['done', 1, 5_000],
      ['failed', 3, 2_000],
      ['ahead', null, null],
    ]);
    expect(stepTable(rule, null, 0, null).every((row) => row.status === 'ahead')).toBe(true);
  });
  it('goes one step back on a soft fallback', () => {
    const [run] = attempts([
      change(0, 'open', 'half_open'),
      event(5_000, 'step', { step: 1, successes: 5, failures: 0, tookMs: 5_000 }),
      event(7_000, 'step', { step: 0, successes: 2, failures: 2, tookMs: 2_000 }),
    ]);
    expect(run).toMatchObject({ step: 0, done: [], outcome: 'running', stepStartedAt: 7_000 });
  });
  it('adds up the time to full traffic', () => {
    if (rule === null) throw new Error('no rule');
    const [, run] = attempts(story().slice(0, 7));
    if (!run) throw new Error('no attempt');
    expect(timeToFull(rule, run, 49_000)).toBe(3_000 + 5_000 + 5_000);
    expect(timeToFull(rule, run, 90_000)).toBe(10_000);
  });
});

describe('recovery figures', () => {
  it('counts attempts, fallbacks, probes and time', () => {
    const probes = [probe(11_000), probe(43_000), probe(44_000), probe(61_000), probe(70_000)];
    expect(recoveryFigures(story(), probes)).toEqual({
      attempts: 2,
      recovered: 1,
      fellBack: 1,
      fellBackShare: 0.5,
      probesPerRecovery: 3,
      timeToCloseMs: 20_000,
    });
    expect(recoveryFigures(story(), probes, 'b').attempts).toBe(0);
    expect(recoveryFigures([], []).fellBackShare).toBeNull();
  });
  it('looks at the first hundred calls after a close', () => {
    const [close] = closes(story());
    if (close === undefined) throw new Error('no close');
    expect(close).toEqual({ at: 62_000, instances: ['inst-a'] });
    const points = [62, 63, 64, 65].map((second) =>
      point(second * 1_000, { successes: 36, failures: 4, p95Ms: second === 63 ? 200 : 90 }),
    );
    expect(afterClose(points, close, { from: 0, to: 66_000 })).toEqual({
      closedAt: 62_000,
      instances: ['inst-a'],
      calls: 120,
      failureShare: 0.1,
      p95Ms: 200,
      baselineP95Ms: 80,
      settled: true,
    });
    expect(afterClose([], close, { from: 0, to: 66_000 })).toMatchObject({
      calls: 0,
      failureShare: null,
      settled: false,
    });
  });
});

const closing = (at: number, id: string) => [
  change(at - 5_000, 'open', 'half_open', { cause: 'retry_due' }, id),
  change(at, 'half_open', 'closed', { cause: 'advance' }, id),
];

describe('every close', () => {
  it('takes the copies that close together as one recovery, newest first', () => {
    const events = [...closing(20_000, 'a'), ...closing(30_000, 'b'), ...closing(90_000, 'a')];
    expect(closes(events)).toEqual([
      { at: 90_000, instances: ['inst-a'] },
      { at: 20_000, instances: ['inst-a', 'inst-b'] },
    ]);
    expect(closes(events, 'b').map(({ at }) => at)).toEqual([30_000]);
  });
});

describe('marks', () => {
  it('spans overrides to their end, their planned end or now', () => {
    const one = {
      id: 'o',
      kind: 'force_open',
      actor: 'ana',
      reason: 'x',
      createdAt: 10,
      endsAt: 100,
      endedAt: null,
    };
    expect(overrideMarks([one], 50)[0]).toMatchObject({ from: 10, to: 50, open: true });
    expect(overrideMarks([one], 500)[0]).toMatchObject({ to: 100, open: false });
    expect(overrideMarks([{ ...one, endedAt: 40 }], 500)[0]).toMatchObject({ to: 40, open: false });
  });
  it('ends a hold with its release, a step or a transition', () => {
    const events = [
      event(10, 'hold', {
        cause: 'latency',
        quantile: 0.9,
        valueMs: 410,
        baselineMs: 120,
        samples: 34,
      }),
      event(12, 'hold', {}),
      event(20, 'release'),
      event(30, 'hold'),
      change(35, 'half_open', 'open'),
      event(50, 'hold'),
    ];
    expect(holdMarks(events, 60).map((mark) => [mark.from, mark.to, mark.open])).toEqual([
      [10, 20, false],
      [30, 35, false],
      [50, 60, true],
    ]);
    expect(holdMarks(events, 60)[0]).toMatchObject({
      quantile: 0.9,
      valueMs: 410,
      baselineMs: 120,
      samples: 34,
    });
  });
  it('finds relapses and edges', () => {
    const events = [change(0, 'closed', 'open', { openTimeoutMs: 20, level: 1 })];
    expect(relapseMarks(events)).toEqual([{ at: 0, instance: 'inst-a', level: 1 }]);
    expect(transitionMarks(story(), { from: 10_000, to: 42_000 }).map((mark) => mark.at)).toEqual([
      10_000, 22_000,
    ]);
  });
  it('groups relapses of copies that trip together', () => {
    const marks = [30, 0, 1].map((at) => ({ at, instance: `i${at}`, level: at === 1 ? 2 : 1 }));
    expect(together(marks, 5)).toEqual([
      { at: 0, level: 2, instances: ['i0', 'i1'] },
      { at: 30, level: 1, instances: ['i30'] },
    ]);
  });
  it('joins gaps that overlap and keeps their reasons', () => {
    const gaps = [
      gap(50, 60, 'a', 'restart'),
      gap(0, 10, 'a', 'offline'),
      gap(5, 20, 'b', 'dropped'),
    ];
    expect(gapMarks(gaps)).toEqual([
      { from: 0, to: 20, events: 4, instances: 2, reasons: ['offline', 'dropped'] },
      { from: 50, to: 60, events: 2, instances: 1, reasons: ['restart'] },
    ]);
    expect(gapMarks(gaps, 'b')).toHaveLength(1);
  });
});
