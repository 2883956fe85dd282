import { findingKinds, severities, type Finding, type FindingKind } from '../protocol/findings';
import { makeCase, type Case, type Rule } from './case';
import { configDrift, forgottenOverride, probeTimeoutHidesHold } from './rules/configuration';
import { flapping, nextStepFails } from './rules/flapping';
import { halfOpenTooWide, nobodyCalling, stuckHalfOpen } from './rules/half-open';
import { probeStorm, sharedKey } from './rules/sharing';
import { hairTrigger, neverEnoughVolume, ownOverload } from './rules/volume';
import type { History } from './types';

const rules: Readonly<Record<FindingKind, Rule>> = {
  flapping,
  stuck_half_open: stuckHalfOpen,
  half_open_too_wide: halfOpenTooWide,
  never_enough_volume: neverEnoughVolume,
  hair_trigger: hairTrigger,
  own_overload: ownOverload,
  shared_key: sharedKey,
  nobody_calling: nobodyCalling,
  next_step_fails: nextStepFails,
  probe_timeout_hides_hold: probeTimeoutHidesHold,
  probe_storm: probeStorm,
  config_drift: configDrift,
  forgotten_override: forgottenOverride,
};

const CURRENT_MS = 3_600_000;
const MAX_IDS = 50;

function some<T>(ids: readonly T[]): T[] {
  return [...new Set(ids)].slice(-MAX_IDS);
}

function toFinding(kind: FindingKind, breaker: Case): Finding[] {
  const draft = rules[kind](breaker);
  if (draft === null) return [];
  const { instanceIds = [], eventIds = [], severity, summary, evidence, advice } = draft;
  return [
    {
      kind,
      severity,
      summary,
      evidence: [...evidence],
      advice: [...advice],
      instanceIds: some(instanceIds),
      eventIds: some(eventIds),
      firstAt: draft.firstAt,
      lastAt: draft.lastAt,
      current: draft.lastAt >= breaker.history.now - CURRENT_MS,
    },
  ];
}

/** Those of now before earlier ones, worse before milder, else in the order of the kinds. */
export function byWeight(a: Finding, b: Finding): number {
  return (
    Number(b.current) - Number(a.current) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind)
  );
}

/** What is wrong with a breaker, worst first. Pure, and total: no history makes it throw. */
export function diagnose(history: History): Finding[] {
  const breaker = makeCase(history);
  return findingKinds.flatMap((kind) => toFinding(kind, breaker)).sort(byWeight);
}
