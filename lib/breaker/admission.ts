import { isGrowing } from './adaptive';
import type { Core } from './core';
import { burst } from './ledger';
import type { Ledger } from './ledger';
import type { HalfOpen } from './record';
import { hasLeave, partOfPeriod, sharers } from './quota';
import { inFlightCap } from './shares';
import type { RejectionReason } from './types';
import { opinion } from './verdict';

const WHOLE = 10_000;

export type Arrival = { readonly idempotent: boolean; readonly key: string | undefined };

/** Numbers are texts to whoever has no types; anything else, and an empty text, is no key. */
export function keyOf(key: unknown): string | undefined {
  if (typeof key === 'number' || typeof key === 'bigint') return String(key);
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** Decides on one arrival in half-open: null admits and takes what the admission costs. */
export function admitProbe(
  core: Core,
  halfOpen: HalfOpen,
  now: number,
  arrival: Arrival,
): RejectionReason | null {
  const { ledger } = halfOpen;
  if (!hasLeave(core.quota, now)) return 'share';
  const kindAllowed = mayProbe(core, halfOpen, now, arrival.idempotent);
  if (arrival.idempotent) halfOpen.lastIdempotentAt = now;
  const inShare = arrive(core, halfOpen, now, arrival.key);
  const inRate = refill(ledger, now);
  const refusal = firstRefusal(core, halfOpen, now, inShare, inRate, kindAllowed);
  if (refusal !== null) {
    // One admission stays owed, never more.
    ledger.credit = Math.min(ledger.credit, WHOLE);
    return refusal;
  }
  if (inShare) spendShare(core, ledger, arrival.key);
  if (inRate) ledger.tokens -= 1;
  ledger.admitted++;
  ledger.firstAdmitAt ??= now;
  ledger.clockFrom ??= now;
  halfOpen.lastAdmitAt = now;
  return null;
}

function firstRefusal(
  core: Core,
  halfOpen: HalfOpen,
  now: number,
  inShare: boolean,
  inRate: boolean,
  kindAllowed: boolean,
): RejectionReason | null {
  const { recovery } = core.config;
  const { ledger, step, baseline } = halfOpen;
  const cap = inFlightCap(recovery, step, ledger.share, baseline, sharers(core.quota, now));
  if (core.record.flights.size + 1 > cap) return 'in_flight';
  const inLimits = inShare && inRate;
  if (!inLimits && !isGranted(core, halfOpen, now)) return inShare ? 'rate' : 'share';
  return kindAllowed ? null : 'kind';
}

/** The progress rule: a step that lacks samples and waits for nothing may not wait for its share. */
function isGranted(core: Core, halfOpen: HalfOpen, now: number): boolean {
  const { recovery } = core.config;
  const { ledger, step } = halfOpen;
  if (core.record.flights.size > 0) return false;
  if (now - halfOpen.lastAdmitAt < probeIntervalMs(core, now)) return false;
  return (
    ledger.successes < (recovery.minimumSuccesses[step] ?? 0) ||
    ledger.hold !== null ||
    (ledger.goodSince === null && isGrowing(recovery, ledger)) ||
    opinion(core, halfOpen) === 'undecided'
  );
}

function mayProbe(core: Core, halfOpen: HalfOpen, now: number, idempotent: boolean): boolean {
  const { recovery } = core.config;
  if (idempotent || halfOpen.step >= recovery.writesFromStep) return true;
  const waitMs = recovery.idempotentWaitMs[halfOpen.step] ?? 0;
  return recovery.allowWrites && now - halfOpen.lastIdempotentAt >= waitMs;
}

/** Counts the arrival and says whether the share policy lets it in. */
function arrive(core: Core, halfOpen: HalfOpen, now: number, key: string | undefined): boolean {
  const { recovery } = core.config;
  const { ledger } = halfOpen;
  if (
    isSuspect(recovery.maxInconclusive, ledger) &&
    now - halfOpen.lastAdmitAt < probeIntervalMs(core, now)
  ) {
    return false;
  }
  const { admission } = recovery;
  if (admission.kind === 'fixed') {
    const part = partOfPeriod(admission.calls, admission.periodMs, sharers(core.quota, now));
    const period = Math.floor((now - ledger.enteredAt) / part.periodMs);
    if (period !== ledger.period) {
      ledger.period = period;
      ledger.periodAdmitted = 0;
    }
    return ledger.periodAdmitted + 1 <= part.calls;
  }
  if (admission.kind === 'sticky' && key !== undefined) {
    return place(key, core.record.epoch) < ledger.share;
  }
  ledger.credit += ledger.share;
  return ledger.credit >= WHOLE;
}

function spendShare(core: Core, ledger: Ledger, key: string | undefined): void {
  const { kind } = core.config.recovery.admission;
  if (kind === 'fixed') ledger.periodAdmitted++;
  // Whoever came in by key takes nothing from those who have none.
  else if (kind !== 'sticky' || key === undefined) ledger.credit -= WHOLE;
}

/** Gives the place in the period back to whoever comes next; credit stays spent. */
export function refund(maxInconclusive: number, ledger: Ledger): void {
  ledger.inconclusive++;
  if (isSuspect(maxInconclusive, ledger)) return;
  ledger.periodAdmitted = Math.max(0, ledger.periodAdmitted - 1);
}

/** Too many probes said nothing; from here on they come one by one. */
export function isSuspect(maxInconclusive: number, ledger: Ledger): boolean {
  return ledger.inconclusive > 0 && ledger.inconclusive >= maxInconclusive;
}

function refill(ledger: Ledger, now: number): boolean {
  if (ledger.ratePerMs === Infinity) return true;
  const gained = (now - ledger.tokensAt) * ledger.ratePerMs;
  ledger.tokens = Math.min(burst(ledger.ratePerMs), ledger.tokens + gained);
  ledger.tokensAt = now;
  return ledger.tokens >= 1;
}

/** FNV-1a with a final mix: where a key stands among 10,000. The sets of rising shares are nested. */
function place(key: string, epoch: number): number {
  let hash = 0x811c9dc5 ^ epoch;
  for (let i = 0; i < key.length; i++) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % WHOLE;
}

/** All that share the recovery together come no more often than one alone would. */
function probeIntervalMs(core: Core, now: number): number {
  return core.config.recovery.minProbeIntervalMs * sharers(core.quota, now);
}

/** When a refused call is worth another try. */
export function probeRetryMs(core: Core, halfOpen: HalfOpen, now: number): number {
  const next = halfOpen.lastAdmitAt + probeIntervalMs(core, now);
  return Math.max(0, next - now);
}
