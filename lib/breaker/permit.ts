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

/**
 * Brings the breaker to the present, books the outcome and delivers the events. An object with a
 * method of its class, because a closure per breaker could not be inlined.
 */
export type Settler = {
  settle(
    permit: IssuedPermit,
    outcome: Outcome,
    latencyMs: number | undefined,
    hintMs: number,
  ): Receipt;
};

/** What a permit is of. All permits of a closed breaker share one. */
export type Origin = {
  readonly settler: Settler;
  readonly epoch: number;
  readonly stepSeq: number;
  readonly role: Permit['role'];
  readonly step: number | null;
  readonly lifeMs: number;
};

/**
 * The links of the list of calls under way are its own, so that a call costs one small object. The
 * fields are only declared, because those that a class defines are set twice.
 */
export class IssuedPermit implements Permit, Flight {
  declare readonly origin: Origin;
  declare readonly idempotent: boolean;
  declare readonly admittedAt: number;
  declare phase: 'out' | 'expired' | 'settled';
  declare previous: Flight | null;
  declare next: Flight | null;
  declare aged: number;

  constructor(origin: Origin, idempotent: boolean, admittedAt: number) {
    this.origin = origin;
    this.idempotent = idempotent;
    this.admittedAt = admittedAt;
    this.phase = 'out';
    this.previous = null;
    this.next = null;
    this.aged = 0;
  }

  get granted(): true {
    return true;
  }

  get epoch(): number {
    return this.origin.epoch;
  }

  get stepSeq(): number {
    return this.origin.stepSeq;
  }

  get role(): Permit['role'] {
    return this.origin.role;
  }

  get step(): number | null {
    return this.origin.step;
  }

  get probe(): boolean {
    return this.origin.role === 'probe';
  }

  get expiresAt(): number {
    return this.admittedAt + this.origin.lifeMs;
  }

  success(latencyMs?: number): Receipt {
    return this.origin.settler.settle(this, 'success', latencyMs, 0);
  }

  failure(failure: Failure, latencyMs?: number): Receipt {
    const { settler } = this.origin;
    if (typeof failure === 'string') return settler.settle(this, kindOf(failure), latencyMs, 0);
    const hintMs = failure?.retryAfterMs;
    const asked = typeof hintMs === 'number' && hintMs > 0 ? hintMs : 0;
    return settler.settle(this, kindOf(failure?.kind), latencyMs, asked);
  }

  cancel(): Receipt {
    return this.origin.settler.settle(this, 'cancelled', undefined, 0);
  }

  ignore(): Receipt {
    return this.origin.settler.settle(this, 'ignored', undefined, 0);
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
