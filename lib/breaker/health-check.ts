import { monotonic } from './core';
import type { Core } from './core';
import { weightOf } from './outcome';
import { IssuedPermit } from './permit';
import type { Permit, Rejection, Settle } from './permit';

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
  const expiresAt = now + config.callTimeoutMs + config.permitGraceMs;
  const { epoch, stepSeq } = record;
  const settle = settlement(core);
  const permit = new IssuedPermit(
    settle,
    epoch,
    stepSeq,
    'bypass',
    null,
    idempotent,
    now,
    expiresAt,
  );
  core.check = permit;
  return permit;
}

function settlement(core: Core): Settle {
  return (permit, outcome) => {
    if (permit.phase === 'settled') return 'duplicate';
    permit.phase = 'settled';
    if (core.disposed) return 'late';
    const expired = monotonic(core.environment.clock(), core.now) >= permit.expiresAt;
    const weight = weightOf(outcome);
    if (weight === 'bad') core.counters.healthChecks.failed++;
    else if (weight === 'good' && !expired) core.counters.healthChecks.passed++;
    return expired ? 'expired' : 'bypassed';
  };
}
