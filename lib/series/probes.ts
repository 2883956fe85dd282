import type { ProbeLike, TimeDomain } from './types';
import { logBounds, niceCeil } from './ticks';

export const probeShapes = ['success', 'failure', 'timeout'] as const;
/** Drawn as circle, cross and triangle; the shape carries the class, the colour repeats it. */
export type ProbeShape = (typeof probeShapes)[number];

export type ProbeMark = {
  readonly id: number;
  readonly at: number;
  readonly instanceId: string;
  readonly latencyMs: number;
  /** Where it is drawn: `latencyMs` kept inside the axis, so that no mark is ever cut off. */
  readonly drawnMs: number;
  readonly shape: ProbeShape;
  readonly outcome: string;
  readonly step: number;
};

/** The target answered, even if it did not like the request. */
const ANSWERED = new Set(['success', 'client_error']);

export function probeShape(outcome: string): ProbeShape {
  if (ANSWERED.has(outcome)) return 'success';
  return outcome === 'timeout' ? 'timeout' : 'failure';
}

export type LatencyAxis = {
  readonly kind: 'log' | 'linear';
  readonly bounds: readonly [number, number];
};

/** A log axis needs a floor: refused connections fail in microseconds. */
const LOG_FLOOR_MS = 1;

/**
 * Bounds that hold every probe and every line drawn over them, so that the slowest timeout and the
 * fastest refusal are both on the chart.
 */
export function latencyAxis(
  kind: LatencyAxis['kind'],
  latencies: readonly number[],
  lines: readonly (number | null)[],
): LatencyAxis {
  const values = [...latencies, ...lines.filter((line) => line !== null)].filter(Number.isFinite);
  const high = values.reduce((top, value) => Math.max(top, value), LOG_FLOOR_MS);
  if (kind === 'linear') return { kind, bounds: [0, niceCeil(high * 1.05)] };
  const low = values.reduce((bottom, value) => Math.min(bottom, value), high);
  // Half a step of room, or a mark at the very top would be cut in two.
  return { kind, bounds: logBounds(Math.max(low, LOG_FLOOR_MS) / 1.25, high * 1.25) };
}

export function probeMarks(
  probes: readonly ProbeLike[],
  axis: LatencyAxis,
  domain?: TimeDomain,
): ProbeMark[] {
  const [bottom, top] = axis.bounds;
  return probes
    .filter((probe) => !domain || (probe.at >= domain.from && probe.at < domain.to))
    .map((probe) => ({
      id: probe.id,
      at: probe.at,
      instanceId: probe.instanceId,
      latencyMs: probe.latencyMs,
      drawnMs: Math.min(Math.max(probe.latencyMs, bottom), top),
      shape: probeShape(probe.outcome),
      outcome: probe.outcome,
      step: probe.step,
    }));
}

/**
 * At most `limit` marks: every failure and timeout first, then successes at an even pick. If the
 * failures alone are more than `limit` they all stay: hiding one would lie, a slow frame does not.
 */
export function thinProbes<T extends { readonly shape: ProbeShape }>(
  marks: readonly T[],
  limit: number,
): { marks: T[]; leftOut: number } {
  if (marks.length <= limit) return { marks: [...marks], leftOut: 0 };
  const successes = marks.filter((mark) => mark.shape === 'success').length;
  const room = Math.max(0, limit - (marks.length - successes));
  let seen = 0;
  const kept = marks.filter((mark) => {
    if (mark.shape !== 'success') return true;
    seen += 1;
    return Math.floor((seen * room) / successes) > Math.floor(((seen - 1) * room) / successes);
  });
  return { marks: kept, leftOut: marks.length - kept.length };
}

export type ProbeCounts = Readonly<Record<ProbeShape, number>> & {
  readonly total: number;
  /** By outcome class, most frequent first. */
  readonly classes: readonly { readonly outcome: string; readonly count: number }[];
};

export function countProbes(probes: readonly Pick<ProbeLike, 'outcome'>[]): ProbeCounts {
  const shapes = { success: 0, failure: 0, timeout: 0 };
  const classes = new Map<string, number>();
  for (const { outcome } of probes) {
    shapes[probeShape(outcome)] += 1;
    classes.set(outcome, (classes.get(outcome) ?? 0) + 1);
  }
  return {
    ...shapes,
    total: probes.length,
    classes: [...classes]
      .map(([outcome, count]) => ({ outcome, count }))
      .sort((a, b) => b.count - a.count || a.outcome.localeCompare(b.outcome)),
  };
}
