import type { TimeDomain } from './types';

/** No zoom below this: one-second samples have nothing more to show. */
export const MIN_SPAN_MS = 10_000;

export function spanOf(domain: TimeDomain): number {
  return domain.to - domain.from;
}

/** The last `spanMs` up to `now`, aligned to whole seconds so that the axis does not creep. */
export function liveDomain(now: number, spanMs: number): TimeDomain {
  const to = Math.ceil(now / 1000) * 1000;
  return { from: to - spanMs, to };
}

export function contains(domain: TimeDomain, at: number): boolean {
  return at >= domain.from && at < domain.to;
}

export function clampAt(domain: TimeDomain, at: number): number {
  return Math.min(Math.max(at, domain.from), domain.to);
}

/** The part of `span` inside `domain`, or null when they do not meet. */
export function clip(domain: TimeDomain, span: TimeDomain): TimeDomain | null {
  const from = Math.max(domain.from, span.from);
  const to = Math.min(domain.to, span.to);
  return to > from ? { from, to } : null;
}

/** Position as a fraction of the domain, unclamped. */
export function toRatio(domain: TimeDomain, at: number): number {
  return (at - domain.from) / spanOf(domain);
}

export function fromRatio(domain: TimeDomain, ratio: number): number {
  return domain.from + ratio * spanOf(domain);
}

/**
 * The domain after a drag from `a` to `b` (either way round), kept inside `limits` and at least
 * `MIN_SPAN_MS` wide about its middle. Null for a click, which is not a drag.
 */
export function brushTo(limits: TimeDomain, a: number, b: number): TimeDomain | null {
  const from = clampAt(limits, Math.min(a, b));
  const to = clampAt(limits, Math.max(a, b));
  if (to - from < spanOf(limits) / 100) return null;
  return widen(limits, { from, to });
}

/** Zooms by `factor` (< 1 is closer) and keeps the instant `at` under the pointer. */
export function zoomAbout(
  limits: TimeDomain,
  view: TimeDomain,
  at: number,
  factor: number,
): TimeDomain {
  const span = Math.min(Math.max(spanOf(view) * factor, MIN_SPAN_MS), spanOf(limits));
  const ratio = toRatio(view, at);
  return slideInto(limits, { from: at - ratio * span, to: at + (1 - ratio) * span });
}

/** Moves the view by a fraction of its own width, stopping at the limits. */
export function panBy(limits: TimeDomain, view: TimeDomain, fraction: number): TimeDomain {
  const shift = spanOf(view) * fraction;
  return slideInto(limits, { from: view.from + shift, to: view.to + shift });
}

function widen(limits: TimeDomain, view: TimeDomain): TimeDomain {
  if (spanOf(view) >= MIN_SPAN_MS) return view;
  const middle = (view.from + view.to) / 2;
  return slideInto(limits, { from: middle - MIN_SPAN_MS / 2, to: middle + MIN_SPAN_MS / 2 });
}

function slideInto(limits: TimeDomain, view: TimeDomain): TimeDomain {
  const span = Math.min(spanOf(view), spanOf(limits));
  const from = Math.min(Math.max(view.from, limits.from), limits.to - span);
  return { from, to: from + span };
}
