import { basisPoints } from './checks';
import type { RecoveryConfig } from './config-types';
import type { Core } from './core';
import { burst } from './ledger';
import type { Ledger } from './ledger';
import type { HalfOpen } from './record';
import { rateCap } from './shares';

const GROWTH = 1.25;
const CUT = 0.5;

/**
 * When the share grows next, unless a hold is on: a period after it was last looked at, if something was answered well
 * since; else not before that answer. So an idle stretch is no event, however long.
 */
export function growsAt({ admission }: RecoveryConfig, ledger: Ledger): number {
  const { goodSince } = ledger;
  if (admission.kind !== 'adaptive' || goodSince === null) return Infinity;
  const from = ledger.judgedAt ?? ledger.firstAdmitAt ?? Infinity;
  return Math.max(from + admission.evalEveryMs, goodSince);
}

export function grow(core: Core, at: number, halfOpen: HalfOpen): void {
  setShare(core, at, halfOpen, halfOpen.ledger.share * GROWTH);
}

/** A failure within the budget, or a hold: nothing to fall back for, but a reason to ask for less. */
export function cutShare(core: Core, at: number, halfOpen: HalfOpen): void {
  setShare(core, at, halfOpen, halfOpen.ledger.share * CUT);
}

/** The share has not grown to its top, so that closing would be a jump. */
export function isGrowing({ admission }: RecoveryConfig, ledger: Ledger): boolean {
  return admission.kind === 'adaptive' && ledger.share < top(admission);
}

/** The step clock counts from the last change: what held at half the share is not known to hold. */
function setShare(core: Core, at: number, halfOpen: HalfOpen, wanted: number): void {
  const { admission } = core.config.recovery;
  if (admission.kind !== 'adaptive') return;
  const { ledger, baseline } = halfOpen;
  ledger.judgedAt = at;
  ledger.goodSince = null;
  core.nextDue = Number.NEGATIVE_INFINITY;
  const low = basisPoints(admission.low);
  const share = Math.min(top(admission), Math.max(low, Math.round(wanted)));
  if (share === ledger.share) return;
  ledger.share = share;
  ledger.ratePerMs = rateCap(share, baseline, null);
  ledger.tokens = Math.min(ledger.tokens, burst(ledger.ratePerMs));
  ledger.clockFrom = at;
  ledger.dwellSeen = false;
}

function top(admission: { readonly high: number }): number {
  return basisPoints(admission.high);
}
