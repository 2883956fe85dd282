import { describe, expect, it } from 'vitest';
import {
  CONFIG,
  figure,
  findingOf,
  history,
  HOUR,
  instance,
  kindsOf,
  MINUTE,
  NOW,
  override,
  suggested,
  withConfig,
} from './support';

describe('probe timeout hides the hold', () => {
  const slow = [instance('a', { baseline: { p50: 90, p99: 400, samples: 5_000 } })];

  it('fires when a probe ends before it can be slow enough to hold', () => {
    const config = withConfig({ callTimeoutMs: 1_000 }, { instances: slow });
    const finding = findingOf(config, 'probe_timeout_hides_hold');
    expect(figure(finding, 'Deadline')).toBe(1_000);
    expect(figure(finding, 'ramp holds')).toBe(1_200);
    expect(suggested(finding, 'callTimeoutMs')).toBe('1400');
    expect(suggested(finding, 'recovery.latency.holdMultiple')).toBe('2.2');
  });

  it('stays silent with room, without a baseline, and where latency is not judged', () => {
    expect(kindsOf(withConfig({ callTimeoutMs: 1_500 }, { instances: slow }))).toEqual([]);
    const unknown = [instance('a', { baseline: null })];
    expect(kindsOf(withConfig({ callTimeoutMs: 100 }, { instances: unknown }))).toEqual([]);
    const recovery = { ...CONFIG.recovery, latency: null };
    expect(kindsOf(withConfig({ callTimeoutMs: 100, recovery }, { instances: slow }))).toEqual([]);
  });
});

describe('configuration drift', () => {
  const instances = ['a', 'b', 'c'].map((id) => instance(id));
  const other = { ...CONFIG, open: { ...CONFIG.open, baseMs: 30_000 } };
  const drifted = (odd: readonly string[]) => [
    { hash: 'h1', config: CONFIG, instanceIds: ['a', 'b', 'c'].filter((id) => !odd.includes(id)) },
    { hash: 'h2', config: other, instanceIds: odd },
  ];

  it('fires when live instances disagree, and names the option, both values and who', () => {
    const finding = findingOf(history({ instances, configs: drifted(['c']) }), 'config_drift');
    expect(finding.summary).toContain('1 of 3 live instances');
    expect(figure(finding, 'open.baseMs')).toBe('30000; most have 10000');
    expect(figure(finding, 'Differ')).toBe('pod-c');
    expect(suggested(finding, 'open.baseMs')).toBe('10000');
    expect(finding.instanceIds).toEqual(['c']);
  });

  it('stays silent when the one that differs is gone', () => {
    const gone = instances.map((one) => (one.instanceId === 'c' ? { ...one, live: false } : one));
    expect(kindsOf(history({ instances: gone, configs: drifted(['c']) }))).toEqual([]);
  });
});

describe('forgotten override', () => {
  it('fires for a lease that is renewed again and again', () => {
    const overrides = [override('o', { leaseRevision: 4 })];
    const finding = findingOf(history({ overrides }), 'forgotten_override');
    expect(figure(finding, 'Renewals')).toBe(4);
    expect(finding.summary).toContain('renewed 4 times');
  });

  it('fires for overrides that follow each other without a pause', () => {
    const overrides = [0, 1, 2, 3].map((ago) =>
      override(`o${ago}`, {
        createdAt: NOW - (ago + 1) * HOUR,
        endsAt: NOW - ago * HOUR,
        endedAt: ago === 0 ? null : NOW - ago * HOUR,
      }),
    );
    const finding = findingOf(history({ overrides }), 'forgotten_override');
    expect(figure(finding, 'Since')).toBe(NOW - 4 * HOUR);
  });

  it('fires when it is much older than such overrides are here', () => {
    const past = [2, 4, 6].map((day) =>
      override(`p${day}`, {
        createdAt: NOW - day * 24 * HOUR,
        endedAt: NOW - day * 24 * HOUR + 20 * MINUTE,
      }),
    );
    const overrides = [override('o', { createdAt: NOW - 3 * HOUR }), ...past];
    const finding = findingOf(history({ overrides }), 'forgotten_override');
    expect(figure(finding, 'Usual')).toBe(20 * MINUTE);
  });

  it('fires for what the service itself has forced for a day', () => {
    const instances = [instance('a', { state: 'disabled', since: NOW - 30 * HOUR })];
    expect(kindsOf(history({ instances }))).toEqual(['forgotten_override']);
  });

  it('stays silent for a fresh one, and for one that has ended', () => {
    expect(kindsOf(history({ overrides: [override('o')] }))).toEqual([]);
    const ended = [override('o', { leaseRevision: 9, endedAt: NOW - MINUTE })];
    expect(kindsOf(history({ overrides: ended }))).toEqual([]);
  });
});
