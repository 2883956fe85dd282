import type { BreakerStatus } from '../../breaker/types';
import type { CallCounts, CallGroup, Sample } from '../../protocol/samples';
import { LatencyHistogram } from '../../stats';
import { mergeGroups } from './kinds';
import { wireCount, wireFraction, wireMs } from '../text';

export type NewSample = Omit<Sample, 'seq'>;
type Counters = BreakerStatus['counters'];

/** A merged sample covers at most this many of the one-second ones. */
const MAX_MERGED = 10;

function sum(record: Readonly<Record<string, number>>): number {
  return Object.values(record).reduce((total, value) => total + value, 0);
}

function callsBetween(before: Counters, after: Counters): CallCounts {
  const delta = (outcome: keyof Counters['settled']) =>
    wireCount(after.settled[outcome] - before.settled[outcome]);
  return {
    success: delta('success'),
    client_error: delta('client_error'),
    timeout: delta('timeout'),
    server_error: delta('server_error'),
    overload: delta('overload'),
    refused: delta('refused'),
    rejected_local: delta('rejected_local'),
    cancelled: delta('cancelled'),
    ignored: delta('ignored'),
    not_permitted: wireCount(sum(after.rejected) - sum(before.rejected)),
  };
}

function baselineOf(status: BreakerStatus): Pick<NewSample, 'baseline'> {
  const { baseline } = status;
  if (baseline === null) return {};
  const { p50, p90, p95, p99, samples } = baseline;
  // A percentile among the timeouts is infinite and has no place on the wire.
  if (![p50, p90, p95, p99].every(Number.isFinite)) return {};
  return { baseline: { p50, p90, p95, p99, samples: wireCount(samples) } };
}

export type Period = {
  readonly breaker: string;
  readonly before: Counters;
  readonly status: BreakerStatus;
  readonly latency: LatencyHistogram;
  readonly probesNotSent: number;
  /** Empty while all calls are of one kind. */
  readonly groups: readonly CallGroup[];
  readonly at: number;
  readonly mono: number;
  readonly periodMs: number;
};

export function isIdle(before: Counters, status: BreakerStatus): boolean {
  const { counters } = status;
  return (
    status.inFlight === 0 &&
    sum(counters.settled) === sum(before.settled) &&
    sum(counters.rejected) === sum(before.rejected) &&
    counters.late === before.late &&
    counters.expired === before.expired
  );
}

export function makeSample(period: Period): NewSample {
  const { before, status, probesNotSent } = period;
  return {
    type: 'sample',
    at: wireMs(period.at),
    mono: wireMs(period.mono),
    breaker: period.breaker,
    periodMs: wireMs(period.periodMs),
    state: status.state,
    step: status.step === null ? null : wireCount(status.step),
    share: wireFraction(status.share),
    calls: callsBetween(before, status.counters),
    slow: wireCount(status.counters.slow - before.slow),
    late: wireCount(status.counters.late - before.late),
    expired: wireCount(status.counters.expired - before.expired),
    inFlight: wireCount(status.inFlight),
    latency: wireHistogram(period.latency),
    ...baselineOf(status),
    ...(probesNotSent > 0 ? { probesNotSent } : {}),
    ...(period.groups.length > 0 ? { groups: [...period.groups] } : {}),
  };
}

/** The wire's schema wants arrays that it may change. */
function wireHistogram(histogram: LatencyHistogram): Sample['latency'] {
  const { buckets, count, sumMs, maxMs } = histogram.toSparse();
  return { buckets: buckets.map(([index, n]) => [index, n]), count, sumMs, maxMs };
}

/** Neighbours that say the same about the breaker may become one sample. */
export function canMerge(a: NewSample, b: NewSample): boolean {
  return (
    a.breaker === b.breaker &&
    a.state === b.state &&
    a.step === b.step &&
    (a.merged ?? 1) + (b.merged ?? 1) <= MAX_MERGED
  );
}

/** Sums of both; everything that is a reading is the later one's. */
export function mergeSamples(a: NewSample, b: NewSample): NewSample {
  const calls = { ...b.calls };
  for (const [key, value] of Object.entries(a.calls)) calls[key as keyof CallCounts] += value;
  const latency = LatencyHistogram.fromSparse(a.latency);
  latency.merge(LatencyHistogram.fromSparse(b.latency));
  const probesNotSent = (a.probesNotSent ?? 0) + (b.probesNotSent ?? 0);
  const groups = mergeGroups(a.groups ?? [], b.groups ?? []);
  return {
    ...b,
    periodMs: a.periodMs + b.periodMs,
    calls,
    slow: a.slow + b.slow,
    late: a.late + b.late,
    expired: a.expired + b.expired,
    latency: wireHistogram(latency),
    ...(probesNotSent > 0 ? { probesNotSent } : {}),
    ...(groups.length > 0 ? { groups } : {}),
    merged: (a.merged ?? 1) + (b.merged ?? 1),
  };
}
