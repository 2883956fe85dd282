import type { ChartInput } from '@/components/charts/model';
import {
  consecutiveSuccesses,
  impactOf,
  lastOpening,
  shownAttempt,
  stepCounts,
  type CurrentAttempt,
  type Impact,
} from '@/lib/series/diagnose';
import type { Transition } from '@/lib/series/events';
import { baselineOf, probeLatency, tailLatency } from '@/lib/series/quantiles';
import type { Baseline, LatencyReading } from '@/lib/series/quantiles';
import { afterClose, closes, recoveryFigures } from '@/lib/series/recovery';
import type { AfterClose, RecoveryFigures } from '@/lib/series/recovery';
import { rampRule, stepTable, timeToFull, type RampRule, type StepRow } from '@/lib/series/steps';
import type { ProbeLike } from '@/lib/series/types';
import { latencyRule, latencyVerdict, type Verdict } from '@/lib/series/verdict';

type Check = {
  readonly consecutive: number;
  readonly minimum: number;
  readonly step: number;
  readonly steps: number;
  readonly share: number;
  /** Null when it no longer runs; `outcome` says what became of it. */
  readonly fullInMs: number | null;
  readonly outcome: string;
};

export type RunbookFacts = {
  readonly opening: Transition | null;
  readonly impact: Impact;
  readonly latency: LatencyReading;
  readonly tail: ReturnType<typeof tailLatency>;
  readonly check: Check | null;
  readonly steps: readonly StepRow[] | null;
  readonly shown: CurrentAttempt | null;
  readonly recovery: RecoveryFigures;
  /** The newest few recoveries, newest first. */
  readonly after: readonly AfterClose[];
  /** Null while there is no attempt to judge. */
  readonly verdict: Verdict | null;
  readonly baseline: Baseline;
};

const OUTCOMES = {
  running: 'running',
  recovered: 'recovered',
  fell_back: 'fell back to open',
  overridden: 'ended by an override',
} as const;

function checkOf(
  rule: RampRule | null,
  shown: CurrentAttempt | null,
  probes: readonly ProbeLike[],
  now: number,
): Check | null {
  if (rule === null || shown === null) return null;
  const { attempt, instanceId } = shown;
  const own = probes.filter(
    (probe) =>
      probe.instanceId === instanceId &&
      probe.at >= attempt.startedAt &&
      probe.at <= (attempt.endedAt ?? Infinity),
  );
  return {
    consecutive: consecutiveSuccesses(own),
    minimum: rule.minimums[attempt.step] ?? 0,
    step: attempt.step,
    steps: rule.shares.length,
    share: rule.shares[attempt.step] ?? 1,
    fullInMs: attempt.outcome === 'running' ? timeToFull(rule, attempt, now) : null,
    outcome: OUTCOMES[attempt.outcome],
  };
}

const MOST_CLOSES = 4;

/** Everything beside the charts, out of the same input as the charts. */
export function runbookFacts(input: ChartInput): RunbookFacts {
  const { instanceId, domain, now } = input;
  const known = { from: domain.from, to: Math.min(now, domain.to) };
  const inRange = (item: { readonly at: number }) => item.at >= known.from && item.at <= known.to;
  const mine = (item: { readonly instanceId: string }) =>
    instanceId === undefined || item.instanceId === instanceId;
  const probes = input.probes.filter((probe) => inRange(probe) && mine(probe));
  const points = input.points.filter(inRange);
  const rule = input.config && rampRule(input.config);
  const shown = shownAttempt(input.events, instanceId);
  const recent = closes(input.events, instanceId).filter(inRange).slice(0, MOST_CLOSES);
  const baseline = baselineOf(input.points);
  const source = { ...input, baseline, rule: latencyRule(input.config) };
  return {
    opening: lastOpening(input.events, instanceId),
    impact: impactOf(probes, points),
    latency: probeLatency(probes),
    tail: tailLatency(probes),
    check: checkOf(rule, shown, input.probes, now),
    steps:
      rule &&
      stepTable(rule, shown?.attempt ?? null, now, shown && stepCounts(input.probes, shown)),
    shown,
    recovery: recoveryFigures(input.events, input.probes, instanceId),
    after: recent.map((close) => afterClose(input.points, close, known)),
    verdict: shown && latencyVerdict(source, shown),
    baseline,
  };
}
