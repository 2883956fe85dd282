import type { Flight } from './flights';
import { outcomes } from './types';
import type { Failure, FailureKind, Outcome, Receipt, RejectionReason } from './types';

/** Leave to make one call. Settles once; what happens to it later changes nothing. */
export type Permit = {
  readonly granted: true;
  readonly epoch: number;
  readonly stepSeq: number;
  readonly role: 'normal' | 'probe' | 'bypass';
  /** The call is a probe of a half-open breaker. */
  readonly probe: boolean;
  /** Ramp step in which it was issued; null unless it is a probe. */
  readonly step: number | null;
  readonly idempotent: boolean;
  /** Monotonic ms. */
  readonly admittedAt: number;
  /** From here on the call counts as timed out. */
  readonly expiresAt: number;
  /** Without a latency the time since the admission counts. */
  success(latencyMs?: number): Receipt;
  failure(failure: Failure, latencyMs?: number): Receipt;
  /** The caller gave up: says nothing about the target. */
  cancel(): Receipt;
  /** The result is none of the breaker's business. */
  ignore(): Receipt;
};

export type Rejection = {
  readonly granted: false;
  readonly reason: RejectionReason;
  /** When another try makes sense; null when nobody knows. */
  readonly retryAfterMs: number | null;
};

export type Settle = (
  permit: IssuedPermit,
  outcome: Outcome,
  latencyMs: number | undefined,
  hintMs: number,
) => Receipt;

export class IssuedPermit implements Permit, Flight {
  readonly granted = true;
  readonly epoch: number;
  readonly stepSeq: number;
  readonly role: 'normal' | 'probe' | 'bypass';
  readonly step: number | null;
  readonly idempotent: boolean;
  readonly admittedAt: number;
  readonly expiresAt: number;
  previous: Flight | null = null;
  next: Flight | null = null;
  aged = 0;
  linked = false;
  phase: 'out' | 'expired' | 'settled' = 'out';
  readonly #settle: Settle;

  constructor(
    settle: Settle,
    epoch: number,
    stepSeq: number,
    role: 'normal' | 'probe' | 'bypass',
    step: number | null,
    idempotent: boolean,
    admittedAt: number,
    expiresAt: number,
  ) {
    this.#settle = settle;
    this.epoch = epoch;
    this.stepSeq = stepSeq;
    this.role = role;
    this.step = step;
    this.idempotent = idempotent;
    this.admittedAt = admittedAt;
    this.expiresAt = expiresAt;
  }

  get probe(): boolean {
    return this.role === 'probe';
  }

  success(latencyMs?: number): Receipt {
    return this.#settle(this, 'success', latencyMs, 0);
  }

  failure(failure: Failure, latencyMs?: number): Receipt {
    if (typeof failure === 'string') return this.#settle(this, kindOf(failure), latencyMs, 0);
    const hintMs = failure?.retryAfterMs;
    const asked = typeof hintMs === 'number' && hintMs > 0 ? hintMs : 0;
    return this.#settle(this, kindOf(failure?.kind), latencyMs, asked);
  }

  cancel(): Receipt {
    return this.#settle(this, 'cancelled', undefined, 0);
  }

  ignore(): Receipt {
    return this.#settle(this, 'ignored', undefined, 0);
  }
}

const kinds: ReadonlySet<unknown> = new Set(outcomes.filter((kind) => kind !== 'success'));

/** What an untyped `classify` may have meant. */
export function knownFailure(failure: Failure): Failure {
  return typeof failure === 'object' && failure !== null
    ? { ...failure, kind: kindOf(failure.kind) }
    : kindOf(failure);
}

/** Callers without types may say anything; what nobody knows is a failure. */
function kindOf(kind: FailureKind | undefined): FailureKind {
  return kind !== undefined && kinds.has(kind) ? kind : 'server_error';
}
