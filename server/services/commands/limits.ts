import {
  BREAK_GLASS_LEASE_MS,
  BREAK_GLASS_REASON_MIN,
  DEFAULT_DELIVER_WITHIN_MS,
  DEFAULT_LEASE_MS,
  MAX_DELIVER_WITHIN_MS,
  MAX_FORCE_CLOSED_LEASE_MS,
  MAX_LEASE_MS,
  MAX_START_AHEAD_MS,
  type IssueCommandBody,
  type PreviewCommandBody,
} from '@/lib/protocol/commands';
import type { CommandKind } from '@/lib/protocol/breaker-state';
import { invalid } from './scope';

export type CommandLimits = { readonly leaseMs: number; readonly deliverWithinMs: number };

/** How long it may last from now on. */
export function checkLease(kind: CommandKind, leaseMs: number): void {
  if (kind === 'force_closed' && leaseMs > MAX_FORCE_CLOSED_LEASE_MS) {
    throw invalid('forced closed lasts at most 30 minutes', {
      maxLeaseMs: MAX_FORCE_CLOSED_LEASE_MS,
    });
  }
  if (leaseMs > MAX_LEASE_MS) {
    throw invalid('an override lasts at most 4 hours', { maxLeaseMs: MAX_LEASE_MS });
  }
}

/** The two time limits. A reset happens once and has no lease. */
export function limitsOf(body: Omit<PreviewCommandBody, 'reason' | 'scope'>): CommandLimits {
  const deliverWithinMs = body.deliverWithinMs ?? DEFAULT_DELIVER_WITHIN_MS;
  if (deliverWithinMs > MAX_DELIVER_WITHIN_MS) {
    throw invalid('an override must be delivered within 10 minutes');
  }
  if (body.kind === 'reset') return { leaseMs: 0, deliverWithinMs };
  const leaseMs = body.leaseMs ?? DEFAULT_LEASE_MS;
  checkLease(body.kind, leaseMs);
  return { leaseMs, deliverWithinMs };
}

export function checkStart(startAt: number | undefined, now: number): void {
  if (startAt === undefined) return;
  if (startAt <= now) throw invalid('the start has passed; leave startAt out to start now');
  if (startAt > now + MAX_START_AHEAD_MS) throw invalid('a start lies at most 7 days ahead');
}

export function checkNewInstances({ scope, kind, includeNew }: PreviewCommandBody): void {
  if (!includeNew) return;
  if (scope.kind === 'instances') {
    throw invalid('chosen instances stay as chosen; new ones need another scope');
  }
  if (kind === 'reset') throw invalid('a reset happens once; new instances start closed anyway');
}

/** [S-16] A shorter lease and a longer reason than anybody else's. */
export function checkBreakGlass(body: IssueCommandBody, leaseMs: number): void {
  if (!body.breakGlass) return;
  if (body.reason.length < BREAK_GLASS_REASON_MIN) {
    throw invalid(`break-glass needs a reason of at least ${BREAK_GLASS_REASON_MIN} characters`);
  }
  if (leaseMs > BREAK_GLASS_LEASE_MS) {
    throw invalid('break-glass lasts at most 30 minutes', { maxLeaseMs: BREAK_GLASS_LEASE_MS });
  }
  if (body.startAt !== undefined) throw invalid('break-glass starts now; leave startAt out');
}
