import { emit } from './core';
import type { Core } from './core';
import { firstHolding, holds, slowBits } from './rules';
import type { Judge, Rule } from './rules';
import { trip } from './transitions';
import type { EventData, Outcome } from './types';
import { FAILURE, UNCOUNTED } from './window';

/** Books one outcome of a closed or watched call, then judges. */
export function countOutcome(
  core: Core,
  judge: Judge,
  at: number,
  outcome: Outcome,
  bad: boolean,
  latencyMs: number,
  hintMs: number,
): void {
  judge.hintUntil = Math.max(judge.hintUntil, at + hintMs);
  if (bad && isLumped(core, judge, at)) {
    judge.window.purge(at);
    evaluate(core, judge, at);
    return;
  }
  let bits = bad ? FAILURE : 0;
  // A failure says nothing of the target's speed, but a timeout was slow by definition.
  if (!bad) bits |= slowBits(core.rules, latencyMs);
  else if (outcome === 'timeout') bits |= slowBits(core.rules, Infinity);
  judge.failuresInRow = bad ? judge.failuresInRow + 1 : 0;
  judge.refusedInRow = outcome === 'refused' ? judge.refusedInRow + 1 : 0;
  judge.window.add(at, bits);
  evaluate(core, judge, at);
}

/** One cause makes many calls fail at once; where that is asked for, a burst is one failure. */
function isLumped({ config }: Core, judge: Judge, at: number): boolean {
  if (at < judge.lumpUntil) return true;
  judge.lumpUntil = at + config.failureLumpMs;
  return false;
}

/** A call that its caller gave up after it had become slow, where that is asked for. */
export function countSlowCancel(core: Core, judge: Judge, at: number, latencyMs: number): void {
  judge.window.add(at, UNCOUNTED | slowBits(core.rules, latencyMs));
  evaluate(core, judge, at);
}

/** Totals must be purged to `at`. */
export function evaluate(core: Core, judge: Judge, at: number): void {
  const { auto, mask, flights } = core.record;
  if (mask !== null) {
    watch(core, judge, at);
    return;
  }
  if (auto.kind !== 'closed') return;
  const rules = at < auto.guardUntil ? core.rules.guarded : core.rules.normal;
  const rule = firstHolding(rules, judge, flights);
  if (rule !== null) trip(core, at, auto, rule.kind, figures(core, judge, rule));
}

/** Watching reports each policy when it begins to hold, and again only after it has let go. */
function watch(core: Core, judge: Judge, at: number): void {
  const { normal } = core.rules;
  for (let i = 0; i < normal.length; i++) {
    const rule = normal[i];
    if (rule === undefined) continue;
    const bit = 1 << i;
    const held = (judge.tripped & bit) !== 0;
    const now = holds(rule, judge, core.record.flights);
    if (held === now) continue;
    judge.tripped ^= bit;
    emit(core, now ? 'would_trip' : 'would_recover', at, rule.kind, figures(core, judge, rule));
  }
}

function figures(core: Core, judge: Judge, rule: Rule): EventData {
  const { totals } = judge.window;
  const pending = core.record.flights.pending(rule.age);
  const slow = (totals.slow[Math.max(0, rule.slow)] ?? 0) + pending;
  const calls = totals.calls + (rule.kind === 'slow' ? pending + totals.uncounted : 0);
  const matching = rule.kind === 'slow' ? slow : totals.failures;
  return {
    calls,
    failures: totals.failures,
    slow,
    rate: matching / Math.max(1, calls),
    threshold: rule.rate > 0 ? rule.rate / 10_000 : rule.failures,
  };
}
