import type { PointLike, TimeDomain } from './types';

/** One row of the ramp chart. A null breaks the line: nothing is known there. */
export type RampRow = {
  readonly at: number;
  readonly allowedPercent: number | null;
  readonly admittedPercent: number | null;
  readonly refusedPerSecond: number | null;
  readonly step: number | null;
};

/** Share of the calls that wanted through and got through; null when nobody called. */
export function admittedShare(point: Pick<PointLike, 'admitted' | 'refused'>): number | null {
  const calls = point.admitted + point.refused;
  return calls === 0 ? null : point.admitted / calls;
}

/**
 * Rows for step lines. A run of buckets ends with a closing row, so that its last bucket is as wide
 * as the others, and then a row of nulls, so that no line crosses what is missing.
 */
export function rampSeries(
  points: readonly PointLike[],
  resolutionMs: number,
  domain?: TimeDomain,
): RampRow[] {
  const rows: RampRow[] = [];
  let last: RampRow | null = null;
  for (const point of points) {
    if (point.instances === 0 || outside(point.at, resolutionMs, domain)) continue;
    if (last !== null && point.at - last.at > resolutionMs * 1.5) {
      rows.push(...closing(last, resolutionMs));
    }
    last = rampRow(point, resolutionMs);
    rows.push(last);
  }
  if (last !== null) rows.push(...closing(last, resolutionMs));
  return rows;
}

function rampRow(point: PointLike, resolutionMs: number): RampRow {
  const admitted = admittedShare(point);
  return {
    at: point.at,
    allowedPercent: point.share * 100,
    admittedPercent: admitted === null ? null : admitted * 100,
    refusedPerSecond: point.refused / (resolutionMs / 1000),
    step: point.step,
  };
}

function closing(last: RampRow, resolutionMs: number): RampRow[] {
  const at = last.at + resolutionMs;
  const nothing = { allowedPercent: null, admittedPercent: null, refusedPerSecond: null };
  return [
    { ...last, at },
    { at, ...nothing, step: null },
  ];
}

function outside(at: number, resolutionMs: number, domain: TimeDomain | undefined): boolean {
  return domain !== undefined && (at + resolutionMs <= domain.from || at >= domain.to);
}

/** The highest refused rate, for the right-hand axis. */
export function peakRefused(rows: readonly RampRow[]): number {
  return rows.reduce((peak, row) => Math.max(peak, row.refusedPerSecond ?? 0), 0);
}
