/**
 * How much of a recovery this breaker may do, agreed with others that guard the same target.
 * Durations in ms from now, so that no clock is compared with another.
 */
export type ProbeQuota = {
  /** The leave to probe lasts so long; 0 for none, Infinity for no end. */
  readonly forMs: number;
  /** After so long it is there again, should nobody say anything until then. */
  readonly againAfterMs: number;
  /** Breakers among which the absolute limits are divided while the leave lasts. */
  readonly sharedBy: number;
  /** And afterwards. */
  readonly afterwardsSharedBy: number;
};

/** The same in the breaker's own time. */
export type Quota = {
  readonly until: number;
  readonly again: number;
  readonly sharedBy: number;
  readonly afterwards: number;
};

export function quotaFrom(now: number, given: ProbeQuota): Quota {
  return {
    until: now + given.forMs,
    again: now + given.againAfterMs,
    sharedBy: Math.max(1, given.sharedBy),
    afterwards: Math.max(1, given.afterwardsSharedBy),
  };
}

/** A breaker that nobody has agreed with needs no leave. */
export function hasLeave(quota: Quota | null, now: number): boolean {
  return quota === null || now < quota.until || now >= quota.again;
}

export function sharers(quota: Quota | null, now: number): number {
  if (quota === null) return 1;
  return now < quota.until ? quota.sharedBy : quota.afterwards;
}

/** This breaker's part of an absolute limit. One is the least that lets it recover at all. */
export function partOf(limit: number, sharedBy: number): number {
  return Math.max(1, Math.floor(limit / sharedBy));
}

/** `calls` per period for all together: several each, or one each per several periods. */
export function partOfPeriod(
  calls: number,
  periodMs: number,
  sharedBy: number,
): { readonly calls: number; readonly periodMs: number } {
  return {
    calls: partOf(calls, sharedBy),
    periodMs: periodMs * Math.max(1, Math.ceil(sharedBy / calls)),
  };
}
