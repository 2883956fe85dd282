import type { BreakerBody, SeriesBody } from '@/lib/protocol/api';
import type {
  BreakerInstanceView,
  BreakerView,
  HistoryEvent,
  ProbePoint,
  SeriesPoint,
} from '@/lib/protocol/views';
import { breakerFixture, noise } from './breaker-fixtures';

/**
 * A quarter of an hour in the life of one breaker: it trips, falls back twice, recovers with a hold,
 * relapses, and is on its way again. Made from phases, so that every chart agrees with the others.
 */
const SECOND = 1_000;
const SHARES = [0.1, 0.3, 0.6, 1];
const RATE = 70;
const NAMES = ['inventory-7c9f-a', 'inventory-7c9f-b', 'inventory-7c9f-c'];

type Phase = {
  readonly from: number;
  readonly state: 'closed' | 'open' | 'half_open';
  readonly step?: number;
  readonly level?: number;
  readonly sick?: boolean;
  readonly hold?: boolean;
  readonly cause?: string;
};

/** Seconds from the start of the story. */
const PHASES: readonly Phase[] = [
  { from: -60, state: 'closed' },
  { from: 150, state: 'closed', sick: true },
  { from: 162, state: 'open', level: 0, cause: 'trip' },
  { from: 172, state: 'half_open', step: 0, sick: true },
  { from: 179, state: 'open', level: 1, cause: 'fallback' },
  { from: 200, state: 'half_open', step: 0 },
  { from: 206, state: 'half_open', step: 1 },
  { from: 212, state: 'half_open', step: 2, sick: true },
  { from: 217, state: 'open', level: 2, cause: 'fallback' },
  { from: 259, state: 'half_open', step: 0 },
  { from: 265, state: 'half_open', step: 1 },
  { from: 272, state: 'half_open', step: 2, hold: true },
  { from: 296, state: 'half_open', step: 2 },
  { from: 303, state: 'half_open', step: 3 },
  { from: 310, state: 'closed', cause: 'advance' },
  { from: 700, state: 'closed', sick: true },
  { from: 708, state: 'open', level: 1, cause: 'trip' },
  { from: 727, state: 'half_open', step: 0, sick: true },
  { from: 733, state: 'open', level: 2, cause: 'fallback' },
  { from: 775, state: 'half_open', step: 0 },
  { from: 782, state: 'half_open', step: 1, sick: true },
  { from: 787, state: 'open', level: 3, cause: 'fallback' },
  { from: 846, state: 'half_open', step: 0 },
  { from: 853, state: 'half_open', step: 1 },
];

const LENGTH = 860;

const lag = (instance: number) => instance * 1.7;

function phaseAt(second: number, instance: number): Phase {
  const at = second - lag(instance);
  return PHASES.findLast((phase) => phase.from <= at) ?? { from: -60, state: 'closed' };
}

function shareOf(phase: Phase): number {
  if (phase.state === 'open') return 0;
  return phase.state === 'closed' ? 1 : (SHARES[phase.step ?? 0] ?? 1);
}

const timeoutOf = (level: number) => Math.min(60, 10 * 2 ** level) * (0.96 + noise(level) * 0.08);

