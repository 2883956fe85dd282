import { weightOf } from '../outcome';
import { knownFailure } from '../permit';
import type { Permit } from '../permit';
import type { Failure, Outcome, Receipt } from '../types';
import type { Fleet } from './fleet';
import type { Member } from './member';
import type { EndpointPermit } from './types';

/** A permit of an endpoint's breaker. */
export class BreakerPermit implements EndpointPermit {
  readonly granted = true;
  readonly panic = false;
  readonly endpoint: string;
  readonly #permit: Permit;
  readonly #fleet: Fleet;

  constructor(fleet: Fleet, endpoint: string, permit: Permit) {
    this.#fleet = fleet;
    this.endpoint = endpoint;
    this.#permit = permit;
  }

  get probe(): boolean {
    return this.#permit.probe;
  }

  get admittedAt(): number {
    return this.#permit.admittedAt;
  }

  get expiresAt(): number {
    return this.#permit.expiresAt;
  }

  success(latencyMs?: number): Receipt {
    return this.#fleet.within(() => this.#permit.success(latencyMs));
  }

  failure(failure: Failure, latencyMs?: number): Receipt {
    return this.#fleet.within(() => this.#permit.failure(failure, latencyMs));
  }

  cancel(): Receipt {
    return this.#fleet.within(() => this.#permit.cancel());
  }

  ignore(): Receipt {
    return this.#fleet.within(() => this.#permit.ignore());
  }
}

/**
 * Leave to call an endpoint that is out. Its breaker knows nothing of it; only an answer tells it,
 * as a good health check would, that it may try earlier.
 */
export class PanicPermit implements EndpointPermit {
  readonly granted = true;
  readonly panic = true;
  readonly probe = false;
  readonly admittedAt: number;
  readonly expiresAt: number;
  readonly #fleet: Fleet;
  readonly #member: Member;
  #settled = false;

  constructor(fleet: Fleet, member: Member, lifeMs: number) {
    this.#fleet = fleet;
    this.#member = member;
    this.admittedAt = fleet.now;
    this.expiresAt = fleet.now + lifeMs;
  }

  get endpoint(): string {
    return this.#member.name;
  }

  success(): Receipt {
    return this.#settle('success');
  }

  failure(failure: Failure): Receipt {
    const known = knownFailure(failure);
    return this.#settle(typeof known === 'string' ? known : known.kind);
  }

  cancel(): Receipt {
    return this.#settle('cancelled');
  }

  ignore(): Receipt {
    return this.#settle('ignored');
  }

  #settle(outcome: Outcome): Receipt {
    return this.#fleet.within(() => {
      if (this.#settled) return 'duplicate';
      this.#settled = true;
      if (this.#member.removed) return 'late';
      if (this.#fleet.now >= this.expiresAt) return 'expired';
      if (weightOf(outcome) === 'good') this.#member.breaker.healthy();
      return 'bypassed';
    });
  }
}
