import { describe, expect, it } from 'vitest';
import { digestOf } from '@/lib/agent/hash';
import { mapEvent } from '@/lib/agent/reporting/map-event';
import { reportState } from '@/lib/agent/reporting/report-state';
import type { NewSample } from '@/lib/agent/reporting/sample';
import type { SettledCall } from '@/lib/agent/ports';
import { Sampler, type NewProbe } from '@/lib/agent/reporting/sampler';
import type { BreakerEvent, BreakerStatus, EventData } from '@/lib/breaker/types';
import { agentEvent } from '@/lib/protocol/events';
import { reportedState } from '@/lib/protocol/breaker-state';
import { sampleItem } from '@/lib/protocol/samples';
import { status, zeroCounters } from './support/fake-breaker';

function breakerEvent(type: BreakerEvent['type'], data: EventData = {}): BreakerEvent {
  return {
    seq: 4,
    type,
    from: 'closed',
    to: 'open',
    automatic: 'open',
    reason: 'ratio',
    epoch: 3,
    step: null,
    stepSeq: 2,
    monoMs: 12.5,
    wallMs: 1_800_000_000_000.25,
    data,
  };
}

describe('events on the wire', () => {
  it('maps a trip with the numbers behind it', () => {
    const data = { cause: 'trip', calls: 20, failures: 11, rate: 0.55, level: 1 } as const;
    const event = mapEvent('inventory', breakerEvent('opened', { ...data, retryInMs: 9_800.5 }));
    expect(agentEvent.parse({ ...event, seq: 1 })).toMatchObject({
      type: 'transition',
      from: 'closed',
      to: 'open',
      automatic: 'open',
      cause: 'trip',
      reason: 'ratio',
      calls: 20,
      failures: 11,
      rate: 0.55,
      level: 1,
      retryInMs: 9_800.5,
      breakerEpoch: 3,
      mono: 12.5,
    });
  });

  it('maps every type to an event of the schema, or leaves it to the samples', () => {
    const types = ['opened', 'half_open', 'step', 'hold', 'release', 'starved', 'closed'] as const;
    const more = ['forced', 'resumed', 'reset', 'would_trip', 'would_recover'] as const;
    const mapped = [...types, ...more].map((type) => mapEvent('inventory', breakerEvent(type)));
    for (const event of mapped)
      expect(agentEvent.safeParse({ ...event, seq: 1 }).success).toBe(true);
    for (const type of ['probe_expired', 'late_result', 'disposed'] as const) {
      expect(mapEvent('inventory', breakerEvent(type))).toBeNull();
    }
  });

  it('[R-05] makes hostile text and impossible numbers fit the schema', () => {
    const event = breakerEvent('forced', {
      overrideId: 'x'.repeat(200),
      actor: 'a\u0000b\u202E'.repeat(80),
      rate: 1.0000000002,
      calls: 2.5,
      openTimeoutMs: Number.POSITIVE_INFINITY,
      retryInMs: -3,
    });
    const mapped = mapEvent('inventory', {
      ...event,
      reason: 'line\nline'.repeat(500),
      monoMs: -1,
    });
    expect(agentEvent.safeParse({ ...mapped, seq: 1 }).error).toBeUndefined();
    expect(mapped).not.toHaveProperty('openTimeoutMs');
  });
});

describe('the state on the wire', () => {
  const identity = { name: 'inventory', target: 'stock', configHash: 'a'.repeat(64) };
  const half = status({
    state: 'half_open',
    automatic: 'half_open',
    step: 1,
    share: 0.3,
    retryInMs: 12.25,
    inFlight: 2,
    hold: { sinceMs: 3, cause: 'latency' },
    override: { kind: 'forced_open', id: 'o1', reason: '', actor: '', remainingMs: 500 },
  });

  it('says everything that the schema asks for', () => {
    const state = reportState(identity, half);
    expect(reportedState.parse(state)).toEqual(state);
    expect(state).toMatchObject({
      hold: true,
      override: { id: 'o1', kind: 'force_open', remainingMs: 500 },
    });
    expect(reportState(identity, status())).not.toHaveProperty('retryInMs');
  });

  it('[R-27] has a digest that only lasting facts change', () => {
    const base = reportState(identity, half);
    const other = { ...base, breaker: 'billing' };
    const digest = digestOf([base, other]);
    const volatile = {
      ...base,
      retryInMs: 1,
      inFlight: 9,
      override: { id: 'o1', kind: 'force_open' as const },
    };
    expect(digestOf([other, volatile])).toBe(digest);
    expect(digestOf([other, { ...base, step: 2 }])).not.toBe(digest);
    expect(digestOf([other, { ...base, override: { id: 'o2', kind: 'force_open' } }])).not.toBe(
      digest,
    );
    expect(digestOf([])).toMatch(/^[0-9a-f]{64}$/);
  });
});

const call = (over: Partial<SettledCall> = {}): SettledCall => ({
  outcome: 'success',
  receipt: 'counted',
  latencyMs: 20,
  probe: false,
  step: null,
  idempotent: true,
  inFlight: 0,
  ...over,
});