function point(start: number, second: number): SeriesPoint | null {
  // Nothing was heard of the third one here, and of none for a moment.
  if (second >= 420 && second < 452) return null;
  const phases = [0, 1, 2].map((instance) => phaseAt(second, instance));
  const sick = phases.some((phase) => phase.sick);
  const calls = Math.round(RATE * 2 * (0.9 + noise(second) * 0.2));
  const share = phases.reduce((sum, phase) => sum + shareOf(phase), 0) / phases.length;
  const admitted = Math.round(calls * share * (0.92 + noise(second * 3) * 0.1));
  const failures = Math.round(admitted * (sick ? 0.66 : 0.003));
  const slow = phases.some((phase) => phase.hold) ? 3.6 : sick ? 5 : 1;
  const steps = phases.flatMap((phase) => (phase.state === 'half_open' ? (phase.step ?? 0) : []));
  const p95Ms = 118 * slow * (0.88 + noise(second * 5) * 0.3);
  return {
    at: start + second * SECOND,
    instances: 3,
    share,
    step: steps.length > 0 ? Math.max(...steps) : null,
    admitted,
    refused: Math.max(0, calls - admitted),
    successes: admitted - failures,
    failures,
    slow: slow > 2 ? Math.round(admitted * 0.2) : 0,
    inFlight: Math.round(admitted / 12),
    p50Ms: admitted > 4 ? p95Ms * 0.4 : null,
    p95Ms: admitted > 4 ? p95Ms : null,
    latencySamples: admitted - failures,
    baselineP50Ms: 46,
    baselineP90Ms: 98,
    baselineP95Ms: 120,
    baselineP99Ms: 190,
  };
}

const BAD = ['timeout', 'server_error', 'timeout', 'refused'] as const;

function probes(start: number): ProbePoint[] {
  const list: ProbePoint[] = [];
  for (let tick = 0; tick < LENGTH * 2; tick += 1) {
    const instance = tick % 3;
    const phase = phaseAt(tick / 2, instance);
    if (phase.state !== 'half_open') continue;
    const failed = phase.sick === true && noise(tick) < 0.55;
    const outcome = failed ? (BAD[Math.floor(noise(tick * 3) * 4)] ?? 'timeout') : 'success';
    const slow = phase.hold ? 380 : 70;
    const latency = { timeout: 2_000, refused: 1.4, server_error: 34 };
    list.push({
      id: tick + 1,
      at: start + tick * 500,
      instanceId: `i${instance}`,
      step: phase.step ?? 0,
      outcome,
      latencyMs: outcome === 'success' ? slow * (0.5 + noise(tick * 7) * 1.4) : latency[outcome],
      idempotent: true,
    });
  }
  return list;
}

type Json = HistoryEvent['data'];

function dataOf(phase: Phase, before: Phase): { type: string; data: Json } {
  if (phase.state === 'half_open' && before.state === 'half_open') {
    if (phase.hold) {
      const data = { cause: 'latency', quantile: 0.9, samples: 34, valueMs: 410, baselineMs: 120 };
      return { type: 'hold', data };
    }
    if (before.hold) return { type: 'release', data: { cause: 'latency', valueMs: 180 } };
    const step = phase.step ?? 0;
    const counts = { successes: [5, 10, 20, 20][step - 1] ?? 5, failures: 0, tookMs: 6_000 };
    return { type: 'step', data: { step, share: SHARES[step] ?? 1, ...counts } };
  }
  const level = phase.level ?? 0;
  const opened = phase.state === 'open';
  const trigger =
    phase.cause === 'trip'
      ? { calls: 50, failures: 32, rate: 0.64, threshold: 0.5 }
      : { calls: 7, failures: 3, step: before.step ?? 0 };
  return {
    type: 'transition',
    data: {
      from: before.state,
      to: phase.state,
      automatic: phase.state,
      cause: phase.cause ?? 'retry_due',
      reason: phase.cause === 'trip' ? 'ratio' : (phase.cause ?? 'retry_due'),
      breakerEpoch: 1,
      ...(opened ? { ...trigger, level, openTimeoutMs: timeoutOf(level) * SECOND } : {}),
    },
  };
}

function events(start: number): HistoryEvent[] {
  return [0, 1, 2].flatMap((instance) =>
    PHASES.flatMap((phase, index): HistoryEvent[] => {
      const before = PHASES[index - 1];
      const same = before?.state === phase.state && phase.state !== 'half_open';
      const at = start + (phase.from + lag(instance)) * SECOND;
      if (before === undefined || same || phase.from + lag(instance) > LENGTH) return [];
      return [
        {
          id: index * 3 + instance + 1,
          breakerId: 'story',
          instanceId: `i${instance}`,
          instance: NAMES[instance] ?? '',
          at,
          agentAt: at,
          receivedAt: at + 40,
          run: 'r',
          seq: index + 1,
          ...dataOf(phase, before),
        },
      ];
    }),
  );
}

