import {
  DEFAULT_DELIVER_WITHIN_MS,
  MAX_DELIVER_WITHIN_MS,
  MAX_FORCE_CLOSED_LEASE_MS,
  MAX_LEASE_MS,
  MINUTE_MS,
  type IssueOverrideBody,
} from '@/lib/protocol/api';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import type { BreakerEntry } from '../fleet/entries';

const DEFAULT_LEASE_MS = 15 * MINUTE_MS;

export type OverrideLimits = { readonly leaseMs: number; readonly deliverWithinMs: number };

function invalid(message: string, details?: Record<string, unknown>): RecloserError {
  return new RecloserError('invalid_input', message, details === undefined ? {} : { details });
}

/** The two time limits. A reset happens once and has no lease. */
export function limitsOf(body: IssueOverrideBody): OverrideLimits {
  const deliverWithinMs = body.deliverWithinMs ?? DEFAULT_DELIVER_WITHIN_MS;
  if (deliverWithinMs > MAX_DELIVER_WITHIN_MS) {
    throw invalid('an override must be delivered within 10 minutes');
  }
  if (body.kind === 'reset') return { leaseMs: 0, deliverWithinMs };
  const leaseMs = body.leaseMs ?? DEFAULT_LEASE_MS;
  if (body.kind === 'force_closed' && leaseMs > MAX_FORCE_CLOSED_LEASE_MS) {
    throw invalid('forced closed lasts at most 30 minutes', {
      maxLeaseMs: MAX_FORCE_CLOSED_LEASE_MS,
    });
  }
  if (leaseMs > MAX_LEASE_MS) {
    throw invalid('an override lasts at most 4 hours', { maxLeaseMs: MAX_LEASE_MS });
  }
  return { leaseMs, deliverWithinMs };
}

/** The instances that the override is for, frozen now. */
export function targetsOf(core: Core, entry: BreakerEntry, body: IssueOverrideBody): string[] {
  const known = [...entry.cells.keys()];
  if (body.instances !== undefined) {
    const strangers = body.instances.filter((id) => !entry.cells.has(id));
    if (strangers.length > 0) {
      throw invalid('an instance does not have this breaker', { instances: strangers });
    }
    return [...new Set(body.instances)];
  }
  if (known.length === 0) throw invalid('no instance has this breaker');
  // Two processes under one name cannot both be meant by it.
  const doubled = known.filter((id) => (core.fleet.instances.get(id)?.epochs.size ?? 0) > 1);
  if (doubled.length > 0) {
    throw invalid('two processes claim the same instance; choose the instances', {
      duplicateIdentity: doubled,
    });
  }
  return known;
}
