import type { Core } from './core';
import { evaluate } from './judging';
import { IssuedPermit } from './permit';
import type { Steady } from './record';
import { isQuiet, slowBits } from './rules';
import { SLOW } from './window';

export function isSteady(core: Core, steady: Steady | null): steady is Steady {
  return steady !== null && steady.record === core.record;
}

export function admitSteady(
  core: Core,
  steady: Steady,
  idempotent: boolean,
  learns: boolean,
): IssuedPermit {
  const { now } = core;
  if (learns && now >= steady.learnsFrom) core.learner.admitted(now);
  const permit = new IssuedPermit(steady.origin, idempotent, now);
  steady.flights.push(permit);
  core.counters.admitted++;
  const dueAt = now + steady.soonestMs;
  if (dueAt < core.nextDue) core.nextDue = dueAt;
  return permit;
}

/**
 * Books the success of a steady permit that is still out: `settle` with all that cannot apply left
 * out. The epoch is the permit's own, because its origin is; it has not expired, because the clock
 * has been advanced; and nobody watches, because nothing is in force.
 */
export function succeedSteady(
  core: Core,
  steady: Steady,
  permit: IssuedPermit,
  latencyMs: number,
): void {
  const { counters, now } = core;
  const { judge } = steady;
  permit.phase = 'settled';
  steady.flights.remove(permit);
  const bits = slowBits(core.rules, latencyMs);
  // The first threshold is the breaker's own `slowMs`.
  if ((bits & SLOW) !== 0) counters.slow++;
  counters.settled.success++;
  if (now >= steady.learnsFrom)
    core.learner.settled(now, latencyMs, false, true, permit.idempotent);
  judge.failuresInRow = 0;
  judge.refusedInRow = 0;
  judge.window.add(now, bits);
  if (!isQuiet(judge, steady.flights)) evaluate(core, judge, now);
}
