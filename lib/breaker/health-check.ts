import { monotonic } from './core';
import type { Core } from './core';
import { weightOf } from './outcome';
import { IssuedPermit } from './permit';
import type { Origin, Permit, Rejection, Settler } from './permit';
import type { Outcome, Receipt } from './types';

/**
 * Leave for one synthetic call, whatever the state: it is no traffic, takes no place and moves
 * nothing. One at a time, so that a forced-open target is not probed by a crowd.
 */
export function acquireCheck(core: Core, idempotent: boolean): Permit | Rejection {
  const { config, now, record, counters } = core;
  const under = core.check;
  if (under !== null && under.phase === 'out' && now < under.expiresAt) {
    counters.healthChecks.refused++;
    return { granted: false, reason: 'in_flight', retryAfterMs: under.expiresAt - now };
  }
  counters.healthChecks.issued++;
  const { epoch, stepSeq } = record;
  const lifeMs = config.callTimeoutMs + config.permitGraceMs;
  const settler = new CheckSettler(core);
  const origin: Origin = { settler, epoch, stepSeq, role: 'bypass', step: null, lifeMs };
  const permit = new IssuedPermit(origin, idempotent, now);
  core.check = permit;
  return permit;
}

class CheckSettler implements Settler {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  settle(permit: IssuedPermit, outcome: Outcome): Receipt {
    const core = this.#core;
    if (permit.phase === 'settled') return 'duplicate';
    permit.phase = 'settled';
    if (core.disposed) return 'late';
    const expired = monotonic(core.environment.clock(), core.now) >= permit.expiresAt;
    const weight = weightOf(outcome);
    if (weight === 'bad') core.counters.healthChecks.failed++;
    else if (weight === 'good' && !expired) core.counters.healthChecks.passed++;
    return expired ? 'expired' : 'bypassed';
  }
}
