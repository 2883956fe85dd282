import { transitionsOf, type Transition } from './events';
import { attempts, type Attempt } from './steps';
import type { EventLike, PointLike, ProbeLike } from './types';
import { countProbes, probeShape, type ProbeCounts } from './probes';

/** The transition that explains the present state: the latest trip or fallback of the range. */
export function lastOpening(events: readonly EventLike[], instanceId?: string): Transition | null {
  return (
    transitionsOf(events).findLast(
      (change) =>
        change.to === 'open' && (instanceId === undefined || change.instanceId === instanceId),
    ) ?? null
  );
}

export type CurrentAttempt = { readonly instanceId: string; readonly attempt: Attempt };

/**
 * The stay in half-open to show: the one that runs and is least far, else the latest that ended.
 * With a chosen instance only its own count.
 */
export function shownAttempt(
  events: readonly EventLike[],
  instanceId?: string,
): CurrentAttempt | null {
  const ids = instanceId === undefined ? new Set(events.map((e) => e.instanceId)) : [instanceId];
  const all = [...ids].flatMap((id) =>
    attempts(events.filter((event) => event.instanceId === id)).map((attempt) => ({
      instanceId: id,
      attempt,
    })),
  );
  const running = all.filter((one) => one.attempt.outcome === 'running');
  const least = running.reduce<CurrentAttempt | null>(
    (best, one) => (best === null || one.attempt.step < best.attempt.step ? one : best),
    null,
  );
  return least ?? all.sort((a, b) => b.attempt.startedAt - a.attempt.startedAt)[0] ?? null;
}

/** Counted probes of the step that an attempt is on, or ended on. */
export function stepCounts(probes: readonly ProbeLike[], shown: CurrentAttempt) {
  const { attempt, instanceId } = shown;
  const until = attempt.endedAt ?? Infinity;
  const own = probes.filter(
    (probe) =>
      probe.instanceId === instanceId && probe.at >= attempt.stepStartedAt && probe.at <= until,
  );
  const counts = countProbes(own);
  return { successes: counts.success, failures: counts.failure + counts.timeout };
}

/** Successes in a row up to the newest probe. */
export function consecutiveSuccesses(probes: readonly ProbeLike[]): number {
  const ordered = [...probes].sort((a, b) => b.at - a.at || b.id - a.id);
  const broken = ordered.findIndex((probe) => probeShape(probe.outcome) !== 'success');
  return broken === -1 ? ordered.length : broken;
}

export type Impact = {
  readonly probes: ProbeCounts;
  /** Null without probes. */
  readonly successShare: number | null;
  readonly refused: number;
};

/** What the range cost: probes by outcome, and the calls that were turned away. */
export function impactOf(probes: readonly ProbeLike[], points: readonly PointLike[]): Impact {
  const counts = countProbes(probes);
  return {
    probes: counts,
    successShare: counts.total === 0 ? null : counts.success / counts.total,
    refused: points.reduce((sum, point) => sum + point.refused, 0),
  };
}
