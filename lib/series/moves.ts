import { panBy, zoomAbout } from './domain';
import type { Band } from './bands';
import type { TimeDomain } from './types';

/** The ways to another stretch of time, the same for buttons, keys and wheel. */
export type Move = 'in' | 'out' | 'earlier' | 'later';

const CLOSER = 0.5;
const PAN_SHARE = 0.25;

/** The domain after a move; a zoom keeps `at` where it is. */
export function moveView(
  limits: TimeDomain,
  view: TimeDomain,
  move: Move,
  at = (view.from + view.to) / 2,
): TimeDomain {
  if (move === 'in') return zoomAbout(limits, view, at, CLOSER);
  if (move === 'out') return zoomAbout(limits, view, at, 1 / CLOSER);
  return panBy(limits, view, move === 'earlier' ? -PAN_SHARE : PAN_SHARE);
}

/** A notch of a mouse wheel is 100 pixels; eight of them are about a factor of four. */
const WHEEL_RATE = 0.0018;

/** The factor of a zoom by wheel or pinch; away from the hand is closer. */
export function wheelFactor(deltaPx: number): number {
  return Math.exp(Math.min(Math.max(deltaPx, -400), 400) * WHEEL_RATE);
}

/** The nearest change of state before or after `at`, or null when there is none. */
export function nextEdge(bands: readonly Band[], at: number, way: 'before' | 'after') {
  const edges = bands.slice(1).map((band) => band.from);
  const found =
    way === 'after' ? edges.find((edge) => edge > at) : edges.findLast((edge) => edge < at);
  return found ?? null;
}
