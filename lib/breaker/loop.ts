import { emit } from './core';
import type { Core } from './core';
import { report } from './events';
import { forgetLatency } from './hold';
import type { HalfOpen } from './record';

/** Asks the option `loopDelay`, where there is one, whether this process itself is late. */
export function readLoopDelay(core: Core): void {
  const { loopDelay, onProblem } = core.environment;
  if (loopDelay === undefined) return;
  try {
    core.loopDelayed = loopDelay() > core.config.maxLoopDelayMs;
  } catch (problem) {
    report(onProblem, problem);
  }
}

/** What was measured since the note before may be this process's own slowness: nobody learns from it. */
export function noteLoopDelay(core: Core, delayMs: number): void {
  const { auto, mask } = core.record;
  const since = core.loopNotedAt;
  core.loopNotedAt = core.now;
  core.loopDelayed = delayMs > core.config.maxLoopDelayMs;
  if (!core.loopDelayed) return;
  core.learner.discardSince(since);
  if (auto.kind === 'half_open' && mask === null) forgetLatency(auto.ledger);
}

/** A hold that began as the target's fault goes on as this process's own, and ends as such. */
export function takeBlame(core: Core, at: number, halfOpen: HalfOpen): void {
  const { ledger } = halfOpen;
  if (!core.loopDelayed || ledger.hold === null || ledger.hold.cause === 'self') return;
  ledger.hold = { sinceMs: ledger.hold.sinceMs, cause: 'self' };
  forgetLatency(ledger);
  core.nextDue = Number.NEGATIVE_INFINITY;
  emit(core, 'hold', at, 'self', {});
}
