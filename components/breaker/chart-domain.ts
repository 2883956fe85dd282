import { liveDomain } from '@/lib/series/domain';
import type { TimeDomain } from '@/lib/series/types';
import { SPANS, type View } from './use-range';

const MINUTE_MS = 60_000;

/** Room after now, so that a wait that is running and those after it can be seen. */
const AHEAD_SHARE = 0.1;
const MOST_AHEAD_MS = 6 * MINUTE_MS;

/** Live data need not be asked for again more often; on a long range it is too much to ask. */
const FETCHES_PER_SPAN = 200;
/** The live topic is kept for ten minutes. */
const MOST_APART_MS = 5 * MINUTE_MS;

/** Nothing is older than that anywhere. */
const OLDEST_MS = 366 * 24 * 60 * MINUTE_MS;

/** What is drawn: a fixed range, or the last minutes and a little of what comes. */
export function chartDomain(view: View, now: number): TimeDomain {
  if (view.past !== null) return view.past;
  const span = SPANS[view.span];
  const { from, to } = liveDomain(now, span);
  const ahead = Math.min(span * AHEAD_SHARE, MOST_AHEAD_MS);
  return { from, to: to + Math.round(ahead / 1_000) * 1_000 };
}

/** True while something can still happen in what is drawn. */
export function reachesNow(view: View, now: number): boolean {
  return view.past === null || view.past.to > now;
}

/** How far the view can be moved; a second of the clock is not a reason to draw anew. */
export function viewLimits(domain: TimeDomain, now: number): TimeDomain {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return { from: minute - OLDEST_MS, to: Math.max(minute + MINUTE_MS, domain.to) };
}

/**
 * What is asked of the server. The key of a live range changes once a minute: the live topic tells
 * what happens in between, and the minute's answer repairs whatever it missed.
 */
export function fetchRange(view: View, now: number): TimeDomain {
  if (view.past !== null && !reachesNow(view, now)) return view.past;
  const span = view.past === null ? SPANS[view.span] : view.past.to - view.past.from;
  const wanted = Math.min(span / FETCHES_PER_SPAN, MOST_APART_MS);
  const apart = Math.max(MINUTE_MS, Math.floor(wanted / MINUTE_MS) * MINUTE_MS);
  const minute = Math.floor(now / apart) * apart;
  return { from: view.past?.from ?? minute - span, to: minute + apart + MINUTE_MS };
}
