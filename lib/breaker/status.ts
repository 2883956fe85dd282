import type { Baseline } from './baseline';
import type { Core } from './core';
import { effectiveState } from './record';
import type { Automatic, HalfOpen, MachineRecord, Open } from './record';
import type { Judge } from './rules';
import { lastStep } from './shares';
import { levelAt } from './transitions';
import type { BaselineStatus, BreakerStatus, ClassBaselineStatus } from './types';
import { stepBudget } from './verdict';

/** A new plain object, sharing nothing. The caller has advanced the clock. */
export function statusOf(core: Core): BreakerStatus {
  const { record, now, config, counters } = core;
  const { auto, mask, flights } = record;
  const halfOpen = mask === null && auto.kind === 'half_open' ? auto : null;
  const open = mask === null && auto.kind === 'open' ? auto : null;
  const hold = halfOpen?.ledger.hold ?? null;
  return {
    name: core.name,
    state: effectiveState(record),
    automatic: auto.kind,
    step: halfOpen?.step ?? null,
    steps: lastStep(config.recovery) + 1,
    share: shareOf(record),
    level: levelAt(core, now),
    epoch: record.epoch,
    stepSeq: record.stepSeq,
    ...openOf(open, now),
    hold: hold === null ? null : { sinceMs: now - hold.sinceMs, cause: hold.cause },
    ledger: halfOpen === null ? null : ledgerOf(core, halfOpen),
    window: windowOf(mask?.judge ?? judgeOf(auto), now),
    baseline: baselineOf(halfOpen === null ? core.learner.read() : halfOpen.baseline),
    inFlight: flights.size,
    override: overrideOf(core),
    counters: {
      ...counters,
      rejected: { ...counters.rejected },
      settled: { ...counters.settled },
      healthChecks: { ...counters.healthChecks },
    },
  };
}

export function shareOf({ auto, mask }: MachineRecord): number {
  if (mask !== null) return mask.kind === 'forced_open' ? 0 : 1;
  if (auto.kind === 'half_open') return auto.ledger.share / 10_000;
  return auto.kind === 'closed' ? 1 : 0;
}

type OpenStatus = Pick<BreakerStatus, 'openedAt' | 'retryAt' | 'retryInMs' | 'openTimeoutMs'>;

function openOf(open: Open | null, now: number): OpenStatus {
  if (open === null) return { openedAt: null, retryAt: null, retryInMs: null, openTimeoutMs: null };
  const { openedAt, retryAt, timeoutMs } = open;
  return { openedAt, retryAt, retryInMs: Math.max(0, retryAt - now), openTimeoutMs: timeoutMs };
}

function judgeOf(auto: Automatic): Judge | null {
  return auto.kind === 'closed' ? auto.judge : null;
}

function windowOf(judge: Judge | null, now: number): BreakerStatus['window'] {
  if (judge === null) return { calls: 0, failures: 0, slow: 0 };
  judge.window.purge(now);
  const { totals } = judge.window;
  return { calls: totals.calls, failures: totals.failures, slow: totals.slow[0] ?? 0 };
}

function ledgerOf(core: Core, halfOpen: HalfOpen): BreakerStatus['ledger'] {
  const { ledger, step } = halfOpen;
  return {
    admitted: ledger.admitted,
    successes: ledger.successes,
    failures: ledger.failures,
    minimumSuccesses: core.config.recovery.minimumSuccesses[step] ?? 0,
    budget: stepBudget(core, halfOpen),
    firstAdmitAt: ledger.firstAdmitAt,
  };
}

function baselineOf(baseline: Baseline | null): BaselineStatus | null {
  if (baseline === null) return null;
  const { idempotent, other } = baseline.classes;
  return {
    ...quantilesOf(baseline),
    classes: {
      idempotent: idempotent === null ? null : quantilesOf(idempotent),
      other: other === null ? null : quantilesOf(other),
    },
  };
}

function quantilesOf({ p50, p90, p95, p99, samples }: ClassBaselineStatus): ClassBaselineStatus {
  return { p50, p90, p95, p99, samples };
}

function overrideOf(core: Core): BreakerStatus['override'] {
  const override = core.record.mask?.override ?? null;
  if (override === null) return null;
  const { kind, id, reason, actor, expiresAt } = override;
  const remainingMs = expiresAt === Infinity ? null : Math.max(0, expiresAt - core.now);
  return { kind, id, reason, actor, remainingMs };
}
