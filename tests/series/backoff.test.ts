import { describe, expect, it } from 'vitest';
import { backoffCurve, backoffRule, jitterBand, openTimeoutAt } from '@/lib/series/backoff';
import { currentOpening, openings } from '@/lib/series/openings';
import { ghosts } from '@/lib/series/ghosts';
import { change, story } from './make';

const rule = backoffRule({
  open: { kind: 'exponential', baseMs: 10_000, multiplier: 2, maxMs: 60_000, jitter: 0.2 },
});

describe('backoff', () => {
  it('follows min(max, base · mult^level)', () => {
    if (rule === null) throw new Error('no rule');
    expect([0, 1, 2, 3, 30].map((level) => openTimeoutAt(rule, level))).toEqual([
      10_000, 20_000, 40_000, 60_000, 60_000,
    ]);
  });
  it('keeps the jitter band inside floor and cap', () => {
    if (rule === null) throw new Error('no rule');
    expect(jitterBand(rule, 0)).toEqual([8_000, 12_000]);
    expect(jitterBand(rule, 3)).toEqual([48_000, 60_000]);
  });
  it('draws the curve up to the cap', () => {
    if (rule === null) throw new Error('no rule');
    const curve = backoffCurve(rule, 1);
    expect(curve.map((one) => [one.level, one.timeoutMs, one.capped])).toEqual([
      [1, 20_000, false],
      [2, 40_000, false],
      [3, 60_000, true],
    ]);
  });
  it('knows a fixed timeout, which has no cap and no growth', () => {
    const fixed = backoffRule({ open: { kind: 'fixed', baseMs: 5_000 } });
    if (fixed === null) throw new Error('no rule');
    expect(openTimeoutAt(fixed, 9)).toBe(5_000);
    expect(jitterBand(fixed, 0)).toEqual([4_000, 6_000]);
    expect(backoffCurve(fixed)).toHaveLength(1);
  });
  it('is null without configuration and has the defaults of the specification', () => {
    expect(backoffRule({})).toBeNull();
    expect(backoffRule({ open: {} })).toMatchObject({
      baseMs: 10_000,
      multiplier: 2,
      maxMs: 60_000,
      jitter: 0.2,
      minMs: 1_000,
    });
  });
});

describe('openings', () => {
  it('draws each from openedAt to openedAt + timeout, with level and real end', () => {
    expect(
      openings(story()).map((one) => [one.openedAt, one.retryAt, one.endedAt, one.level]),
    ).toEqual([
      [0, 10_000, 10_000, 0],
      [22_000, 42_000, 42_000, 1],
    ]);
  });
  it('prefers the wait that was left and keeps instances apart', () => {
    const list = openings([
      change(0, 'closed', 'open', { openTimeoutMs: 10_000, retryInMs: 4_000 }, 'a'),
      change(1_000, 'closed', 'open', { openTimeoutMs: 8_000 }, 'b'),
      change(4_000, 'open', 'half_open', {}, 'a'),
    ]);
    expect(list.map((one) => [one.instanceId, one.retryAt, one.endedAt])).toEqual([
      ['a', 4_000, 4_000],
      ['b', 9_000, null],
    ]);
    expect(currentOpening(list, 5_000)?.instanceId).toBe('b');
    expect(currentOpening(list, 500)).toBeNull();
  });
  it('marks a relapse and leaves out what has no known duration', () => {
    const list = openings([
      change(0, 'closed', 'open', { openTimeoutMs: 20_000, level: 1 }),
      change(9_000, 'open', 'closed'),
      change(9_500, 'closed', 'open', {}),
    ]);
    expect(list.map((one) => one.relapse)).toEqual([true]);
  });
  it('keeps those that touch the domain', () => {
    expect(openings(story(), { from: 15_000, to: 30_000 })).toHaveLength(1);
    expect(openings(story(), { from: 5_000, to: 30_000 })).toHaveLength(2);
  });
});

describe('the waits ahead', () => {
  const view = { from: 0, to: 150_000 };

  it('follow one another from retryAt, growing to the cap', () => {
    const [latest] = openings([change(0, 'closed', 'open', { openTimeoutMs: 10_000, level: 0 })]);
    const list = ghosts(rule, latest ?? null, view);
    expect(list.map((one) => [one.from, one.to, one.level])).toEqual([
      [10_000, 30_000, 1],
      [30_000, 70_000, 2],
      [70_000, 130_000, 3],
      [130_000, 190_000, 4],
    ]);
  });
  it('are not there once it is no longer open, or without a rule', () => {
    const done = openings(story())[1] ?? null;
    expect(ghosts(rule, done, view)).toEqual([]);
    expect(ghosts(null, openings(story())[0] ?? null, view)).toEqual([]);
    expect(ghosts(rule, null, view)).toEqual([]);
  });
});
