import { describe, expect, it } from 'vitest';
import type { CurrentAttempt } from '@/lib/series/diagnose';
import { shownAttempt } from '@/lib/series/diagnose';
import { baselineAt, latencyRule, latencyVerdict } from '@/lib/series/verdict';
import { change, event, probe } from './make';

const baseline = { p50Ms: 40, p90Ms: 100, p95Ms: 120, p99Ms: 200 };
const rule = { holdMultiple: 3, releaseMultiple: 2, floorMs: 20 };
const entered = change(1_000, 'open', 'half_open', { cause: 'retry_due' });

function shown(events = [entered]): CurrentAttempt {
  const found = shownAttempt(events);
  if (found === null) throw new Error('no attempt');
  return found;
}

const answers = (count: number, latencyMs: number, from = 1_100) =>
  Array.from({ length: count }, (_, index) => probe(from + index, 'success', latencyMs));

const verdict = (probes = answers(0, 0), events = [entered], of = rule as typeof rule | null) =>
  latencyVerdict({ events, probes, baseline, rule: of }, shown(events));

describe('what a latency verdict rests on', () => {
  it('is undecided below five answers, and says how many there are', () => {
    expect(verdict(answers(4, 9_000))).toMatchObject({
      kind: 'undecided',
      quantile: null,
      samples: 4,
      valueMs: null,
    });
    expect(verdict(answers(5, 50)).kind).not.toBe('undecided');
  });
  it.each([
    [5, 0.5, 40],
    [20, 0.9, 100],
    [59, 0.95, 120],
    [300, 0.99, 200],
  ])(
    'with %d answers it is P%d against the same quantile of the baseline',
    (count, quantile, base) => {
      expect(verdict(answers(count, base * 3))).toMatchObject({
        kind: 'within',
        quantile,
        samples: count,
        baselineMs: base,
        limitMs: base * 3,
      });
      expect(verdict(answers(count, base * 3 + 1)).kind).toBe('above');
    },
  );
  it('counts answers of this step and this instance alone', () => {
    const stepped = event(5_000, 'step', { step: 1, successes: 5, failures: 0, tookMs: 4_000 });
    const others = [
      ...answers(9, 50),
      ...answers(9, 50, 5_100).map((one) => ({ ...one, instanceId: 'b' })),
      probe(5_200, 'timeout', 2_000),
      probe(5_201, 'client_error', 3),
    ];
    expect(verdict([...others, ...answers(3, 50, 5_300)], [entered, stepped])).toMatchObject({
      kind: 'undecided',
      samples: 3,
    });
  });
  it('takes the word of the instance over its own count', () => {
    const data = { cause: 'latency', quantile: 0.9, samples: 34, valueMs: 410, baselineMs: 120 };
    const hold = event(2_000, 'hold', data);
    expect(verdict(answers(60, 10), [entered, hold])).toMatchObject({
      kind: 'held',
      quantile: 0.9,
      samples: 34,
      valueMs: 410,
      baselineMs: 120,
      limitMs: 360,
      since: 2_000,
    });
    const release = event(3_000, 'release', { ...data, valueMs: 180 });
    expect(verdict([], [entered, hold, release])).toMatchObject({ kind: 'released', valueMs: 180 });
    const bare = event(3_000, 'release', { cause: 'self' });
    expect(verdict(answers(5, 10), [entered, hold, bare]).kind).toBe('within');
  });
  it('says when nothing is judged, and when there is nothing to compare with', () => {
    expect(verdict(answers(60, 10), [entered], null).kind).toBe('off');
    const none = { p50Ms: null, p90Ms: null, p95Ms: null, p99Ms: null };
    const source = { events: [entered], probes: answers(6, 10), baseline: none, rule };
    expect(latencyVerdict(source, shown())).toMatchObject({ kind: 'no_baseline', valueMs: 10 });
    expect(baselineAt(none, 0.5)).toBeNull();
    expect(baselineAt(baseline, 0.75)).toBeNull();
  });
  it('reads the rule with the defaults of the specification', () => {
    expect(latencyRule({ recovery: { latency: {} } })).toEqual(rule);
    expect(latencyRule({ recovery: { latency: null } })).toBeNull();
    expect(latencyRule(null)).toBeNull();
  });
});
