import { binomialTail } from '../../stats/binomial';
import type { Advice } from '../../protocol/findings';
import type { Case, Rule } from '../case';
import type { Opening } from '../read';
import { act, at, change, count, counted, ms, percent, share, sum, text } from '../say';
import type { Policy, Settings } from '../settings';
import type { EventFact, Span } from '../types';

const FEWEST_FAILURES = 5;
const LOOK_BACK_MS = 600_000;

/** The policies that need a minimum of calls; null when another one can trip without. */
function bound(settings: Settings): Policy[] | null {
  const able = settings.trip.filter(({ kind }) => kind !== 'refused');
  const free = able.some(({ kind, minimumCalls }) => {
    return kind === 'consecutive' || kind === 'count' || minimumCalls <= 1;
  });
  return free || able.length === 0 ? null : able;
}

/** Failures are seen, the minimum of calls never is: the breaker cannot trip. */
export const neverEnoughVolume: Rule = ({ settings, history, openings }) => {
  const policies = bound(settings);
  const { windowMs } = settings;
  if (policies === null || windowMs === null) return null;
  const spans = history.spans.filter(({ closedCalls }) => closedCalls > 0);
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return null;
  if (history.now - first.from < LOOK_BACK_MS) return null;
  if (openings.some((one) => one.from === 'closed' && one.at >= first.from)) return null;
  const needed = Math.min(...policies.map(({ minimumCalls }) => minimumCalls));
  const rate = Math.min(...policies.map((policy) => policy.rate));
  const peak = Math.max(...spans.map(({ peakCalls }) => peakCalls));
  const failures = sum(spans, ({ closedFailures }) => closedFailures);
  const worst = Math.max(
    ...spans.map(({ closedCalls, closedFailures }) => closedFailures / closedCalls),
  );
  if (peak >= needed || failures < FEWEST_FAILURES || worst < rate) return null;
  const minimumCalls = Math.max(2, Math.floor(peak * 0.6));
  const stretched = Math.ceil((windowMs * needed) / Math.max(1, peak) / 1_000) * 1_000;
  const failed = spans.filter(({ closedFailures }) => closedFailures > 0);
  return {
    severity: 'risk',
    summary: `${counted(failures, 'failure')}, at worst ${percent(worst)} of the calls, and it never tripped: an instance has at most ${counted(peak, 'call')} in a window and needs ${needed}.`,
    evidence: [
      count('Failures while closed', failures),
      share('Worst failure share', worst),
      share('Failure share at which it should trip', rate),
      count('Most calls of one instance in a window', peak),
      count('Calls needed', needed),
      ms('Window', windowMs),
    ],
    advice: [
      change('trip[].minimumCalls', needed, minimumCalls, 'what this traffic reaches'),
      change(
        'window.durationMs',
        windowMs,
        Math.min(stretched, 300_000),
        'or look back far enough to see as many calls',
      ),
    ],
    instanceIds: [],
    firstAt: failed[0]?.from ?? first.from,
    lastAt: failed.at(-1)?.to ?? last.to,
  };
};

const FEWEST_NORMAL_CALLS = 200;
/** A trip that chance brings more often than this says nothing about the target. */
const BY_CHANCE = 0.001;
const RARE = 1e-6;
const MOST_CALLS = 10_000;

/** Failure share while closed, without the spans in which it tripped. */
function normalShare(spans: readonly Span[], openings: readonly Opening[]) {
  const quiet = spans.filter(
    ({ from, to }) => !openings.some((one) => one.at >= from - 1 && one.at <= to + 1),
  );
  const calls = sum(quiet, ({ closedCalls }) => closedCalls);
  const failures = sum(quiet, ({ closedFailures }) => closedFailures);
  return { calls, share: calls === 0 ? 0 : failures / calls };
}

function chanceOf({ calls, failures, reason }: Opening, normal: number): number {
  if (calls === null || failures === null) return 0;
  if (reason === 'consecutive') return normal ** failures;
  return binomialTail(Math.min(calls, MOST_CALLS), normal, failures);
}

/** The smallest volume at which chance no longer reaches the rate; null when none does. */
function safeVolume(rate: number, normal: number, from: number): number | null {
  for (let calls = Math.max(10, from); calls <= MOST_CALLS; calls = Math.ceil(calls * 1.25)) {
    if (binomialTail(calls, normal, Math.ceil(rate * calls)) <= RARE) return calls;
  }
  return null;
}

