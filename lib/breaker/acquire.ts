import { admitProbe, keyOf, probeRetryMs } from './admission';
import type { Core } from './core';
import { acquireCheck } from './health-check';
import { IssuedPermit } from './permit';
import type { Permit, Rejection, Settle } from './permit';
import type { HalfOpen, Open } from './record';
import { isLearning } from './settle';
import type { RejectionReason } from './types';
import { unreachable } from './unreachable';

export type AcquireOptions = {
  /** Safe to repeat. A call that does not say is taken to be. */
  readonly idempotent?: boolean;
  /** Whom the call serves; the admission `sticky` keeps a key's answer stable. */
  readonly key?: string;
  /**
   * A synthetic call of an operator or a prober, no traffic: let through in every state, also in
   * forced open, one at a time, and counted nowhere.
   */
  readonly healthCheck?: boolean;
};

/**
 * The only way in, for `tryAcquire` and `run` alike. The caller has advanced the clock. Without
 * `learns` the arrival is not part of the normal load yet.
 */
export function acquire(
  core: Core,
  settle: Settle,
  options: AcquireOptions,
  learns = true,
): Permit | Rejection {
  if (core.disposed) return acquireDisposed(core, settle, options);
  if (options.healthCheck === true) return acquireCheck(core, options.idempotent ?? true);
  const { auto, mask } = core.record;
  if (mask !== null) {
    if (mask.kind === 'forced_open') {
      const { expiresAt } = mask.override ?? { expiresAt: Infinity };
      return reject(core, 'forced_open', expiresAt === Infinity ? null : expiresAt - core.now);
    }
    return admit(core, settle, options, mask.kind === 'disabled' ? 'bypass' : 'normal', learns);
  }
  switch (auto.kind) {
    case 'closed':
      return admit(core, settle, options, 'normal', learns);
    case 'open':
      return rejectOpen(core, auto);
    case 'half_open':
      return acquireProbe(core, settle, auto, options);
    default:
      return unreachable(auto);
  }
}

function rejectOpen(core: Core, open: Open): Rejection {
  core.counters.rejected.open++;
  return { granted: false, reason: 'open', retryAfterMs: open.retryAt - core.now };
}

function acquireProbe(
  core: Core,
  settle: Settle,
  halfOpen: HalfOpen,
  options: AcquireOptions,
): Permit | Rejection {
  const { now } = core;
  const arrival = { idempotent: options.idempotent ?? true, key: keyOf(options.key) };
  const refusal = admitProbe(core, halfOpen, now, arrival);
  if (refusal !== null) return reject(core, refusal, probeRetryMs(core, halfOpen, now));
  core.counters.probes++;
  return issue(core, settle, options, 'probe', halfOpen.step, now + halfOpen.probeMs);
}

function admit(
  core: Core,
  settle: Settle,
  options: AcquireOptions,
  role: 'normal' | 'bypass',
  learns: boolean,
): Permit {
  const { config, now } = core;
  if (learns && role === 'normal' && isLearning(core, now)) core.learner.admitted(now);
  return issue(
    core,
    settle,
    options,
    role,
    null,
    now + config.callTimeoutMs + config.permitGraceMs,
  );
}

function issue(
  core: Core,
  settle: Settle,
  options: AcquireOptions,
  role: 'normal' | 'probe' | 'bypass',
  step: number | null,
  expiresAt: number,
): Permit {
  const { record, now } = core;
  const permit = new IssuedPermit(
    settle,
    record.epoch,
    record.stepSeq,
    role,
    step,
    options.idempotent ?? true,
    now,
    expiresAt,
  );
  record.flights.push(permit);
  if (role !== 'bypass') core.counters.admitted++;
  if (role === 'probe' || record.flights.thresholds > 0) core.nextDue = Number.NEGATIVE_INFINITY;
  else if (expiresAt < core.nextDue) core.nextDue = expiresAt;
  return permit;
}

function acquireDisposed(core: Core, settle: Settle, options: AcquireOptions): Permit | Rejection {
  if (core.config.onDisposed === 'reject') return reject(core, 'disposed', null);
  const { record, now } = core;
  const { idempotent = true } = options;
  return new IssuedPermit(
    settle,
    record.epoch,
    record.stepSeq,
    'bypass',
    null,
    idempotent,
    now,
    Infinity,
  );
}

function reject(core: Core, reason: RejectionReason, retryAfterMs: number | null): Rejection {
  core.counters.rejected[reason]++;
  return { granted: false, reason, retryAfterMs };
}
