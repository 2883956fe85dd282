import type { Baseline } from './baseline';
import { commit, random } from './core';
import type { Core } from './core';
import type { RecoveryConfig } from './config-types';
import { Flights } from './flights';
import { FEWEST_SAMPLES } from './latency';
import { newLedger } from './ledger';
import type { Ledger } from './ledger';
import { decayedLevel, jittered, plainDelay } from './open-time';
import type { Closed, HalfOpen, Open } from './record';
import { sharers } from './quota';
import { newJudge } from './rules';
import { inFlightCap, rateCap, stepShare } from './shares';
import type { EventData, TransitionCause } from './types';

const never = Number.NEGATIVE_INFINITY;

export function levelAt(core: Core, at: number): number {
  const { auto, level, mask } = core.record;
  if (auto.kind !== 'closed' || mask !== null) return level;
  return decayedLevel(core.config.open, level, at - auto.closedAt);
}

/** T1: a policy holds. A trip soon after a recovery is a relapse and waits longer. */
export function trip(
  core: Core,
  at: number,
  closed: Closed,
  reason: string,
  data: EventData,
): void {
  const relapse = closed.recovered && at - closed.closedAt < core.config.open.stableForMs;
  const level = levelAt(core, at) + (relapse ? 1 : 0);
  core.learner.discardRecent();
  core.outage = { startedAt: at, lastBadAt: at };
  enterOpen(core, at, level, closed.judge.hintUntil, 'trip', reason, data);
}

/** T5: the recovery failed. */
export function fallBack(
  core: Core,
  at: number,
  halfOpen: HalfOpen,
  cause: TransitionCause,
  reason: string,
): void {
  core.outage = { startedAt: core.outage?.startedAt ?? at, lastBadAt: at };
  const data = ledgerData(halfOpen.ledger, at);
  enterOpen(core, at, core.record.level + 1, halfOpen.hintUntil, cause, reason, data);
}

export function enterOpen(
  core: Core,
  at: number,
  level: number,
  hintUntil: number,
  cause: TransitionCause,
  reason: string,
  data: EventData,
): void {
  const open = newOpen(core, at, level, hintUntil);
  commit(
    core,
    { auto: open, level, epoch: 'next', flights: new Flights([]) },
    { type: 'opened', at, reason, data: { ...data, cause, ...openData(open, level) } },
  );
}

/** The delay is drawn once; nothing but a good health check changes it later. */
export function newOpen(core: Core, at: number, level: number, hintUntil: number): Open {
  const { open } = core.config;
  const drawn = jittered(open, plainDelay(open, level, core.outageMs), random(core));
  const timeoutMs = Math.max(drawn, hintUntil - at);
  return {
    kind: 'open',
    openedAt: at,
    retryAt: at + timeoutMs,
    timeoutMs,
    earliestAt: Math.max(at + open.minMs, hintUntil),
    hurried: false,
  };
}

export function openData(open: Open, level: number): EventData {
  return { openTimeoutMs: open.timeoutMs, retryInMs: open.retryAt - open.openedAt, level };
}

/** T2: the open time is over. The step clock starts with the first admission, not here. */
export function enterHalfOpen(core: Core, at: number): void {
  const halfOpen = newHalfOpen(core, at);
  commit(
    core,
    { auto: halfOpen, epoch: 'next', step: 'next', flights: probeFlights(core, halfOpen.baseline) },
    {
      type: 'half_open',
      at,
      reason: 'retry_due',
      data: { cause: 'retry_due', level: core.record.level, share: halfOpen.ledger.share / 10_000 },
    },
  );
}

export function newHalfOpen(core: Core, at: number): HalfOpen {
  const baseline = core.learner.read();
  return {
    kind: 'half_open',
    enteredAt: at,
    step: 0,
    ledger: stepLedger(core, at, 0, baseline, null),
    baseline,
    probeMs: probeLife(core, baseline),
    refusedInRow: 0,
    lastAdmitAt: never,
    lastIdempotentAt: at,
    hintUntil: never,
  };
}

