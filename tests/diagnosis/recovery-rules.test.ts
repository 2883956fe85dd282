import { describe, expect, it } from 'vitest';
import {
  figure,
  findingOf,
  history,
  HOUR,
  instance,
  kindsOf,
  MINUTE,
  NOW,
  SECOND,
  Story,
  suggested,
  withConfig,
} from './support';

/** Recovers and trips again `times` times, closed for `heldMs` in between. */
function undone(times: number, heldMs: number): Story {
  const story = new Story('a', NOW - 30 * MINUTE).trip();
  for (let round = 0; round < times; round++) {
    story.pass(10_000).climb(3).pass(5_000).go('half_open', 'closed', { cause: 'advance' });
    story.pass(heldMs).trip();
  }
  return story;
}

const stay = (over = {}) => instance('a', { state: 'half_open', step: 0, ...over });

const since = (ms: number) => new Story('a', NOW - ms).go('open', 'half_open');

describe('flapping', () => {
  it('fires when recoveries are undone again and again, with figures and values to set', () => {
    const finding = findingOf(history(undone(4, 8_000)), 'flapping');
    expect(finding.summary).toContain('4 times');
    expect(figure(finding, 'undone')).toBe(4);
    expect(figure(finding, 'median')).toBe(8_000);
    expect(suggested(finding, 'recovery.minimumSuccesses')).toBe('[10, 20, 40, 40]');
    expect(suggested(finding, 'open.baseMs')).toBe('20000');
    expect(finding.instanceIds).toEqual(['a']);
    expect(finding.eventIds).toHaveLength(4);
    expect(finding.current).toBe(true);
  });

  it('stays silent for two relapses, and for trips long after the recovery', () => {
    expect(kindsOf(history(undone(2, 8_000)))).not.toContain('flapping');
    expect(kindsOf(history(undone(6, 5 * MINUTE)))).not.toContain('flapping');
  });

  it('stays silent when the relapses are hours apart', () => {
    const story = new Story('a', NOW - 20 * HOUR).trip();
    for (let day = 0; day < 4; day++) {
      story.pass(10_000).climb(0).pass(9_000).go('half_open', 'closed').pass(5_000).trip();
      story.pass(4 * HOUR);
    }
    expect(kindsOf(history(story))).not.toContain('flapping');
  });

  it('asks for a ramp where everything is let in at once', () => {
    const recovery = { admission: { kind: 'fixed', calls: 1, periodMs: 1 } };
    const open = { kind: 'fixed', baseMs: 5_000 };
    const finding = findingOf(withConfig({ recovery, open }, undone(3, 2_000)), 'flapping');
    expect(suggested(finding, 'recovery.admission')).toContain('steps: [0.1, 0.3, 0.6, 1]');
    expect(suggested(finding, 'open')).toContain("kind: 'exponential'");
  });

  it('says when it was of an earlier time', () => {
    const story = undone(4, 8_000);
    const past = { ...history(story), now: NOW + 5 * HOUR };
    expect(findingOf(past, 'flapping').current).toBe(false);
  });
});

describe('stuck half-open', () => {
  it('fires when probes come and give no verdict', () => {
    const story = since(5 * MINUTE);
    for (let probe = 0; probe < 12; probe++) story.pass(SECOND).probe(0, 5, 'cancelled');
    const finding = findingOf(history({ ...story.told, instances: [stay()] }), 'stuck_half_open');
    expect(finding.summary).toContain('12 of 12 probes ended without a verdict');
    expect(figure(finding, 'with a verdict')).toBe(0);
  });

  it('fires when permits never come back', () => {
    const instances = [stay({ inFlight: 2 })];
    const finding = findingOf(history({ ...since(5 * MINUTE).told, instances }), 'stuck_half_open');
    expect(finding.summary).toContain('2 calls under way and none settled');
    expect(suggested(finding, 'callTimeoutMs')).toBe('5000');
  });

  it('fires when traffic is too thin for the step, and says what it reaches', () => {
    const story = since(4 * MINUTE);
    for (let probe = 0; probe < 4; probe++) story.pass(30 * SECOND).probe(0, 12);
    const finding = findingOf(history({ ...story.told, instances: [stay()] }), 'stuck_half_open');
    expect(suggested(finding, 'recovery.minimumSuccesses')).toBe('[2, 10, 20, 20]');
  });

  it('fires for attempts that ran out of time', () => {
    const story = since(2 * HOUR)
      .pass(10 * MINUTE)
      .go('half_open', 'open', {
        cause: 'half_open_limit',
      });
    const finding = findingOf(history(story), 'stuck_half_open');
    expect(figure(finding, 'ran out of time')).toBe(1);
  });

  it('stays silent while a step takes its time, and while it holds', () => {
    const young = since(20 * SECOND)
      .pass(SECOND)
      .probe(0, 5, 'cancelled');
    expect(kindsOf(history({ ...young.told, instances: [stay()] }))).toEqual([]);
    const held = since(5 * MINUTE)
      .pass(SECOND)
      .probe(0, 5);
    const instances = [stay({ hold: true })];
    expect(kindsOf(history({ ...held.told, instances }))).not.toContain('stuck_half_open');
  });
});