function sampler() {
  const items: (NewSample | NewProbe)[] = [];
  let counters: BreakerStatus['counters'] = zeroCounters;
  let mono = 0;
  const subject = new Sampler('inventory', status(), 0, (item) => items.push(item));
  const calls = (n: number, over: Partial<SettledCall> = {}) => {
    for (let i = 0; i < n; i++) subject.settled(call(over), { at: mono, mono });
    const settled = { ...counters.settled };
    settled[over.outcome ?? 'success'] += n;
    counters = { ...counters, settled };
  };
  const second = (slow = false, over: Partial<BreakerStatus> = {}) => {
    mono += 1_000;
    subject.tick(status({ counters, ...over }), { at: mono, mono }, slow);
  };
  const refuse = (n: number) => {
    counters = {
      ...counters,
      rejected: { ...counters.rejected, open: counters.rejected.open + n },
    };
  };
  const samples = () => items.filter((item): item is NewSample => item.type === 'sample');
  const probes = () => items.filter((item): item is NewProbe => item.type === 'probe');
  return { subject, calls, second, refuse, samples, probes };
}

describe('samples', () => {
  it('are one per second with the calls of that second, and none when idle', () => {
    const s = sampler();
    s.calls(3);
    s.calls(1, { outcome: 'timeout', latencyMs: 300 });
    s.second();
    s.second();
    s.refuse(4);
    s.second();
    expect(s.samples()).toMatchObject([
      { mono: 1_000, periodMs: 1_000, calls: { success: 3, timeout: 1 }, latency: { count: 4 } },
      { mono: 3_000, calls: { success: 0, not_permitted: 4 }, latency: { count: 0 } },
    ]);
    for (const item of s.samples())
      expect(sampleItem.safeParse({ ...item, seq: 1 }).success).toBe(true);
  });

  it('leave fast refusals out of the latency', () => {
    const s = sampler();
    s.calls(5, { outcome: 'refused', latencyMs: 1 });
    s.second();
    expect(s.samples()).toMatchObject([{ calls: { refused: 5 }, latency: { count: 0 } }]);
  });

  it('report 50 probes of a second one by one and count the others', () => {
    const s = sampler();
    s.calls(70, { probe: true, step: 1, latencyMs: 8 });
    s.second(false, { state: 'half_open', step: 1 });
    s.calls(2, { probe: true, step: 1 });
    s.second(false, { state: 'half_open', step: 1 });
    expect(s.probes()).toHaveLength(52);
    expect(s.samples()[0]?.probesNotSent).toBe(20);
    expect(s.samples()[1]).not.toHaveProperty('probesNotSent');
    expect(sampleItem.safeParse({ ...s.probes()[0], seq: 1 }).success).toBe(true);
  });

  it('merge with their neighbours on a slow link, up to ten, and say so', () => {
    const s = sampler();
    for (let i = 0; i < 12; i++) {
      s.calls(2, { latencyMs: 10 + i });
      s.second(true);
    }
    s.second();
    const merged = s.samples().map((item) => [item.merged, item.periodMs, item.calls.success]);
    expect(merged).toEqual([
      [10, 10_000, 20],
      [2, 2_000, 4],
    ]);
    expect(s.samples()[0]?.latency).toMatchObject({ count: 20, maxMs: 19 });
  });

  it('do not merge across a change of state', () => {
    const s = sampler();
    s.calls(1);
    s.second(true);
    s.refuse(1);
    s.second(true, { state: 'open' });
    s.subject.flush();
    expect(s.samples().map(({ state }) => state)).toEqual(['closed', 'open']);
  });
});

const ended = (over: Partial<SettledCall>): SettledCall => ({
  outcome: 'success',
  receipt: 'counted',
  latencyMs: 10,
  probe: false,
  step: null,
  idempotent: true,
  inFlight: 0,
  ...over,
});

describe('calls by kind', () => {
  const now = { at: 1, mono: 1_000 };
  /** What a second with these calls reports. */
  function second(calls: readonly SettledCall[], sampler: Sampler, out: (NewSample | NewProbe)[]) {
    for (const one of calls) sampler.settled(one, now);
    sampler.tick(status(), now, false);
    return out.splice(0).flatMap((item) => (item.type === 'sample' ? item : []))[0];
  }

  it('are told apart once there are two kinds, and not before', () => {
    const out: (NewSample | NewProbe)[] = [];
    const sampler = new Sampler('inventory', status(), 0, (item) => out.push(item));
    expect(second([ended({})], sampler, out)).not.toHaveProperty('groups');
    const write = { idempotent: false, latencyMs: 40 };
    const mixed = [
      ended({}),
      ended(write),
      ended({ ...write, outcome: 'timeout' }),
      ended({ ...write, outcome: 'refused' }),
      ended({ ...write, outcome: 'cancelled' }),
      ended({ ...write, receipt: 'late' }),
    ];
    expect(second(mixed, sampler, out)?.groups).toEqual([
      { name: 'calls that may be repeated', calls: 1, failures: 0, totalMs: 10 },
      { name: 'other calls', calls: 3, failures: 2, totalMs: 80 },
    ]);
    const reads = [ended({}), ended({})];
    const sample = second(reads, sampler, out);
    expect(sample?.groups).toEqual([
      { name: 'calls that may be repeated', calls: 2, failures: 0, totalMs: 20 },
    ]);
    expect(sampleItem.parse({ ...sample, seq: 1 })).toMatchObject({ groups: sample?.groups });
  });

  it('are added up when samples are merged', () => {
    const out: (NewSample | NewProbe)[] = [];
    const sampler = new Sampler('inventory', status(), 0, (item) => out.push(item));
    for (let tick = 0; tick < 3; tick++) {
      sampler.settled(ended({}), now);
      sampler.settled(ended({ idempotent: false }), now);
      sampler.tick(status(), now, true);
    }
    sampler.flush();
    expect(out).toMatchObject([
      {
        merged: 3,
        groups: [
          { name: 'calls that may be repeated', calls: 3, totalMs: 30 },
          { name: 'other calls', calls: 3, totalMs: 30 },
        ],
      },
    ]);
  });
});
