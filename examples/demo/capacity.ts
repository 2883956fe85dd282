/**
 * How much a store can take, and what happens when it is asked for more.
 *
 * After a restart its caches, pools and compiled code are gone: it answers a small part of what it
 * answers warm. Only work warms it. Offered more than it can take it queues; queueing for too long
 * takes it down, and it comes back as cold as after a restart. So one good answer says nothing
 * about the next hundred, and a breaker that lets everything in after one probe kills it again.
 *
 * Pure: time is an argument, nothing is random, the state is plain data.
 */
export type Capacity = {
  /** Calls per second when warm. */
  readonly fullRps: number;
  /** Part of it that is left when cold, 0 to 1. */
  readonly coldShare: number;
  /** Served calls after which 63 % of the warmth is back. */
  readonly warmingCalls: number;
  readonly warmMs: number;
  readonly coldMs: number;
  /** Work that fits into its pool at once, without waiting. */
  readonly poolMs: number;
  /** A call that would wait longer is turned away. */
  readonly queueMs: number;
  /** Part of the warmth that each call turned away costs: what was loaded for it is thrown out. */
  readonly thrash: number;
  /** Turning calls away for this long takes it down. */
  readonly collapseAfterMs: number;
  /** How long it is down. */
  readonly downMs: number;
};

export type Store = {
  readonly warmth: number;
  /** When the work accepted so far will be done. */
  readonly busyUntil: number;
  readonly overloadedSince: number | null;
  readonly downUntil: number;
  /** Smoothed time between arrivals; null until there were two. */
  readonly gapMs: number | null;
  readonly lastAt: number | null;
};

export type Answer =
  | { readonly kind: 'ok'; readonly latencyMs: number }
  | { readonly kind: 'overloaded' }
  /** Accepted and never answered: the caller's own deadline ends it. */
  | { readonly kind: 'lost' };

export const inventoryDb: Capacity = {
  fullRps: 36,
  coldShare: 0.04,
  warmingCalls: 28,
  warmMs: 6,
  coldMs: 18,
  poolMs: 500,
  queueMs: 250,
  thrash: 0.6,
  collapseAfterMs: 50,
  downMs: 1_500,
};

export function warmStore(): Store {
  return { ...coldStore(), warmth: 1 };
}

export function coldStore(): Store {
  return {
    warmth: 0,
    busyUntil: 0,
    overloadedSince: null,
    downUntil: 0,
    gapMs: null,
    lastAt: null,
  };
}

export function capacityRps(store: Store, limits: Capacity): number {
  return limits.fullRps * (limits.coldShare + (1 - limits.coldShare) * store.warmth);
}

/** One call arrives. */
export function serve(
  store: Store,
  now: number,
  limits: Capacity,
): { readonly store: Store; readonly answer: Answer } {
  const seen = { ...store, ...arrival(store, now) };
  if (now < store.downUntil) return { store: seen, answer: { kind: 'lost' } };

  const perCallMs = 1_000 / capacityRps(seen, limits);
  const backlogMs = Math.max(0, seen.busyUntil - now);
  const waitMs = Math.max(0, backlogMs - limits.poolMs);
  if (waitMs > limits.queueMs) return turnAway(seen, now, limits);

  const served: Store = {
    ...seen,
    warmth: seen.warmth + (1 - seen.warmth) / limits.warmingCalls,
    busyUntil: now + backlogMs + perCallMs,
    overloadedSince: waitMs > 0 ? seen.overloadedSince : null,
  };
  return { store: served, answer: { kind: 'ok', latencyMs: latency(seen, waitMs, limits) } };
}

function turnAway(store: Store, now: number, limits: Capacity) {
  const since = store.overloadedSince ?? now;
  if (now - since < limits.collapseAfterMs) {
    const warmth = store.warmth * (1 - limits.thrash);
    return {
      store: { ...store, warmth, overloadedSince: since },
      answer: { kind: 'overloaded' } as const,
    };
  }
  const collapsed = { ...coldStore(), downUntil: now + limits.downMs };
  return { store: collapsed, answer: { kind: 'lost' } as const };
}

function arrival(store: Store, now: number): Pick<Store, 'gapMs' | 'lastAt'> {
  if (store.lastAt === null) return { gapMs: null, lastAt: now };
  // A long pause says nothing about the rate before it.
  const gap = Math.min(1_000, now - store.lastAt);
  const gapMs = store.gapMs === null ? gap : store.gapMs + (gap - store.gapMs) / 10;
  return { gapMs, lastAt: now };
}

/** Answers take longer the nearer the offered rate is to the capacity, as in any queue. */
function latency(store: Store, waitMs: number, limits: Capacity): number {
  const baseMs = limits.warmMs + (limits.coldMs - limits.warmMs) * (1 - store.warmth);
  const offeredRps = store.gapMs === null ? 0 : 1_000 / Math.max(1, store.gapMs);
  const use = Math.min(0.8, offeredRps / capacityRps(store, limits));
  return baseMs / (1 - use) + waitMs;
}
