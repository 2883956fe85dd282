import { isGrowing } from './adaptive';
import { failureBudget } from './budget';
import { emit } from './core';
import type { Core } from './core';
import { holdSignal, lookAtLatency, reviewHold, startHold } from './hold';
import { FEWEST_SAMPLES, isAbove } from './latency';
import type { Ledger } from './ledger';
import { readLoopDelay, takeBlame } from './loop';
import type { HalfOpen } from './record';
import { lastStep } from './shares';
import { close, fallBack, moveStep } from './transitions';
import { unreachable } from './unreachable';

type Opinion = 'healthy' | 'unhealthy' | 'undecided';

/** Judges the step of the half-open record, in the order of the rules. */
export function judgeStep(core: Core, at: number): void {
  const { auto, mask } = core.record;
  if (auto.kind !== 'half_open' || mask !== null || core.disposed) return;
  const { recovery } = core.config;
  const { ledger } = auto;
  readLoopDelay(core);
  if (auto.refusedInRow >= recovery.hardRefused) {
    fallBack(core, at, auto, 'fallback', 'refused');
    return;
  }
  if (ledger.failures >= stepBudget(core, auto)) {
    fallBack(core, at, auto, 'fallback', 'failures');
    return;
  }
  if (opinion(core, auto) === 'unhealthy') {
    giveWay(core, at, auto, 'fallback', recovery.decision.kind);
    return;
  }
  judgeHold(core, at, auto);
  if (ledger.hold === null && mayAdvance(core, at, auto)) advanceStep(core, at, auto);
}

export function stepBudget(core: Core, halfOpen: HalfOpen): number {
  const { ledger, baseline, step } = halfOpen;
  if (ledger.failures === 0 && core.config.recovery.failureBudget === 'statistical') {
    return step === 0 ? 1 : 2;
  }
  const errorRate = core.config.normalErrorRate ?? baseline?.errorRate ?? 0;
  const settled = ledger.successes + ledger.failures;
  return failureBudget(core.config.recovery, step, settled, errorRate);
}

/** A soft fall goes one step down, if that is allowed and there is one. */
export function giveWay(
  core: Core,
  at: number,
  halfOpen: HalfOpen,
  cause: 'fallback' | 'hold_limit',
  reason: string,
): void {
  if (core.config.recovery.softFallback && halfOpen.step > 0) {
    moveStep(core, at, halfOpen, halfOpen.step - 1);
  } else fallBack(core, at, halfOpen, cause, reason);
}

function judgeHold(core: Core, at: number, halfOpen: HalfOpen): void {
  const limits = core.config.recovery.latency;
  if (limits === null) return;
  if (halfOpen.ledger.hold !== null) {
    takeBlame(core, at, halfOpen);
    reviewHold(core, at, halfOpen, limits);
    return;
  }
  const signal = holdSignal(core, limits, halfOpen.ledger);
  if (signal !== null) startHold(core, at, halfOpen, signal);
}

function mayAdvance(core: Core, at: number, halfOpen: HalfOpen): boolean {
  const { recovery } = core.config;
  const { ledger, step } = halfOpen;
  if (ledger.clockFrom === null || at - ledger.clockFrom < (recovery.stepMs[step] ?? 0))
    return false;
  if (ledger.successes < (recovery.minimumSuccesses[step] ?? 0)) return false;
  if (isGrowing(recovery, ledger) || opinion(core, halfOpen) !== 'healthy') return false;
  const { oldest } = core.record.flights;
  return oldest === null || at - oldest.admittedAt <= (recovery.pendingLimitMs[step] ?? 0);
}

function advanceStep(core: Core, at: number, halfOpen: HalfOpen): void {
  // The end of a step is one more look at its latency.
  lookAtLatency(halfOpen);
  judgeHold(core, at, halfOpen);
  if (halfOpen.ledger.hold !== null) return;
  if (halfOpen.step < lastStep(core.config.recovery))
    moveStep(core, at, halfOpen, halfOpen.step + 1);
  else close(core, at, halfOpen, 'advance');
}

/** Three-valued: an undecided step neither goes on nor falls back. */
export function opinion(core: Core, halfOpen: HalfOpen): Opinion {
  const { decision } = core.config.recovery;
  const { ledger } = halfOpen;
  switch (decision.kind) {
    case 'all':
      return 'healthy';
    case 'consecutive':
      return ledger.successesInRow >= decision.successes ? 'healthy' : 'undecided';
    case 'windowRate':
      return rateOpinion(ledger, decision.successes, decision.of);
    case 'latencyMultiple': {
      if (halfOpen.baseline === null) return 'healthy';
      if (core.loopDelayed) return 'undecided';
      if (ledger.reading === null) {
        // Answers of a class of which nothing is known cannot say more by waiting.
        return ledger.unjudged >= FEWEST_SAMPLES ? 'healthy' : 'undecided';
      }
      const floorMs = core.config.recovery.latency?.floorMs ?? 0;
      return isAbove(ledger.reading, decision.multiple, floorMs) ? 'unhealthy' : 'healthy';
    }
    default:
      return unreachable(decision);
  }
}

function rateOpinion(ledger: Ledger, successes: number, of: number): Opinion {
  const good = ledger.lookBack.filter(Boolean).length;
  if (ledger.lookBack.length - good > of - successes) return 'unhealthy';
  return ledger.lookBack.length >= of ? 'healthy' : 'undecided';
}

/** Samples are missing; the console should know why nothing moves. */
export function starve(core: Core, at: number, halfOpen: HalfOpen, reason: string): void {
  const { ledger } = halfOpen;
  if (ledger.starved) return;
  ledger.starved = true;
  const { successes, failures, enteredAt } = ledger;
  emit(core, 'starved', at, reason, { successes, failures, tookMs: at - enteredAt });
}
