import { liveDomain } from '@/lib/series/domain';
import type { TimeDomain } from '@/lib/series/types';
import { SPANS, type View } from './use-range';

const MINUTE_MS = 60_000;

/** Room after now, so that a wait that is running and those after it can be seen. */
const AHEAD_SHARE = 0.1;

/** What is drawn: a fixed range, or the last minutes and a little of what comes. */
export function chartDomain(view: View, now: number): TimeDomain {
  if (view.past !== null) return view.past;
  const span = SPANS[view.span];
  const { from, to } = liveDomain(now, span);
  return { from, to: to + Math.round((span * AHEAD_SHARE) / 1_000) * 1_000 };
}

/**
 * What is asked of the server. The key of a live range changes once a minute: the live topic tells
 * what happens in between, and the minute's answer repairs whatever it missed.
 */
export function fetchRange(view: View, now: number): TimeDomain {
  if (view.past !== null) return view.past;
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return { from: minute - SPANS[view.span], to: minute + 2 * MINUTE_MS };
}