function gentler(settings: Settings, normal: number, reason: string): Advice[] {
  const policy = settings.trip.find(({ kind }) => kind === reason) ?? settings.trip[0];
  if (policy === undefined) return [];
  if (policy.kind === 'consecutive' || policy.kind === 'count') {
    const rate = Math.min(1, Math.max(0.2, normal * 4));
    return [
      change(
        'trip',
        { kind: policy.kind, failures: policy.failures },
        { kind: 'ratio', rate, minimumCalls: safeVolume(rate, normal, 20) ?? 100 },
        'judge the share of failures, not their number',
      ),
    ];
  }
  const calls = safeVolume(policy.rate, normal, policy.minimumCalls);
  if (calls === null || calls <= policy.minimumCalls) {
    const rate = Math.min(1, Math.round(Math.max(policy.rate * 1.5, normal * 2) * 100) / 100);
    return [change('trip[].rate', policy.rate, rate, 'well above what is normal here')];
  }
  return [
    change(
      'trip[].minimumCalls',
      policy.minimumCalls,
      calls,
      'so many that chance does not reach the rate',
    ),
  ];
}

/** It trips at a failure share that the service shows on normal days. */
export const hairTrigger: Rule = ({ openings, history, settings }) => {
  const trips = openings.filter((one) => one.from === 'closed' && one.cause === 'trip');
  const normal = normalShare(history.spans, trips);
  if (normal.calls < FEWEST_NORMAL_CALLS || normal.share === 0) return null;
  const chances = trips.filter((trip) => chanceOf(trip, normal.share) > BY_CHANCE);
  const first = chances[0];
  const last = chances.at(-1);
  if (first === undefined || last === undefined || chances.length < 2) return null;
  const { calls, failures, reason } = last;
  return {
    severity: 'harm',
    summary: `${chances.length} of ${counted(trips.length, 'trip')} came at a failure share that is normal here: ${failures} of ${calls} calls, where ${percent(normal.share)} fail on a quiet day.`,
    evidence: [
      count('Trips that chance explains', chances.length),
      count('Trips in all', trips.length),
      share('Failure share while all is well', normal.share),
      count('Calls behind that share', normal.calls),
      text('Last trip', `${failures} of ${calls} calls failed, ${reason}`),
      share('How often chance alone brings such a window', chanceOf(last, normal.share)),
      at('At', last.at),
    ],
    advice: gentler(settings, normal.share, reason),
    instanceIds: chances.map(({ instanceId }) => instanceId),
    eventIds: chances.map(({ id }) => id),
    firstAt: first.at,
    lastAt: last.at,
  };
};

const OWN_MS = 1_800_000;
const FEWEST_LOCAL = 20;
const WELL = 0.02;

type Load = {
  readonly local: number;
  readonly calls: number;
  readonly failing: number;
  /** Local refusals, not only holds, say so. */
  readonly rejects: boolean;
  readonly holds: readonly EventFact[];
  readonly firstAt: number;
  readonly lastAt: number;
};

function loadOf({ history, selfHolds }: Case): Load {
  const { now } = history;
  const spans = history.spans.filter(({ to }) => to >= now - OWN_MS);
  const holds = selfHolds.filter((hold) => hold.at >= now - OWN_MS);
  const local = sum(spans, ({ rejectedLocal }) => rejectedLocal);
  const calls = sum(spans, (span) => span.calls);
  const failures = sum(spans, (span) => span.failures);
  const hit = spans.filter(({ rejectedLocal }) => rejectedLocal > 0);
  const instants = [...hit.flatMap(({ from, to }) => [from, to]), ...holds.map((hold) => hold.at)];
  return {
    local,
    calls,
    failing: calls === 0 ? 0 : failures / calls,
    rejects: local >= FEWEST_LOCAL && local > failures * 3,
    holds,
    firstAt: Math.min(now, ...instants),
    lastAt: Math.min(now, Math.max(0, ...instants)),
  };
}

/** Local rejections dominate while the target answers well: the sick one is the caller. */
export const ownOverload: Rule = (breaker) => {
  const { local, calls, failing, rejects, holds, firstAt, lastAt } = loadOf(breaker);
  if ((!rejects && holds.length < 3) || failing > WELL) return null;
  return {
    severity: 'harm',
    summary: rejects
      ? `${counted(local, 'call')} were refused by the caller itself while the target failed ${percent(failing)}: the service that calls is overloaded.`
      : `The caller's own event loop held ${counted(holds.length, 'recovery step')}: the service that calls is overloaded.`,
    evidence: [
      count('Refused by a pool, bulkhead or queue of the caller', local),
      count('Calls that reached the target', calls),
      share('Of these failed', failing),
      count('Holds for the delay of the own event loop', holds.length),
    ],
    advice: [
      act('leave the breaker as it is: local refusals are not counted against the target'),
      act('give the caller more instances or a larger pool, or shed load before the pool is full'),
      act('keep queues before the pool short: what waits there is late already'),
    ],
    instanceIds: holds.map(({ instanceId }) => instanceId),
    eventIds: holds.map(({ id }) => id),
    firstAt,
    lastAt,
  };
};