export function probeFlights(core: Core, baseline: Baseline | null): Flights {
  const { latency } = core.config.recovery;
  if (latency === null) return new Flights([]);
  const { slowMs } = core.config;
  return new Flights([Math.max(slowMs, latency.holdMultiple * (baseline?.slowestP99 ?? 0))]);
}

/** A deadline below the hold limit would hide slow answers as timeouts. */
function probeLife(core: Core, baseline: Baseline | null): number {
  const { callTimeoutMs, probeTimeoutFraction, permitGraceMs, recovery } = core.config;
  const hold = 1.1 * (recovery.latency?.holdMultiple ?? 0) * (baseline?.slowestP99 ?? 0);
  const deadline = Math.max(probeTimeoutFraction * callTimeoutMs, recovery.probeFloorMs, hold);
  return Math.min(deadline, callTimeoutMs) + permitGraceMs;
}

function stepLedger(
  core: Core,
  at: number,
  step: number,
  baseline: Baseline | null,
  before: Ledger | null,
): Ledger {
  const share = stepShare(core.config.recovery, step);
  // A fresh phase per step: arrivals in a rhythm must not always hit the same customers.
  const credit = Math.floor(random(core) * 10_000);
  const cap = rateCap(share, baseline, before === null ? null : { ledger: before, at });
  const cold = coldCalls(core.config.recovery, step, share, baseline, sharers(core.quota, at));
  return newLedger(at, share, credit, cap, cold);
}

/** Each place under way may begin with a cold call. The step must still be able to tell slow from not. */
function coldCalls(
  recovery: RecoveryConfig,
  step: number,
  share: number,
  baseline: Baseline | null,
  sharedBy: number,
): number {
  const skipFirst = recovery.latency?.skipFirst ?? 0;
  if (skipFirst !== 'auto') return skipFirst;
  const spare = (recovery.minimumSuccesses[step] ?? 0) - FEWEST_SAMPLES;
  return Math.max(0, Math.min(inFlightCap(recovery, step, share, baseline, sharedBy), spare));
}

/** T3 up, T6 down: the next books are empty, permits under way stay. */
export function moveStep(core: Core, at: number, halfOpen: HalfOpen, step: number): void {
  const { ledger } = halfOpen;
  const down = step < halfOpen.step;
  const next = stepLedger(core, at, step, halfOpen.baseline, down ? null : ledger);
  commit(
    core,
    { auto: { ...halfOpen, step, ledger: next }, step: 'next' },
    {
      type: 'step',
      at,
      reason: down ? 'soft_fallback' : 'advance',
      data: {
        cause: down ? 'soft_fallback' : 'advance',
        ...ledgerData(ledger, at),
        share: next.share / 10_000,
      },
    },
  );
}

/** T4, and T7 where the limit of half-open is set to close. */
export function close(core: Core, at: number, halfOpen: HalfOpen, cause: TransitionCause): void {
  learnOutage(core, halfOpen);
  commit(
    core,
    {
      auto: newClosed(core, at, true),
      epoch: 'next',
      flights: new Flights(core.rules.ages),
    },
    {
      type: 'closed',
      at,
      reason: cause,
      data: { cause, ...ledgerData(halfOpen.ledger, at), share: 1 },
    },
  );
}

export function newClosed(core: Core, at: number, recovered: boolean): Closed {
  return {
    kind: 'closed',
    closedAt: at,
    recovered,
    guardUntil: recovered ? at + core.config.recovery.guardMs : never,
    judge: newJudge(core.config, core.rules),
  };
}

/** The target came back somewhere between the last bad sign and the first good one. */
function learnOutage(core: Core, halfOpen: HalfOpen): void {
  if (core.outage === null) return;
  const { startedAt, lastBadAt } = core.outage;
  const lengthMs = (lastBadAt + halfOpen.enteredAt) / 2 - startedAt;
  core.outageMs = core.outageMs === null ? lengthMs : (core.outageMs + lengthMs) / 2;
  core.outage = null;
}

function ledgerData(ledger: Ledger, at: number): EventData {
  return {
    successes: ledger.successes,
    failures: ledger.failures,
    calls: ledger.successes + ledger.failures,
    tookMs: at - (ledger.firstAdmitAt ?? ledger.enteredAt),
  };
}
