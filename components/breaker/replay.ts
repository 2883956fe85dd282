import type { ChartInput } from '@/components/charts/model';
import { isState } from '@/components/state';
import type { BreakerView } from '@/lib/protocol/views';
import { instanceLanes, stateAt, stateBands } from '@/lib/series/bands';
import { bucketAt } from '@/lib/series/cursor';
import { byInstance, transitionsOf, type Transition } from '@/lib/series/events';

/** How many seconds of the past go by in one. */
export const SPEEDS = [1, 5, 10, 30, 60] as const;
export type Speed = (typeof SPEEDS)[number];

/** In which state it was: what it went to last, or came from next. */
function stateThen(transitions: readonly Transition[], at: number): string | undefined {
  const last = transitions.findLast((one) => one.at < at);
  return last?.to ?? transitions.find((one) => one.at >= at)?.from;
}

function instancesAt({ instances, events }: ChartInput, at: number): ChartInput['instances'] {
  const own = byInstance(transitionsOf(events));
  return instances.map((one) => ({
    ...one,
    state: stateThen(own.get(one.instanceId) ?? [], at) ?? one.state,
    since: null,
  }));
}

/** What was known at that instant of the range: nothing of it comes from later. */
export function inputAt(input: ChartInput, at: number): ChartInput {
  const before = <T extends { readonly at: number }>(items: readonly T[]) =>
    items.filter((item) => item.at < at);
  return {
    ...input,
    now: at,
    instances: instancesAt(input, at),
    // A bucket tells of all of its time, so it comes when that is over.
    points: input.points.filter((point) => point.at + input.resolutionMs <= at),
    probes: before(input.probes),
    events: before(input.events),
    gaps: input.gaps
      .filter((gap) => gap.from < at)
      .map((gap) => (gap.to > at ? { ...gap, to: at } : gap)),
    overrides: input.overrides
      .filter((one) => one.createdAt < at)
      .map((one) => (one.endedAt !== null && one.endedAt > at ? { ...one, endedAt: null } : one)),
  };
}

type States = Pick<BreakerView, 'states' | 'instances'>;

function statesOf(states: readonly string[]): States {
  const known = states.filter(isState);
  const counts: BreakerView['states'] = {};
  for (const state of known) counts[state] = (counts[state] ?? 0) + 1;
  const gone = states.length - known.length;
  return {
    states: counts,
    instances: { total: states.length, live: known.length, stale: 0, offline: gone },
  };
}

/**
 * The row as it stood then, from what the charts are drawn of. What only a live row knows (the step
 * of the ramp as a figure, the next probe, an override, findings) is left out.
 */
export function rowAt(row: BreakerView, input: ChartInput): BreakerView {
  const { domain, now, points, resolutionMs } = input;
  const known = { from: domain.from, to: Math.max(now, domain.from + 1) };
  const lanes = instanceLanes(known, input, input.instanceId);
  const bands = stateBands(known, lanes);
  const moment = known.to - 1;
  const state = stateAt(bands, moment);
  const band = bands.findLast(({ from }) => from <= moment);
  const point = bucketAt(points, resolutionMs, now - resolutionMs);
  const perSecond = 1_000 / resolutionMs;
  const judged = point === null ? 0 : point.successes + point.failures;
  return {
    ...row,
    ...statesOf(lanes.map((lane) => stateAt(lane.bands, moment))),
    state: isState(state) ? state : row.state,
    since: band === undefined || band.from <= domain.from ? null : band.from,
    ramp: null,
    hold: false,
    retryAt: null,
    override: null,
    forcedUntil: null,
    findings: [],
    callsPerSecond: (point?.admitted ?? 0) * perSecond,
    refusedPerSecond: (point?.refused ?? 0) * perSecond,
    failureShare: point === null || judged === 0 ? null : point.failures / judged,
    latencyP95Ms: point?.p95Ms ?? null,
    baselineP95Ms: point?.baselineP95Ms ?? null,
    asOf: now,
  };
}
