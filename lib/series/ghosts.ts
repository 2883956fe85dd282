import { backoffCurve, type BackoffRule, type CurvePoint } from './backoff';
import type { Opening } from './openings';
import type { TimeDomain } from './types';

/** A wait that has not happened: what the next openings would be if every probe failed at once. */
export type Ghost = CurvePoint & TimeDomain;

/** The theoretical waits after the latest opening, one after the other, up to the end of the view. */
export function ghosts(
  rule: BackoffRule | null,
  latest: Opening | null,
  domain: TimeDomain,
): Ghost[] {
  if (rule === null || latest === null || latest.endedAt !== null) return [];
  const curve = backoffCurve(rule, latest.level + 1);
  const list: Ghost[] = [];
  let from = latest.retryAt;
  for (let index = 0; from < domain.to && list.length < 12; index += 1) {
    const point = curve[Math.min(index, curve.length - 1)];
    if (point === undefined) break;
    list.push({ ...point, level: latest.level + 1 + index, from, to: from + point.timeoutMs });
    from += point.timeoutMs;
  }
  return list;
}
