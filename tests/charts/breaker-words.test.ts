import { describe, expect, it } from 'vitest';
import { configDrift, configGroups } from '@/components/breaker/config-words';
import { verdictWords } from '@/components/breaker/verdict-line';
import { latencyWords, outcomeWord, tellEvent } from '@/components/breaker/words';
import { change, event } from '../series/make';

describe('latency in words', () => {
  it('names quantile, sample count and baseline', () => {
    const reading = { quantile: 0.95, valueMs: 410, samples: 34 };
    expect(latencyWords(reading, 120)).toBe('P95 of 34 probes: 410 ms, baseline 120 ms');
    expect(latencyWords(reading, null)).toBe('P95 of 34 probes: 410 ms, no P95 baseline');
  });
  it('has its own word for too few', () => {
    expect(latencyWords({ quantile: null, valueMs: null, samples: 1 }, 120)).toBe(
      'Undecided: 1 probe answered, 5 are needed',
    );
  });
  it('says what a class of outcome is', () => {
    expect(['server_error', 'something_new'].map(outcomeWord)).toEqual([
      'server error',
      'something new',
    ]);
  });
});

const trip = (data: Record<string, unknown>) =>
  tellEvent(change(0, 'closed', 'open', { cause: 'trip', ...data })).head;

describe('events in words', () => {
  it('gives the numbers of a trip', () => {
    const data = { cause: 'trip', rate: 0.64, calls: 50, failures: 32, threshold: 0.5 };
    const told = tellEvent(
      change(0, 'closed', 'open', { ...data, openTimeoutMs: 10_000, level: 0 }),
    );
    expect(told).toEqual({
      head: 'Tripped: 64 % of 50 calls failed, threshold 50 %',
      facts: ['waits 10 s, level 0'],
    });
  });
  it('tells a relapse, a fallback and a recovery apart', () => {
    const heads = [
      change(0, 'closed', 'open', { cause: 'trip', level: 2, failures: 3, calls: 4 }),
      change(0, 'half_open', 'open', { cause: 'fallback', step: 1, failures: 3, calls: 7 }),
      change(0, 'half_open', 'closed', { cause: 'advance' }),
      change(0, 'open', 'half_open', { cause: 'retry_due' }),
    ].map((one) => tellEvent(one).head);
    expect(heads).toEqual([
      'Tripped again soon after a recovery: 3 of 4 calls failed',
      'Fell back at step 2: 3 of 7 calls failed',
      'Recovered: every step passed',
      'The wait was over; probing began',
    ]);
  });
  it('reads numbers by the policy that tripped', () => {
    const refused = { reason: 'refused', rate: 0.14, threshold: 1, calls: 36, failures: 5 };
    expect(trip(refused)).toBe('Tripped: connections refused in a row, 5 of 36 calls failed');
    const slow = { reason: 'slow', rate: 0.56, threshold: 0.5, calls: 27, slow: 15, failures: 9 };
    expect(trip(slow)).toBe('Tripped: 56 % slow of 27 calls, threshold 50 %');
  });
  it('does not blame latency for every hold', () => {
    expect(tellEvent(event(0, 'hold', { cause: 'pending' }))).toEqual({
      head: 'Ramp held: too many probes without an answer yet',
      facts: [],
    });
  });
  it('names who forced it and why', () => {
    const told = tellEvent(
      change(0, 'open', 'forced_open', { cause: 'override', actor: 'mira', reason: 'failover' }),
    );
    expect(told.head).toBe('Forced open by mira: failover');
  });
  it('falls back to the reason it was given, whatever the cause', () => {
    expect(tellEvent(change(0, 'a', 'b', { cause: 'new', reason: 'odd_thing' })).head).toBe(
      'odd thing',
    );
    expect(tellEvent(event(0, 'unheard_of')).head).toBe('unheard of');
  });
  it('tells a hold with its measure', () => {
    const told = tellEvent(
      event(0, 'hold', { quantile: 0.9, samples: 34, valueMs: 410, baselineMs: 120 }),
    );
    expect(told.facts).toEqual(['P90 of 34 probes: 410 ms, baseline 120 ms']);
  });
});

describe('configuration in words', () => {
  const config = {
    window: { kind: 'time', durationMs: 10_000 },
    trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 20 }],
    open: { kind: 'exponential', baseMs: 10_000, multiplier: 2, jitter: 0.2 },
    recovery: { admission: { kind: 'ramp', steps: [0.1, 1] }, stepMs: [5_000, 8_000] },
    custom: true,
  };
  it('groups options and writes units', () => {
    const lines = configGroups(config).flatMap((group) =>
      group.lines.map((line) => `${group.title} | ${line.label}: ${line.value}`),
    );
    expect(lines).toEqual([
      'Window and trip | kind: time',
      'Window and trip | duration: 10 s',
      'Window and trip | trip: ratio: rate 50 %, minimum calls 20',
      'Open time | kind: exponential',
      'Open time | base: 10 s',
      'Open time | multiplier: ×2',
      'Open time | jitter: 20 %',
      'Recovery | admission kind: ramp',
      'Recovery | admission steps: 10 % → 100 %',
      'Recovery | step: 5 s → 8 s',
      'Other | custom: yes',
    ]);
  });
  it('finds where instances disagree', () => {
    const other = { ...config, open: { ...config.open, baseMs: 30_000 } };
    expect(configDrift([config, other])).toEqual([
      { path: 'open.baseMs', label: 'base', values: ['10 s', '30 s'] },
    ]);
    expect(configDrift([config, config])).toEqual([]);
  });
});

describe('the words of a verdict', () => {
  const counted = {
    kind: 'within',
    quantile: 0.9,
    samples: 34,
    valueMs: 140,
    baselineMs: 120,
    limitMs: 360,
    cause: null,
    since: null,
  } as const;
  it('names quantile, number, value, baseline and the line above which it holds', () => {
    expect(verdictWords(counted)).toBe(
      'P90 of 34 probes: 140 ms, baseline 120 ms, holds above 360 ms',
    );
    expect(verdictWords({ ...counted, kind: 'no_baseline', baselineMs: null, limitMs: null })).toBe(
      'P90 of 34 probes: 140 ms, no P90 baseline',
    );
  });
  it('says what is missing while it is undecided', () => {
    const open = {
      ...counted,
      kind: 'undecided',
      quantile: null,
      valueMs: null,
      samples: 1,
    } as const;
    expect(verdictWords(open)).toMatch(/^1 answer in this step, a P50 needs 5;/);
  });
  it('gives the cause of a hold that has no figures', () => {
    const own = { ...counted, kind: 'held', valueMs: null, cause: 'self' } as const;
    expect(verdictWords(own)).toMatch(/^this instance was busy itself/);
    expect(verdictWords({ ...counted, kind: 'off' })).toMatch(/switched off/);
  });
});
