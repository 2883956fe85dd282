import { basisPoints } from './checks';
import type { RecoveryConfig } from './config-types';
import type { Baseline } from './baseline';
import { stepCount } from './config-recovery';
import { partOf } from './quota';
import type { Ledger } from './ledger';
import { unreachable } from './unreachable';

/** In-flight caps of the first steps while nothing is known of the target; none after them. */
const BLIND_CAPS = [2, 8, 32];
/** Room above the exact figures: calls come unevenly. */
const CAP_ROOM = 2;
const RATE_ROOM = 1.2;
const GROWTH_ROOM = 2;

export function lastStep(recovery: RecoveryConfig): number {
  return stepCount(recovery.admission) - 1;
}

/** Share of a step in basis points; 0 where admission does not go by share. */
export function stepShare(recovery: RecoveryConfig, step: number): number {
  const { admission } = recovery;
  switch (admission.kind) {
    case 'fixed':
      return 0;
    case 'percent':
      return basisPoints(admission.share);
    case 'ramp':
    case 'sticky':
      return basisPoints(admission.steps[step] ?? 1);
    case 'adaptive':
      return basisPoints(admission.low);
    default:
      return unreachable(admission);
  }
}

/** Little's law gives the calls that a share of the normal load keeps under way. */
export function inFlightCap(
  recovery: RecoveryConfig,
  step: number,
  share: number,
  baseline: Baseline | null,
  sharedBy: number,
): number {
  if (recovery.maxInFlight !== 'auto') {
    return partOf(recovery.maxInFlight[step] ?? Infinity, sharedBy);
  }
  if (baseline === null) return partOf(BLIND_CAPS[step] ?? Infinity, sharedBy);
  // The normal load was this breaker's own already.
  const whole = share === 0 ? 10_000 : share;
  return Math.max(2, Math.ceil((CAP_ROOM * whole * baseline.inFlight) / 10_000));
}

/**
 * A share of the offered load can exceed the whole normal load when a backlog waits, so that it is
 * also held to a share of the normal rate, and may not jump from a trickle to a flood.
 */
export function rateCap(
  share: number,
  baseline: Baseline | null,
  before: { readonly ledger: Ledger; readonly at: number } | null,
): number {
  if (baseline === null || baseline.callsPerMs === 0) return Infinity;
  const whole = share === 0 ? 10_000 : share;
  const cap = (whole / 10_000) * baseline.callsPerMs * RATE_ROOM;
  if (before === null) return cap;
  const elapsedMs = before.at - (before.ledger.firstAdmitAt ?? before.at);
  const observed = before.ledger.admitted / elapsedMs;
  return Math.min(cap, observed * (whole / before.ledger.share) * GROWTH_ROOM);
}
