import { admitProbe, keyOf, probeRetryMs } from './admission';
import type { Core } from './core';
import { acquireCheck } from './health-check';
import { IssuedPermit } from './permit';
import type { Origin, Permit, Rejection, Settler } from './permit';
import type { Closed, HalfOpen, MachineRecord, Open, Steady } from './record';
import { isLearning } from './settle';
import { admitSteady, isSteady } from './steady';
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
  settler: Settler,
  options: AcquireOptions,
  learns = true,
): Permit | Rejection {
  const { steady } = core;
  return isSteady(core, steady) && options.healthCheck !== true
    ? admitSteady(core, steady, options.idempotent ?? true, learns)
    : acquireByState(core, settler, options, learns);
}

function acquireByState(
  core: Core,
  settler: Settler,
  options: AcquireOptions,
  learns: boolean,
): Permit | Rejection {
  if (core.disposed) return acquireDisposed(core, settler, options);
  if (options.healthCheck === true) return acquireCheck(core, options.idempotent ?? true);
  const { auto, mask } = core.record;
  if (mask !== null) {
    if (mask.kind === 'forced_open') {
      const expiresAt = mask.override?.expiresAt ?? Infinity;
      return reject(core, 'forced_open', expiresAt === Infinity ? null : expiresAt - core.now);
    }
    return admit(core, settler, options, mask.kind === 'disabled' ? 'bypass' : 'normal', learns);
  }
  switch (auto.kind) {
    case 'closed':
      core.steady = steadyOf(core, settler, auto);
      return admitSteady(core, core.steady, options.idempotent ?? true, learns);
    case 'open':
      return rejectOpen(core, auto);
    case 'half_open':
      return acquireProbe(core, settler, auto, options);
    default:
      return unreachable(auto);
  }
}

function steadyOf(core: Core, settler: Settler, closed: Closed): Steady {
  const { config, record } = core;
  const { flights } = record;
  const lifeMs = config.callTimeoutMs + config.permitGraceMs;
  return {
    record,
    origin: originOf(record, settler, 'normal', null, lifeMs),
    flights,
    judge: closed.judge,
    learnsFrom: closed.guardUntil,
    soonestMs: Math.min(lifeMs, flights.firstAgeMs),
  };
}

function rejectOpen(core: Core, open: Open): Rejection {
  core.counters.rejected.open++;
  return { granted: false, reason: 'open', retryAfterMs: open.retryAt - core.now };
}

function acquireProbe(
  core: Core,
  settler: Settler,
  halfOpen: HalfOpen,
  options: AcquireOptions,
): Permit | Rejection {
  const { now } = core;
  const arrival = { idempotent: options.idempotent ?? true, key: keyOf(options.key) };
  const refusal = admitProbe(core, halfOpen, now, arrival);
  if (refusal !== null) return reject(core, refusal, probeRetryMs(core, halfOpen, now));
  core.counters.probes++;
  return issue(core, settler, options, 'probe', halfOpen.step, halfOpen.probeMs);
}

function admit(
  core: Core,
  settler: Settler,
  options: AcquireOptions,
  role: 'normal' | 'bypass',
  learns: boolean,
): Permit {
  const { config, now } = core;
  if (learns && isLearning(core, now)) core.learner.admitted(now);
  return issue(core, settler, options, role, null, config.callTimeoutMs + config.permitGraceMs);
}

function issue(
  core: Core,
  settler: Settler,
  options: AcquireOptions,
  role: Origin['role'],
  step: number | null,
  lifeMs: number,
): Permit {
  const { record, now } = core;
  const origin = originOf(record, settler, role, step, lifeMs);
  const permit = new IssuedPermit(origin, options.idempotent ?? true, now);
  record.flights.push(permit);
  if (role !== 'bypass') core.counters.admitted++;
  core.nextDue = Number.NEGATIVE_INFINITY;
  return permit;
}

function originOf(
  { epoch, stepSeq }: MachineRecord,
  settler: Settler,
  role: Origin['role'],
  step: number | null,
  lifeMs: number,
): Origin {
  return { settler, epoch, stepSeq, role, step, lifeMs };
}

function acquireDisposed(
  core: Core,
  settler: Settler,
  options: AcquireOptions,
): Permit | Rejection {
  if (core.config.onDisposed === 'reject') return reject(core, 'disposed', null);
  const origin = originOf(core.record, settler, 'bypass', null, Infinity);
  return new IssuedPermit(origin, options.idempotent ?? true, core.now);
}

function reject(core: Core, reason: RejectionReason, retryAfterMs: number | null): Rejection {
  core.counters.rejected[reason]++;
  return { granted: false, reason, retryAfterMs };
}
