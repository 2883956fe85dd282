/**
 * What a diagnosis is made of: the stored history of one logical breaker, what its instances say now
 * and how they are configured. Instants are epoch milliseconds, shares fractions, durations
 * milliseconds. The caller bounds the lists; the rules take whatever they get.
 */
import type { Finding } from '../protocol/findings';
import type { CallGroup } from '../protocol/samples';

export type EventFact = {
  readonly id: number;
  readonly at: number;
  readonly instanceId: string;
  /** One start of the instance; a breaker begins anew in each. */
  readonly run: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export type ProbeFact = {
  readonly at: number;
  readonly instanceId: string;
  readonly step: number;
  readonly outcome: string;
  readonly latencyMs: number;
  readonly idempotent: boolean;
};

/** All instances over a few minutes. */
export type Span = {
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  readonly failures: number;
  /** Of these, while the breaker was closed. */
  readonly closedCalls: number;
  readonly closedFailures: number;
  readonly rejectedLocal: number;
  readonly notPermitted: number;
  /** The most calls that one closed instance counted within one window of its breaker. */
  readonly peakCalls: number;
  readonly groups: readonly CallGroup[];
};

export type InstanceFact = {
  readonly instanceId: string;
  readonly instance: string;
  readonly live: boolean;
  readonly state: string;
  readonly step: number | null;
  readonly hold: boolean;
  readonly since: number | null;
  readonly retryAt: number | null;
  readonly inFlight: number;
  readonly configHash: string;
  readonly baseline: {
    readonly p50: number;
    readonly p99: number;
    readonly samples: number;
  } | null;
};

export type ConfigFact = {
  readonly hash: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly instanceIds: readonly string[];
};

export type OverrideFact = {
  readonly id: string;
  readonly kind: string;
  readonly actor: string;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly endedAt: number | null;
  /** Grows with each change of the lease, from 0 or 1. */
  readonly leaseRevision: number;
};

/** Another breaker to the same target in the same environment. */
export type Neighbour = {
  readonly service: string;
  readonly breaker: string;
  readonly halfOpen: number;
};

export type History = {
  readonly now: number;
  readonly from: number;
  readonly events: readonly EventFact[];
  readonly probes: readonly ProbeFact[];
  readonly spans: readonly Span[];
  readonly instances: readonly InstanceFact[];
  readonly configs: readonly ConfigFact[];
  /** Those in force and the latest that ended. */
  readonly overrides: readonly OverrideFact[];
  readonly neighbours: readonly Neighbour[];
};

/** What a rule says; the rest of a finding follows from it. */
export type Draft = Pick<Finding, 'severity' | 'summary' | 'evidence' | 'advice'> & {
  readonly instanceIds?: readonly string[];
  readonly eventIds?: readonly number[];
  readonly firstAt: number;
  readonly lastAt: number;
};
