import { backoffRule, type BackoffRule } from '@/lib/series/backoff';
import { instanceLanes, stateBands, type Band, type Lane } from '@/lib/series/bands';
import { gapMarks, holdMarks, overrideMarks, relapseMarks } from '@/lib/series/marks';
import type { GapMark, HoldMark, OverrideMark, RelapseMark } from '@/lib/series/marks';
import { openings, type Opening } from '@/lib/series/openings';
import { latencyAxis, probeMarks, probeShape, thinProbes } from '@/lib/series/probes';
import type { LatencyAxis, ProbeMark } from '@/lib/series/probes';
import { baselineOf, holdLine, quantileSeries } from '@/lib/series/quantiles';
import type { Baseline, QuantileRow } from '@/lib/series/quantiles';
import { peakRefused, rampSeries, type RampRow } from '@/lib/series/ramp';
import { latencyRule } from '@/lib/series/verdict';
import type {
  EventLike,
  GapLike,
  InstanceLike,
  OverrideLike,
  PointLike,
  ProbeLike,
  TimeDomain,
} from '@/lib/series/types';

export type ChartInput = {
  readonly now: number;
  /** What is drawn; in a live view it reaches a little past `now`. */
  readonly domain: TimeDomain;
  readonly resolutionMs: number;
  readonly points: readonly PointLike[];
  readonly probes: readonly ProbeLike[];
  readonly probesLeftOut: number;
  readonly events: readonly EventLike[];
  readonly gaps: readonly GapLike[];
  readonly instances: readonly InstanceLike[];
  readonly overrides: readonly OverrideLike[];
  readonly instanceId?: string;
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly latencyScale: LatencyAxis['kind'];
};

export type ChartModel = {
  readonly now: number;
  readonly domain: TimeDomain;
  readonly resolutionMs: number;
  readonly points: readonly PointLike[];
  readonly probes: readonly ProbeLike[];
  readonly events: readonly EventLike[];
  readonly bands: readonly Band[];
  readonly lanes: readonly Lane[];
  readonly gaps: readonly GapMark[];
  readonly overrides: readonly OverrideMark[];
  readonly holds: readonly HoldMark[];
  readonly relapses: readonly RelapseMark[];
  readonly ramp: readonly RampRow[];
  readonly peakRefused: number;
  readonly marks: readonly ProbeMark[];
  readonly probesLeftOut: number;
  readonly axis: LatencyAxis;
  readonly quantiles: readonly QuantileRow[];
  readonly baseline: Baseline;
  readonly holdMs: number | null;
  readonly openings: readonly Opening[];
  readonly rule: BackoffRule | null;
};

/** More marks than this no longer tell more, but cost a frame. */
const MAX_MARKS = 800;

function within<T extends { readonly at: number }>(
  items: readonly T[],
  domain: TimeDomain,
  slackMs = 0,
) {
  return items.filter((item) => item.at >= domain.from - slackMs && item.at < domain.to);
}

function holdOf(config: ChartInput['config'], baseline: Baseline): number | null {
  const rule = latencyRule(config);
  return rule && holdLine(baseline.p95Ms, rule.holdMultiple, rule.floorMs);
}

/** Everything the three charts draw, from one input and for one time axis. */
export function chartModel(input: ChartInput): ChartModel {
  const { domain, resolutionMs, instanceId, now } = input;
  const mine = <T extends { readonly instanceId: string }>(items: readonly T[]) =>
    instanceId === undefined ? items : items.filter((item) => item.instanceId === instanceId);
  const events = mine(input.events);
  const points = within(input.points, domain, resolutionMs);
  const probes = within(mine(input.probes), domain);
  const quantiles = quantileSeries(points, resolutionMs);
  const baseline = baselineOf(input.points);
  const holdMs = holdOf(input.config, baseline);
  const axis = latencyAxis(
    input.latencyScale,
    probes.map((probe) => probe.latencyMs),
    [baseline.p95Ms, holdMs, ...quantiles.flatMap((row) => [row.p50Ms, row.p95Ms])],
  );
  const shaped = probes.map((probe) => ({ ...probe, shape: probeShape(probe.outcome) }));
  const thin = thinProbes(shaped, MAX_MARKS);
  const ramp = rampSeries(points, resolutionMs, domain);
  const known = { from: domain.from, to: Math.min(domain.to, Math.max(now, domain.from + 1)) };
  const lanes = instanceLanes(known, input, instanceId);
  return {
    now,
    domain,
    resolutionMs,
    points,
    probes,
    events,
    bands: stateBands(known, lanes),
    lanes,
    gaps: gapMarks(input.gaps, instanceId),
    overrides: overrideMarks(input.overrides, now),
    holds: holdMarks(events, now),
    relapses: within(relapseMarks(events), domain),
    ramp,
    peakRefused: peakRefused(ramp),
    marks: probeMarks(thin.marks, axis),
    probesLeftOut: input.probesLeftOut + thin.leftOut,
    axis,
    quantiles,
    baseline,
    holdMs,
    openings: openings(events, domain),
    rule: input.config && backoffRule(input.config),
  };
}
