import { commit } from './core';
import type { Core } from './core';
import { Flights } from './flights';
import type { Open } from './record';
import { fallBack, levelAt, openData, trip } from './transitions';

/** An opening that was decided outside the breaker: by a peer, or by comparison with other endpoints. */
export type OutsideOpening = {
  /** Becomes the reason of the event. */
  readonly reason: string;
  /** Ms until the retry, as far as known; otherwise the breaker draws its own open time. */
  readonly retryInMs?: number;
  /** The level the decider had reached; the higher of both counts. */
  readonly level?: number;
};

/**
 * Opens a closed or half-open breaker. Answers false, and changes nothing, where it is open
 * already, under an override, watching only or disposed.
 */
export function adoptOpening(core: Core, { reason, retryInMs, level }: OutsideOpening): boolean {
  const { auto, mask } = core.record;
  if (core.disposed || mask !== null || auto.kind === 'open') return false;
  const at = core.now;
  if (retryInMs === undefined) {
    if (auto.kind === 'closed') trip(core, at, auto, reason, {});
    else fallBack(core, at, auto, 'fallback', reason);
    return true;
  }
  core.learner.discardRecent();
  core.outage = { startedAt: core.outage?.startedAt ?? at, lastBadAt: at };
  const open = openFor(core, at, retryInMs);
  const reached = Math.max(levelAt(core, at), level ?? 0);
  commit(
    core,
    { auto: open, level: reached, epoch: 'next', flights: new Flights([]) },
    {
      type: 'opened',
      at,
      reason,
      data: { cause: auto.kind === 'closed' ? 'trip' : 'fallback', ...openData(open, reached) },
    },
  );
  return true;
}

/** What is left of somebody else's open time: nothing is drawn, and no more than could be here. */
function openFor(core: Core, at: number, retryInMs: number): Open {
  const timeoutMs = Math.min(longestOpenMs(core), Math.max(0, retryInMs));
  return {
    kind: 'open',
    openedAt: at,
    retryAt: at + timeoutMs,
    timeoutMs,
    earliestAt: at + Math.min(timeoutMs, core.config.open.minMs),
    hurried: false,
  };
}

export function longestOpenMs({ config: { open } }: Core): number {
  return Math.max(open.kind === 'fixed' ? 2 * open.baseMs : open.maxMs, open.maxHintMs);
}
