import { longestOpenMs } from './adopt';
import { monotonic, shadowMask } from './core';
import type { Core } from './core';
import { report } from './events';
import { Flights } from './flights';
import { startOverride } from './masking';
import type { Automatic } from './record';
import { SNAPSHOT_VERSION } from './snapshot-format';
import type { BreakerSnapshot } from './snapshot-format';
import { readSnapshot } from './snapshot-reader';
import { levelAt, newClosed, newOpen } from './transitions';
import type { AutomaticState } from './types';
import { unreachable } from './unreachable';

export function takeSnapshot(core: Core): BreakerSnapshot {
  const { record, now } = core;
  const { auto } = record;
  return {
    version: SNAPSHOT_VERSION,
    takenAtWallMs: core.environment.wallClock(),
    automatic: auto.kind,
    level: levelAt(core, now),
    epoch: record.epoch,
    retryInMs: auto.kind === 'open' ? Math.max(0, auto.retryAt - now) : 0,
    openTimeoutMs: auto.kind === 'open' ? auto.timeoutMs : 0,
    recoveredForMs: auto.kind === 'closed' && auto.recovered ? now - auto.closedAt : null,
    outageMs: core.outageMs,
    baseline: core.learner.save(now),
    overrides: core.overrides.map(({ kind, id, reason, actor, resume, expiresAt }) => ({
      kind,
      id,
      reason,
      actor,
      resume,
      remainingMs: expiresAt === Infinity ? null : expiresAt - now,
    })),
  };
}

/** Never more permissive than going on would have been; what cannot be read is left out. */
export function restoreInto(core: Core, saved: unknown): void {
  const snapshot = readSnapshot(saved);
  if (typeof snapshot === 'string') {
    report(
      core.environment.onProblem,
      new Error(`Circuit breaker "${core.name}" starts afresh: ${snapshot}`),
    );
    return;
  }
  core.now = monotonic(core.environment.clock(), core.now);
  const awayMs = Math.max(0, core.environment.wallClock() - snapshot.takenAtWallMs);
  core.learner.load(snapshot.baseline, core.now - awayMs);
  core.outageMs = snapshot.outageMs;
  const auto = restoredState(core, snapshot, awayMs);
  core.record = {
    auto,
    mask: core.config.mode === 'shadow' && auto.kind === 'closed' ? shadowMask(auto) : null,
    epoch: snapshot.epoch + 1,
    stepSeq: 0,
    level: snapshot.level + decayedSince(core, auto),
    flights: new Flights(auto.kind === 'closed' ? core.rules.ages : []),
  };
  core.nextDue = Number.NEGATIVE_INFINITY;
  for (const { remainingMs, kind, id, reason, actor, resume } of snapshot.overrides) {
    const leftMs = remainingMs === null ? null : remainingMs - awayMs;
    if (leftMs !== null && leftMs <= 0) continue;
    const request = { id, reason, actor, resume };
    startOverride(core, kind, leftMs === null ? request : { ...request, expiresInMs: leftMs });
  }
}

/** The saved level has decayed already; closed time from before must not lower it again. */
function decayedSince({ config, now }: Core, auto: Automatic): number {
  return auto.kind === 'closed' ? Math.floor((now - auto.closedAt) / config.open.decayEveryMs) : 0;
}

function restoredState(core: Core, snapshot: BreakerSnapshot, awayMs: number): Automatic {
  const { now } = core;
  if (core.config.mode === 'shadow') return newClosed(core, now, false);
  const state = stateAfter(snapshot, awayMs);
  switch (state) {
    case 'closed': {
      const { recoveredForMs } = snapshot;
      const { stableForMs } = core.config.open;
      if (recoveredForMs === null || recoveredForMs >= stableForMs) {
        return newClosed(core, now, false);
      }
      return { ...newClosed(core, now, true), closedAt: now - recoveredForMs };
    }
    case 'half_open':
      return restoredOpen(core, 0, 0);
    case 'open': {
      const { retryInMs, openTimeoutMs } = snapshot;
      if (snapshot.automatic !== 'open') {
        return newOpen(core, now, snapshot.level, Number.NEGATIVE_INFINITY);
      }
      return restoredOpen(core, retryInMs - awayMs, openTimeoutMs);
    }
    default:
      return unreachable(state);
  }
}

/** An override that ran out while the process was gone has resumed in its own way. */
function stateAfter({ overrides, automatic }: BreakerSnapshot, awayMs: number): AutomaticState {
  const last = overrides.at(-1);
  if (last === undefined) return automatic;
  const live = overrides.some(({ remainingMs }) => remainingMs === null || remainingMs > awayMs);
  return live ? automatic : last.resume;
}

function restoredOpen(core: Core, remainingMs: number, timeoutMs: number): Automatic {
  const { open } = core.config;
  const retryAt = core.now + Math.min(longestOpenMs(core), Math.max(0, remainingMs));
  const openedAt = Math.min(core.now, retryAt - timeoutMs);
  return {
    kind: 'open',
    openedAt,
    retryAt,
    timeoutMs: retryAt - openedAt,
    earliestAt: Math.min(retryAt, openedAt + open.minMs),
    hurried: false,
  };
}
