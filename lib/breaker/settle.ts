import { cutShare } from './adaptive';
import { refund, isSuspect } from './admission';
import { emit } from './core';
import type { Core, Settlement } from './core';
import { report } from './events';
import { lookAtLatency } from './hold';
import { countOutcome, countSlowCancel } from './judging';
import { isLook, recordLatency } from './latency';
import { readLoopDelay } from './loop';
import { isSlow, weightOf } from './outcome';
import type { IssuedPermit } from './permit';
import type { HalfOpen } from './record';
import type { Judge } from './rules';
import type { Outcome, Receipt } from './types';
import { isSteady, succeedSteady } from './steady';
import { judgeStep, starve } from './verdict';

/** Books the first settlement of a permit. The caller has advanced the clock. */
export function settle(
  core: Core,
  permit: IssuedPermit,
  outcome: Outcome,
  reportedMs: number | undefined,
  hintMs: number,
): Receipt {
  const { steady } = core;
  if (
    outcome !== 'success' ||
    permit.phase !== 'out' ||
    !isSteady(core, steady) ||
    permit.origin !== steady.origin
  ) {
    return settleByRule(core, permit, outcome, reportedMs, hintMs);
  }
  const latencyMs = latencyOf(core, permit, reportedMs);
  succeedSteady(core, steady, permit, latencyMs);
  tell(core, permit, outcome, latencyMs, 'counted');
  return 'counted';
}

/** For every state, outcome and permit, whatever became of it in the meantime. */
export function settleByRule(
  core: Core,
  permit: IssuedPermit,
  outcome: Outcome,
  reportedMs: number | undefined,
  hintMs: number,
): Receipt {
  if (permit.phase === 'settled') return 'duplicate';
  const booked = permit.phase === 'expired';
  const expired = core.now >= permit.expiresAt;
  permit.phase = 'settled';
  const latencyMs = latencyOf(core, permit, reportedMs);
  let receipt: Receipt;
  if (core.disposed || permit.epoch !== core.record.epoch || booked) {
    receipt = expired ? 'expired' : 'late';
    if (!booked) bookLate(core, permit, outcome, latencyMs);
  } else
    receipt = book(core, permit, outcome, latencyMs, Math.min(hintMs, core.config.open.maxHintMs));
  if (!booked) tell(core, permit, outcome, latencyMs, receipt);
  return receipt;
}

/** A permit that nobody settled in time: a timeout, at the instant its life ended. */
export function expire(core: Core, permit: IssuedPermit, at: number): void {
  permit.phase = 'expired';
  if (permit.role !== 'bypass') core.counters.expired++;
  const latencyMs = at - permit.admittedAt;
  const { probe } = permit;
  if (probe) emit(core, 'probe_expired', at, 'expired', { outcome: 'timeout', latencyMs });
  const receipt = book(core, permit, 'timeout', latencyMs, 0, at);
  const told = receipt === 'bypassed' ? receipt : 'expired';
  tell(core, permit, 'timeout', latencyMs, told, receipt === 'counted');
}

function book(
  core: Core,
  permit: IssuedPermit,
  outcome: Outcome,
  latencyMs: number,
  hintMs: number,
  at = core.now,
): Receipt {
  const { auto, mask, flights } = core.record;
  flights.remove(permit);
  if (permit.role === 'bypass') return 'bypassed';
  core.counters.settled[outcome]++;
  if (isSlow(outcome, latencyMs, core.config.slowMs)) core.counters.slow++;
  const { idempotent } = permit;
  if (mask !== null) {
    return bookCall(core, mask.judge, outcome, latencyMs, hintMs, at, idempotent);
  }
  if (auto.kind === 'half_open') {
    return bookProbe(core, auto, permit, outcome, latencyMs, hintMs, at);
  }
  return auto.kind === 'closed'
    ? bookCall(core, auto.judge, outcome, latencyMs, hintMs, at, idempotent)
    : 'late';
}

function bookCall(
  core: Core,
  judge: Judge,
  outcome: Outcome,
  latencyMs: number,
  hintMs: number,
  at: number,
  idempotent: boolean,
): Receipt {
  const weight = weightOf(outcome);
  if (weight === 'none') {
    const { cancelledCountsAsSlow, slowMs } = core.config;
    if (cancelledCountsAsSlow && outcome === 'cancelled' && latencyMs >= slowMs) {
      countSlowCancel(core, judge, at, latencyMs);
    }
    return 'inconclusive';
  }
  if (isLearning(core, at)) {
    core.learner.settled(at, latencyMs, weight === 'bad', outcome === 'success', idempotent);
  }
  countOutcome(core, judge, at, outcome, weight === 'bad', latencyMs, hintMs);
  return 'counted';
}

