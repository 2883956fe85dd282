import { transitionsOf } from './events';
import type { EventLike, TimeDomain } from './types';
import type { Transition } from './events';

export type Opening = {
  readonly id: number;
  readonly instanceId: string;
  readonly instance: string;
  readonly openedAt: number;
  /** When the wait is over and the next call may probe. */
  readonly retryAt: number;
  /** When it really left open; null while it still is, or when the end is not in the history. */
  readonly endedAt: number | null;
  readonly timeoutMs: number;
  readonly level: number;
  readonly cause: string;
  readonly relapse: boolean;
};

/**
 * Every opening whose duration is known, oldest first. One without a timeout (forced open, or a
 * report of an adapter that does not know it) has no bar: a made-up height would be a lie.
 */
export function openings(events: readonly EventLike[], domain?: TimeDomain): Opening[] {
  const found: Opening[] = [];
  const running = new Map<string, number>();
  for (const change of transitionsOf(events)) {
    const index = running.get(change.instanceId);
    const before = index === undefined ? undefined : found[index];
    if (index !== undefined && before !== undefined) {
      found[index] = { ...before, endedAt: change.at };
      running.delete(change.instanceId);
    }
    const opening = readOpening(change);
    if (opening === null) continue;
    running.set(change.instanceId, found.length);
    found.push(opening);
  }
  return domain ? found.filter((opening) => touches(opening, domain)) : found;
}

function readOpening(change: Transition): Opening | null {
  if (change.to !== 'open' || change.openTimeoutMs === null) return null;
  return {
    id: change.id,
    instanceId: change.instanceId,
    instance: change.instance,
    openedAt: change.at,
    retryAt: change.at + (change.retryInMs ?? change.openTimeoutMs),
    endedAt: null,
    timeoutMs: change.openTimeoutMs,
    level: change.level ?? 0,
    cause: change.cause,
    relapse: change.cause === 'trip' && (change.level ?? 0) > 0,
  };
}

function touches(opening: Opening, domain: TimeDomain): boolean {
  return opening.openedAt < domain.to && opening.retryAt > domain.from;
}

/** The newest opening that still waits at `now`, over all instances. */
export function currentOpening(list: readonly Opening[], now: number): Opening | null {
  return list.findLast((one) => one.endedAt === null && one.openedAt <= now) ?? null;
}