describe('open with nobody calling', () => {
  it('fires for an open breaker whose wait is over', () => {
    const waits = instance('a', { state: 'open', retryAt: NOW - 2 * MINUTE });
    const finding = findingOf(history({ instances: [waits] }), 'nobody_calling');
    expect(figure(finding, 'Eligible since')).toBe(NOW - 2 * MINUTE);
    expect(finding.severity).toBe('note');
  });

  it('fires for a half-open one that nobody has tried', () => {
    const story = new Story('a', NOW - 3 * MINUTE).go('open', 'half_open');
    const idle = instance('a', { state: 'half_open', step: 0 });
    expect(kindsOf(history({ ...story.told, instances: [idle] }))).toEqual(['nobody_calling']);
  });

  it('stays silent while the wait runs, after the first probe, and for who is not heard', () => {
    const runs = instance('a', { state: 'open', retryAt: NOW + 5_000 });
    expect(kindsOf(history({ instances: [runs] }))).toEqual([]);
    const story = new Story('a', NOW - 3 * MINUTE).go('open', 'half_open').pass(9_000).probe(0, 5);
    const tried = instance('a', { state: 'half_open', step: 0 });
    expect(kindsOf(history({ ...story.told, instances: [tried] }))).not.toContain('nobody_calling');
    const gone = instance('a', { state: 'open', retryAt: NOW - HOUR, live: false });
    expect(kindsOf(history({ instances: [gone] }))).toEqual([]);
  });
});

/** Attempts that end at one step each; probes of each step take as long as `latencyMs` says. */
function attempts(ends: readonly number[], latencyMs = (_step: number): number => 20): Story {
  const story = new Story('a', NOW - 40 * MINUTE).trip();
  for (const last of ends) {
    story.pass(20_000).go('open', 'half_open');
    for (let step = 0; step <= last; step++) {
      for (let probe = 0; probe < 4; probe++) story.pass(SECOND).probe(step, latencyMs(step));
      if (step < last) story.event('step', { step: step + 1, share: 0.3 });
    }
    story.pass(SECOND).go('half_open', 'open', { cause: 'fallback' });
  }
  return story;
}

describe('step clears, next step fails', () => {
  it('fires when attempts end at the same share each time', () => {
    const finding = findingOf(history(attempts([2, 2, 2, 2])), 'next_step_fails');
    expect(finding.summary).toContain('30 % of the traffic goes well and 60 % fails, 4 of 4');
    expect(suggested(finding, 'recovery.admission.steps')).toBe('[0.1, 0.3, 0.45, 0.6, 1]');
  });

  it('stays silent when they end anywhere, or at the first step', () => {
    expect(kindsOf(history(attempts([1, 3, 2, 0, 1])))).not.toContain('next_step_fails');
    expect(kindsOf(history(attempts([0, 0, 0, 0])))).not.toContain('next_step_fails');
  });
});

describe('half-open too wide', () => {
  it('fires when latency rises with the step and costs recoveries', () => {
    const rising = attempts([2, 2], (step) => 20 * 4 ** step);
    const finding = findingOf(history(rising), 'half_open_too_wide');
    expect(finding.summary).toContain('320 ms at 60 %');
    expect(figure(finding, 'step 1')).toBe(20);
    expect(figure(finding, 'held or fell back')).toBe(2);
  });

  it('stays silent when latency stays, and when nothing came of the rise', () => {
    expect(kindsOf(history(attempts([2, 2])))).not.toContain('half_open_too_wide');
    const once = attempts([2, 0], (step) => 20 * 4 ** step);
    expect(kindsOf(history(once))).not.toContain('half_open_too_wide');
  });
});