/** The time after a recovery is not normal yet, and neither is a forced state. */
export function isLearning(core: Core, at: number): boolean {
  const { auto, mask } = core.record;
  if (auto.kind !== 'closed' || at < auto.guardUntil) return false;
  return (mask?.override ?? null) === null;
}

/** Old good news must not advance a step; old bad news of the same recovery must not be lost. */
function bookProbe(
  core: Core,
  halfOpen: HalfOpen,
  permit: IssuedPermit,
  outcome: Outcome,
  latencyMs: number,
  hintMs: number,
  at: number,
): Receipt {
  const { ledger } = halfOpen;
  const current = permit.stepSeq === core.record.stepSeq;
  core.nextDue = Number.NEGATIVE_INFINITY;
  const weight = weightOf(outcome);
  let receipt: Receipt = 'counted';
  if (weight === 'bad') bookBadProbe(core, halfOpen, permit, outcome, current, at, hintMs);
  else if (weight === 'none') {
    receipt = 'inconclusive';
    if (current) bookInconclusive(core, halfOpen, at);
  } else if (current) {
    halfOpen.refusedInRow = 0;
    ledger.successes++;
    ledger.goodSince ??= at;
    ledger.successesInRow++;
    lookBack(core, halfOpen, true);
    if (outcome === 'success') bookLatency(core, halfOpen, latencyMs, permit.idempotent);
  } else {
    receipt = 'late';
    bookLate(core, permit, outcome, latencyMs);
  }
  judgeStep(core, at);
  if (weight === 'bad') cutShare(core, at, halfOpen);
  return receipt;
}

function bookBadProbe(
  core: Core,
  halfOpen: HalfOpen,
  permit: IssuedPermit,
  outcome: Outcome,
  current: boolean,
  at: number,
  hintMs: number,
): void {
  const { ledger } = halfOpen;
  ledger.failures++;
  ledger.successesInRow = 0;
  halfOpen.refusedInRow = outcome === 'refused' ? halfOpen.refusedInRow + 1 : 0;
  halfOpen.hintUntil = Math.max(halfOpen.hintUntil, at + hintMs);
  if (!current) return;
  lookBack(core, halfOpen, false);
  if (outcome === 'timeout') bookLatency(core, halfOpen, Infinity, permit.idempotent);
}

function bookInconclusive(core: Core, halfOpen: HalfOpen, at: number): void {
  const { ledger } = halfOpen;
  refund(core.config.recovery.maxInconclusive, ledger);
  if (isSuspect(core.config.recovery.maxInconclusive, ledger)) {
    starve(core, at, halfOpen, 'inconclusive');
  }
}

function bookLatency(core: Core, halfOpen: HalfOpen, latencyMs: number, idempotent: boolean): void {
  const { latency, decision } = core.config.recovery;
  if (latency === null && decision.kind !== 'latencyMultiple') return;
  // What the own pause adds cannot be told from the target's part.
  readLoopDelay(core);
  if (core.loopDelayed) return;
  recordLatency(halfOpen.ledger, halfOpen.baseline, latencyMs, latency?.floorMs ?? 0, idempotent);
  if (isLook(halfOpen.ledger.latency?.count ?? 0)) lookAtLatency(halfOpen);
}

function lookBack(core: Core, halfOpen: HalfOpen, good: boolean): void {
  const { decision } = core.config.recovery;
  if (decision.kind !== 'windowRate') return;
  const { lookBack: outcomes } = halfOpen.ledger;
  outcomes.push(good);
  if (outcomes.length > decision.of) outcomes.shift();
}

function bookLate(core: Core, permit: IssuedPermit, outcome: Outcome, latencyMs: number): void {
  core.counters.late++;
  if (core.disposed || permit.role === 'bypass') return;
  emit(core, 'late_result', core.now, outcome, { outcome, latencyMs });
}

/** One endless latency would spoil the learned load for good, so that no call outlives its permit. */
function latencyOf(core: Core, permit: IssuedPermit, reportedMs: number | undefined): number {
  return typeof reportedMs === 'number' && reportedMs >= 0 && reportedMs <= permit.origin.lifeMs
    ? reportedMs
    : core.now - permit.admittedAt;
}

function tell(
  core: Core,
  permit: IssuedPermit,
  outcome: Outcome,
  latencyMs: number,
  receipt: Receipt,
  counted = receipt === 'counted',
): void {
  if (core.settlements.length === 0) return;
  const settlement: Settlement = {
    outcome,
    receipt,
    counted,
    latencyMs,
    slow: isSlow(outcome, latencyMs, core.config.slowMs),
    probe: permit.probe,
    step: permit.step,
    idempotent: permit.idempotent,
    inFlight: core.record.flights.size,
  };
  for (const listener of core.settlements) {
    try {
      listener(settlement);
    } catch (problem) {
      report(core.environment.onProblem, problem);
    }
  }
}