/** What `/series` answers for the story that ends at `now`. */
export function storySeries(now: number): SeriesBody {
  const start = now - LENGTH * SECOND;
  const all = Array.from({ length: LENGTH / 2 }, (_, index) => point(start, index * 2));
  const hole = { from: start + 420 * SECOND, to: start + 452 * SECOND };
  return {
    now,
    from: start,
    to: now,
    resolutionMs: 2_000,
    points: all.filter((one) => one !== null),
    probes: probes(start),
    probesLeftOut: 0,
    events: events(start),
    eventsLeftOut: 0,
    gaps: [
      { ...hole, instanceId: 'i2', reason: 'not heard', events: 0 },
      { ...hole, instanceId: 'i0', reason: '312 samples dropped', events: 0 },
    ],
  };
}

const CONFIG = {
  window: { kind: 'time', durationMs: 10_000, buckets: 10 },
  trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 20 }],
  open: {
    kind: 'exponential',
    baseMs: 10_000,
    multiplier: 2,
    maxMs: 60_000,
    jitter: 0.2,
    minMs: 1_000,
    stableForMs: 60_000,
  },
  recovery: {
    admission: { kind: 'ramp', steps: SHARES },
    stepMs: [5_000],
    minimumSuccesses: [5, 10, 20, 20],
    failureBudget: 'statistical',
    decision: { kind: 'all' },
    latency: { holdMultiple: 3, releaseMultiple: 2, floorMs: 20, maxHoldMs: 30_000 },
    maxHalfOpenMs: 600_000,
  },
  callTimeoutMs: 4_000,
  probeTimeoutFraction: 0.5,
  slowMs: 1_000,
  mode: 'enforce',
};

function instanceOf(index: number, now: number): BreakerInstanceView {
  const phase = phaseAt(LENGTH, index);
  return {
    breakerId: 'story',
    instanceId: `i${index}`,
    instance: NAMES[index] ?? '',
    host: `node-${index + 3}`,
    liveness: 'live',
    state: phase.state,
    automatic: phase.state,
    step: phase.step ?? null,
    steps: SHARES.length,
    share: shareOf(phase),
    hold: false,
    level: 3,
    retryAt: null,
    openTimeoutMs: 58_000,
    inFlight: 2 + index,
    override: null,
    since: now - 12 * SECOND,
    asOf: now - SECOND,
    callsPerSecond: 7.2,
    refusedPerSecond: 16.4,
    failureShare: 0.01,
    latencyP95Ms: 131,
    configHash: 'a41f09c2'.repeat(8),
  };
}

/** What `/api/breakers/:id` answers at the end of the story. */
export function storyBreaker(now: number, part: Partial<BreakerView> = {}): BreakerBody {
  return {
    now,
    breaker: breakerFixture(now, {
      id: 'story',
      name: 'inventory',
      target: 'inventory-api',
      state: 'half_open',
      states: { half_open: 3 },
      since: now - 14 * SECOND,
      ramp: { step: 1, steps: 4, share: 0.3 },
      level: 3,
      callsPerSecond: 21.6,
      refusedPerSecond: 49.2,
      failureShare: 0.01,
      latencyP95Ms: 131,
      baselineP95Ms: 120,
      generation: 4,
      ...part,
    }),
    instances: [0, 1, 2].map((index) => instanceOf(index, now)),
    configs: [
      { configHash: 'a41f09c2'.repeat(8), config: CONFIG, instanceIds: ['i0', 'i1', 'i2'] },
    ],
    overrides: [],
  };
}
