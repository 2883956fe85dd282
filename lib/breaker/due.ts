import { grow, growsAt } from './adaptive';
import { monotonic } from './core';
import type { Core } from './core';
import { endHold } from './hold';
import { evaluate } from './judging';
import { readLoopDelay, takeBlame } from './loop';
import { endOverride } from './masking';
import { IssuedPermit } from './permit';
import type { HalfOpen } from './record';
import { expire } from './settle';
import { close, enterHalfOpen, fallBack } from './transitions';
import { giveWay, judgeStep, starve } from './verdict';

/** Something that happens by itself at a known instant. */
type Due = { readonly at: number; readonly run: (core: Core, at: number) => void };

/**
 * Brings the breaker to the present: whatever has become due happens, in order of its due instant
 * and stamped with it. So it does not matter how often anybody looks.
 */
export function advance(core: Core): void {
  core.now = monotonic(core.environment.clock(), core.now);
  if (core.now >= core.nextDue) catchUp(core);
}

function catchUp(core: Core): void {
  if (core.disposed) return;
  for (;;) {
    const due = nextDue(core);
    if (due.at > core.now) {
      core.nextDue = due.at;
      return;
    }
    due.run(core, due.at);
  }
}

const nothing: Due = { at: Infinity, run: () => undefined };

/** Candidates are weighed in this order; at the same instant the first one wins. */
export function nextDue(core: Core): Due {
  const { auto, mask, flights } = core.record;
  let due = nothing;
  if (flights.oldest !== null) due = { at: flights.oldest.expiresAt, run: expireOldest };
  if (mask === null) {
    if (auto.kind === 'open') due = earlier(due, auto.retryAt, enterHalfOpen);
    if (auto.kind === 'half_open') due = halfOpenDue(core, auto, due);
  }
  if (auto.kind === 'closed' || mask !== null) {
    for (let k = 0; k < flights.thresholds; k++) {
      due = earlier(due, flights.nextAgeAt(k), (host, at) => ageCall(host, at, k));
    }
  }
  for (const override of core.overrides) {
    due = earlier(due, override.expiresAt, (host, at) =>
      endOverride(host, override, at, 'expired'),
    );
  }
  return due;
}

function earlier(due: Due, at: number, run: Due['run']): Due {
  return at < due.at ? { at, run } : due;
}

function halfOpenDue(core: Core, halfOpen: HalfOpen, first: Due): Due {
  const { recovery } = core.config;
  const { ledger, step } = halfOpen;
  let due = first;
  if (ledger.hold !== null) {
    const maxHoldMs = recovery.latency?.maxHoldMs ?? Infinity;
    due = earlier(due, ledger.hold.sinceMs + maxHoldMs, endOfHold);
  } else due = earlier(due, growsAt(recovery, ledger), growShare);
  if (ledger.hold === null && ledger.clockFrom !== null && !ledger.dwellSeen) {
    due = earlier(due, ledger.clockFrom + (recovery.stepMs[step] ?? 0), dwell);
  }
  due = earlier(due, halfOpen.enteredAt + recovery.maxHalfOpenMs, endOfHalfOpen);
  if (!ledger.waitSeen) due = earlier(due, ledger.enteredAt + recovery.maxStepWaitMs, endOfWait);
  return earlier(due, core.record.flights.nextAgeAt(0), ageProbe);
}

function expireOldest(core: Core, at: number): void {
  const { oldest } = core.record.flights;
  if (oldest instanceof IssuedPermit) expire(core, oldest, at);
}

function withHalfOpen(core: Core, run: (halfOpen: HalfOpen) => void): void {
  const { auto } = core.record;
  if (auto.kind === 'half_open') run(auto);
}

function growShare(core: Core, at: number): void {
  withHalfOpen(core, (halfOpen) => grow(core, at, halfOpen));
}

function dwell(core: Core, at: number): void {
  withHalfOpen(core, (halfOpen) => {
    halfOpen.ledger.dwellSeen = true;
    judgeStep(core, at);
  });
}

function endOfHold(core: Core, at: number): void {
  withHalfOpen(core, (halfOpen) => {
    readLoopDelay(core);
    takeBlame(core, at, halfOpen);
    const { hold } = halfOpen.ledger;
    if (hold?.cause !== 'self') {
      giveWay(core, at, halfOpen, 'hold_limit', 'hold_limit');
      return;
    }
    // The fault is this process's own, so that the target is not to suffer for it.
    core.loopDelayed = false;
    endHold(core, at, halfOpen, hold);
  });
}

function endOfHalfOpen(core: Core, at: number): void {
  withHalfOpen(core, (halfOpen) => {
    if (core.config.recovery.then === 'closed') close(core, at, halfOpen, 'half_open_limit');
    else fallBack(core, at, halfOpen, 'half_open_limit', 'half_open_limit');
  });
}

function endOfWait(core: Core, at: number): void {
  withHalfOpen(core, (halfOpen) => {
    const { ledger, step } = halfOpen;
    ledger.waitSeen = true;
    if (ledger.successes < (core.config.recovery.minimumSuccesses[step] ?? 0)) {
      starve(core, at, halfOpen, 'samples');
    }
  });
}

function ageProbe(core: Core, at: number): void {
  core.record.flights.markAged(0);
  judgeStep(core, at);
}

function ageCall(core: Core, at: number, k: number): void {
  const { auto, mask, flights } = core.record;
  flights.markAged(k);
  const judge = mask?.judge ?? (auto.kind === 'closed' ? auto.judge : null);
  if (judge === null || mask?.kind === 'disabled') return;
  judge.window.purge(at);
  evaluate(core, judge, at);
}
