import type { OutsideOpening } from '../adopt';
import type { BreakerState } from '../types';
import type { SharedRecord } from './shared-record';

/** A transition of this instance's own that the others have not been told. */
export type News = { readonly kind: 'tripped' | 'fell_back' | 'closed' };

export type LocalView = {
  readonly state: BreakerState;
  /** null unless half-open. */
  readonly step: number | null;
  /** Until the retry; 0 unless open. */
  readonly retryInMs: number;
  readonly level: number;
  /** The last shared opening that this instance has taken note of. */
  readonly seen: string;
  readonly news: News | null;
  /** Name for an opening that it would share now. */
  readonly opening: string;
};

export type Rules = {
  readonly instance: string;
  readonly trips: 'own' | 'adopt';
  readonly leaseMs: number;
};

export type Plan = {
  readonly write: SharedRecord | null;
  readonly adopt: OutsideOpening | null;
  /** What the instance has taken note of, once the plan is carried out. */
  readonly seen: string;
};

/** Clocks may run at slightly different speed; the holder ends its lease before the store does. */
const LEASE_USED = 0.9;

/** What one instance does about the shared record. Pure, so that it can be decided anew after a lost race. */
export function decide(rules: Rules, local: LocalView, record: SharedRecord, ageMs: number): Plan {
  return rules.trips === 'own'
    ? { write: ownLease(rules, local, record, ageMs), adopt: null, seen: local.seen }
    : adoptPlan(rules, local, record, ageMs);
}

/** Trips are everybody's own; only the first step is probed by one after the other. */
function ownLease(
  rules: Rules,
  local: LocalView,
  record: SharedRecord,
  ageMs: number,
): SharedRecord | null {
  if (local.step !== 0) {
    return holdsLease(rules, record) ? { ...record, phase: 'free', forMs: 0 } : null;
  }
  if (record.phase === 'free') return lease(rules, record);
  return leaseIfDue(rules, record, ageMs);
}

function adoptPlan(rules: Rules, local: LocalView, record: SharedRecord, ageMs: number): Plan {
  const write = sharedWrite(rules, local, record, ageMs);
  if (write !== null) return { write, adopt: null, seen: write.opening };
  const adopt = adoption(local, record, ageMs);
  const masked = !['closed', 'open', 'half_open'].includes(local.state);
  return {
    write: null,
    adopt,
    seen: masked ? local.seen : record.opening,
  };
}

function sharedWrite(
  rules: Rules,
  local: LocalView,
  record: SharedRecord,
  ageMs: number,
): SharedRecord | null {
  switch (local.state) {
    case 'open':
      return opensAll(rules, local, record)
        ? {
            phase: 'open',
            opening: local.opening,
            by: rules.instance,
            level: local.level,
            forMs: local.retryInMs,
          }
        : null;
    case 'half_open':
      return local.step === 0
        ? firstProbes(rules, local, record, ageMs)
        : passed(rules, local, record, ageMs);
    case 'closed':
      return local.news?.kind === 'closed' && isOver(rules, local, record, ageMs)
        ? { ...record, phase: 'free', by: rules.instance, forMs: 0 }
        : null;
    default:
      return null;
  }
}

/**
 * A trip opens all, unless another was first: rewriting its time with each peer's own would put
 * the retry off again and again. Of failed recoveries only the one that leads counts, or many
 * instances would multiply the chance of a false one.
 */
function opensAll(rules: Rules, local: LocalView, record: SharedRecord): boolean {
  if (local.news?.kind === 'tripped')
    return record.phase === 'free' || record.opening === local.seen;
  return local.news?.kind === 'fell_back' && leads(rules, record);
}

function firstProbes(
  rules: Rules,
  local: LocalView,
  record: SharedRecord,
  ageMs: number,
): SharedRecord | null {
  if (record.phase === 'probing') return leaseIfDue(rules, record, ageMs);
  return isRetryDue(local, record, ageMs) ? lease(rules, record) : null;
}

function isRetryDue({ seen }: LocalView, record: SharedRecord, ageMs: number): boolean {
  return record.phase === 'open' && record.opening === seen && ageMs >= record.forMs;
}

/** The first step is behind this instance: the others may begin theirs. */
function passed(
  rules: Rules,
  local: LocalView,
  record: SharedRecord,
  ageMs: number,
): SharedRecord | null {
  return holdsLease(rules, record) || isRetryDue(local, record, ageMs)
    ? { ...record, phase: 'ramping', by: rules.instance, forMs: 0 }
    : null;
}

/** Whoever is through may say so, except while another is at its first probes. */
function isOver(rules: Rules, local: LocalView, record: SharedRecord, ageMs: number): boolean {
  if (record.phase === 'free' || record.opening !== local.seen) return false;
  return record.phase !== 'probing' || holdsLease(rules, record) || ageMs >= record.forMs;
}

/** The opening of another, as far as it is news. */
function adoption(local: LocalView, record: SharedRecord, ageMs: number): OutsideOpening | null {
  if (record.phase === 'free' || record.opening === local.seen) return null;
  const waiting = record.phase === 'open';
  if (local.state !== 'closed' && !(waiting && local.state === 'half_open')) return null;
  const retryInMs = waiting ? Math.max(0, record.forMs - ageMs) : 0;
  return { reason: 'peer', retryInMs, level: record.level };
}

function leaseIfDue(rules: Rules, record: SharedRecord, ageMs: number): SharedRecord | null {
  const dueMs = record.by === rules.instance ? record.forMs / 2 : record.forMs;
  return ageMs >= dueMs ? lease(rules, record) : null;
}

function lease(rules: Rules, record: SharedRecord): SharedRecord {
  return { ...record, phase: 'probing', by: rules.instance, forMs: rules.leaseMs };
}

export function holdsLease({ instance }: Rules, { phase, by }: SharedRecord): boolean {
  return phase === 'probing' && by === instance;
}

function leads({ instance }: Rules, { phase, by }: SharedRecord): boolean {
  return by === instance && (phase === 'probing' || phase === 'ramping');
}

/** Leave to probe, from now on. */
export type Leave = { readonly forMs: number; readonly sharedBy: number };

/**
 * What the breaker may do until it hears more. `sinceMs`: since the record was asked for, so that
 * the way to the store counts against this side.
 */
export function leaveFor(
  rules: Rules,
  local: LocalView,
  record: SharedRecord,
  ageMs: number,
  sinceMs: number,
  instances: number,
): Leave {
  if (holdsLease(rules, record)) {
    return { forMs: Math.max(0, record.forMs * LEASE_USED - ageMs - sinceMs), sharedBy: 1 };
  }
  const free =
    rules.trips === 'own'
      ? local.state === 'half_open' && local.step !== 0
      : record.phase === 'free' || record.phase === 'ramping';
  return { forMs: free ? Infinity : 0, sharedBy: instances };
}
