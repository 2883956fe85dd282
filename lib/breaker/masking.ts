import { commit, shadowMask } from './core';
import type { Core } from './core';
import { Flights } from './flights';
import type { Automatic, Closed, Mask, Override } from './record';
import { newJudge } from './rules';
import { levelAt, newClosed, newHalfOpen, newOpen, openData, probeFlights } from './transitions';
import type { AutomaticState, OverrideKind, OverrideRequest } from './types';
import { unreachable } from './unreachable';

/** T8: the newest override is in force. Permits under way belong to another time. */
export function startOverride(core: Core, kind: OverrideKind, request: OverrideRequest): Override {
  const { now } = core;
  const override: Override = {
    kind,
    id: request.id ?? `override-${++core.overrideIds}`,
    reason: request.reason,
    actor: request.actor,
    resume: request.resume ?? (kind === 'forced_open' ? 'half_open' : 'closed'),
    expiresAt: request.expiresInMs === undefined ? Infinity : now + request.expiresInMs,
  };
  core.overrides.push(override);
  force(core, override, now);
  return override;
}

/** Ends one override. The next older one comes into force, or the automatic machine resumes. */
export function endOverride(
  core: Core,
  override: Override,
  at: number,
  reason: 'released' | 'expired',
): boolean {
  const index = core.overrides.indexOf(override);
  if (index < 0) return false;
  core.overrides.splice(index, 1);
  core.nextDue = Number.NEGATIVE_INFINITY;
  if (core.record.mask?.override !== override) return true;
  const older = core.overrides.at(-1);
  if (older === undefined) resume(core, override, at, reason);
  else force(core, older, at);
  return true;
}

function force(core: Core, override: Override, at: number): void {
  const { mask, auto } = core.record;
  const level = levelAt(core, at);
  const judge =
    mask?.judge ?? (auto.kind === 'closed' ? auto.judge : newJudge(core.config, core.rules));
  commit(
    core,
    {
      mask: { kind: override.kind, override, judge },
      level,
      epoch: 'next',
      flights: new Flights(core.rules.ages),
    },
    {
      type: 'forced',
      at,
      reason: override.reason,
      data: { cause: 'override', overrideId: override.id, actor: override.actor, level },
    },
  );
}

/** T9: a fresh record; nothing from before the override has influence. */
function resume(core: Core, override: Override, at: number, reason: 'released' | 'expired'): void {
  const { level } = core.record;
  const resumed = core.config.mode === 'shadow' ? 'closed' : override.resume;
  const auto = fresh(core, resumed, at, level);
  core.outage = resumed === 'closed' ? null : { startedAt: at, lastBadAt: at };
  commit(
    core,
    {
      auto,
      mask: baseMask(core, auto),
      epoch: 'next',
      step: 'next',
      flights: freshFlights(core, auto),
    },
    {
      type: 'resumed',
      at,
      reason,
      data: {
        cause: 'override_ended',
        overrideId: override.id,
        actor: override.actor,
        level,
        ...(auto.kind === 'open' ? openData(auto, level) : {}),
      },
    },
  );
}

function fresh(core: Core, state: AutomaticState, at: number, level: number): Automatic {
  switch (state) {
    case 'closed':
      return newClosed(core, at, false);
    case 'open':
      return newOpen(core, at, level, Number.NEGATIVE_INFINITY);
    case 'half_open':
      return newHalfOpen(core, at);
    default:
      return unreachable(state);
  }
}

function freshFlights(core: Core, auto: Automatic): Flights {
  if (auto.kind === 'half_open') return probeFlights(core, auto.baseline);
  return new Flights(auto.kind === 'closed' ? core.rules.ages : []);
}

function baseMask(core: Core, auto: Automatic): Mask | null {
  return core.config.mode === 'shadow' && auto.kind === 'closed' ? shadowMask(auto) : null;
}

/** T10: as if new, but the books of its life go on. */
export function resetMachine(core: Core): void {
  const closed: Closed = newClosed(core, core.now, false);
  core.overrides.length = 0;
  core.outage = null;
  commit(
    core,
    {
      auto: closed,
      mask: baseMask(core, closed),
      level: 0,
      epoch: 'next',
      flights: new Flights(core.rules.ages),
    },
    { type: 'reset', at: core.now, reason: 'reset', data: { cause: 'reset', level: 0 } },
  );
}
