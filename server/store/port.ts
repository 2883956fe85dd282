/**
 * The store as the services see it. One method is one atomic unit of work: it commits as a whole or
 * throws and changes nothing. Signatures are asynchronous so that a store in another process can
 * stand behind them. Instants are epoch milliseconds of the server's clock unless a name says
 * otherwise. Ranges include both ends; what comes `before` a position does not include it.
 * `tests/contracts/store.contract.ts` is the suite that every implementation passes.
 */
import type { AcceptsPolicy } from '@/lib/protocol/agent-frames';
import type { ReportedState } from '@/lib/protocol/breaker-state';
import type { Sample } from '@/lib/protocol/samples';
import type {
  HistoryEvent,
  Liveness,
  OverrideEndReason,
  ProbePoint,
  DeliveryState,
} from '@/lib/protocol/views';
import type { AuditInsert, AuditStore } from './audit-port';
import type { CommandStore } from './command-port';
import type { OverrideRecord } from './override-records';
import type { ApiTokenStore } from './port/api-tokens';
import type { PeopleStore } from './port/people';

export type {
  AuditFilter,
  AuditInsert,
  AuditKeyRecord,
  AuditPosition,
  AuditRecord,
} from './audit-port';
export type * from './command-port';
export type * from './override-records';

export type ServiceRecord = {
  readonly id: string;
  readonly environment: string;
  readonly name: string;
  /** As its agents say; null when none of them did. */
  readonly owner: string | null;
  readonly firstSeenAt: number;
};

export type BreakerRecord = {
  readonly id: string;
  readonly serviceId: string;
  readonly name: string;
  readonly target: string;
  /** Grows by one with each override command. */
  readonly generation: number;
  readonly firstSeenAt: number;
};

export type InstanceRecord = {
  readonly id: string;
  readonly serviceId: string;
  readonly instance: string;
  readonly host: string | null;
  readonly pid: number | null;
  readonly replica: string | null;
  readonly version: string | null;
  readonly sdk: string;
  readonly accepts: AcceptsPolicy;
  readonly tokenId: string | null;
  readonly startedAt: number;
  readonly lastSeenAt: number;
  readonly liveness: Liveness;
  readonly clockOffsetMs: number | null;
  readonly droppedEvents: number;
  readonly droppedSamples: number;
  readonly duplicates: number;
  /** Set when it has been offline so long that lists leave it out. */
  readonly archivedAt: number | null;
};

/** One start of one instance; the unit in which seq counts. */
export type RunRecord = {
  readonly id: number;
  readonly instanceId: string;
  readonly epoch: string;
  readonly ackedSeq: number;
  readonly samplesSeq: number;
};

export type RegisterRun = {
  readonly service: ServiceRecord;
  readonly instance: Omit<
    InstanceRecord,
    'droppedEvents' | 'droppedSamples' | 'duplicates' | 'archivedAt' | 'liveness' | 'clockOffsetMs'
  >;
  readonly epoch: string;
};

export type EventInsert = {
  readonly seq: number;
  readonly type: string;
  /** Null for a gap. */
  readonly breakerId: string | null;
  readonly at: number;
  readonly agentAt: number;
  readonly agentMono: number;
  readonly data: Readonly<Record<string, unknown>>;
};

export type GapInsert = {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly at: number;
  readonly agentAt: number;
  readonly agentMono: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly reason: string;
};

export type BreakerUpsert = Omit<BreakerRecord, 'generation'>;
export type ConfigUpsert = {
  readonly breakerId: string;
  readonly instanceId: string;
  readonly configHash: string;
  readonly config: Readonly<Record<string, unknown>>;
};

export type SampleInsert = {
  readonly breakerId: string;
  readonly at: number;
  readonly sample: Sample;
};
export type ProbeInsert = {
  /** Position in the samples ring; a probe at or below the stored `samplesSeq` is a repeat. */
  readonly seq: number;
  readonly breakerId: string;
  readonly at: number;
  readonly step: number;
  readonly outcome: string;
  readonly latencyMs: number;
  readonly idempotent: boolean;
};
export type StateUpsert = {
  readonly breakerId: string;
  readonly instanceId: string;
  readonly state: ReportedState;
  readonly since: number | null;
  readonly at: number;
};

/** Everything one run brings into one commit. Events come in seq order, contiguous after gaps. */
export type RunBatch = {
  readonly runId: number;
  readonly receivedAt: number;
  readonly breakers: readonly BreakerUpsert[];
  readonly configs: readonly ConfigUpsert[];
  readonly gaps: readonly GapInsert[];
  readonly events: readonly EventInsert[];
  readonly samples: readonly SampleInsert[];
  readonly probes: readonly ProbeInsert[];
  readonly states: readonly StateUpsert[];
  /** Highest seq of the samples ring in this batch, 0 when it has none. The ring may have holes. */
  readonly samplesSeq: number;
  readonly droppedSamples: number;
};

export type RunResult = {
  readonly runId: number;
  readonly ackedSeq: number;
  readonly samplesSeq: number;
  /** Items of both rings and gaps that were new, and that were stored before. */
  readonly accepted: number;
  readonly duplicate: number;
  /** First seq that is missing when the batch does not join what is stored; nothing after it was kept. */
  readonly missingFrom: number | null;
  /** The rows that were new, in order, with their ids. */
  readonly stored: readonly HistoryEvent[];
  readonly storedProbes: readonly ProbePoint[];
};

export type LivenessChange = {
  readonly instanceId: string;
  readonly from: Liveness;
  readonly to: Liveness;
  readonly at: number;
  readonly lastSeenAt: number;
  readonly reason: string;
};

export type EndOverride = {
  readonly id: string;
  readonly at: number;
  readonly reason: OverrideEndReason;
  readonly by: string | null;
  readonly audit: AuditInsert;
};

export type DeliveryUpdate = {
  readonly overrideId: string;
  readonly instanceId: string;
  readonly delivery: DeliveryState;
  readonly reason: string | null;
  readonly at: number;
  /** Left out: as it was. */
  readonly deliverBy?: number;
  readonly leaseRevision?: number;
  /** Null when the change is routine (`sent`). */
  readonly audit: AuditInsert | null;
};

export type TokenRecord = {
  readonly id: string;
  readonly name: string;
  readonly servicePattern: string;
  readonly environment: string;
  readonly abilities: readonly ('publish' | 'obey')[];
  /** First characters, for telling tokens apart. */
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
};

export type HistoryPage = {
  readonly breakerId: string;
  /** Newest first, strictly before this position. */
  readonly before?: { readonly at: number; readonly id: number };
  readonly from?: number;
  readonly to?: number;
  readonly instanceId?: string;
  readonly types?: readonly string[];
  readonly limit: number;
};

/**
 * A stored one-second (or merged) sample of one instance. Counts come back exact, durations within
 * 1e-6 of their value, `at` and `mono` of the agent to the millisecond.
 */
export type StoredSample = {
  readonly instanceId: string;
  readonly at: number;
  readonly sample: Sample;
};

export type SampleRange = {
  readonly breakerId: string;
  readonly instanceId?: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
};

export type FleetRecord = {
  readonly services: readonly ServiceRecord[];
  readonly breakers: readonly BreakerRecord[];
  readonly instances: readonly InstanceRecord[];
  readonly states: readonly StateUpsert[];
  readonly configs: readonly ConfigUpsert[];
  readonly overrides: readonly OverrideRecord[];
  readonly desiredRevision: number;
};

export type PruneResult = { readonly samples: number; readonly probes: number };

export interface Store extends AuditStore, CommandStore {
  /** People, sessions, factors and one-time codes. */
  readonly people: PeopleStore;
  readonly apiTokens: ApiTokenStore;

  /** Everything that live state starts from, read in one transaction. */
  loadFleet(): Promise<FleetRecord>;

  registerRun(input: RegisterRun): Promise<{ run: RunRecord; instance: InstanceRecord }>;
  /** All runs in one durable commit; results in the order given. */
  appendBatches(batches: readonly RunBatch[]): Promise<readonly RunResult[]>;
  /** The last known states of an instance, after a full state frame. */
  saveStates(states: readonly StateUpsert[]): Promise<void>;
  /** Stored as history as well, so that a chart can say that an instance was not heard. */
  recordLiveness(changes: readonly LivenessChange[]): Promise<void>;
  touchInstance(input: {
    readonly instanceId: string;
    readonly lastSeenAt: number;
    readonly clockOffsetMs: number | null;
  }): Promise<void>;
  archiveInstances(before: number, at: number): Promise<readonly string[]>;
  /** Archives one that is offline; false, and no row, when it is not or is archived already. */
  removeInstance(id: string, at: number, audit: AuditInsert): Promise<boolean>;

  /** Deletes its services and everything of them, also history; audit rows stay. */
  removeEnvironment(environment: string, audit: AuditInsert): Promise<void>;

  listHistory(page: HistoryPage): Promise<readonly HistoryEvent[]>;
  /**
   * The last transition of each instance of the breaker before `before`, or its registration if that
   * came later: what was so when a range began.
   */
  lastTransitions(breakerId: string, before: number): Promise<readonly HistoryEvent[]>;
  /** Gaps and liveness changes of these instances, in time order. */
  listLiveness(
    instanceIds: readonly string[],
    from: number,
    to: number,
  ): Promise<readonly (LivenessChange & { readonly id: number })[]>;
  listGaps(
    instanceIds: readonly string[],
    from: number,
    to: number,
  ): Promise<readonly HistoryEvent[]>;
  readSamples(range: SampleRange): Promise<readonly StoredSample[]>;
  readProbes(range: SampleRange): Promise<readonly ProbePoint[]>;

  /** All in one transaction; those that are unknown or had ended are left out. */
  endOverrides(
    inputs: readonly EndOverride[],
  ): Promise<{ readonly overrides: readonly OverrideRecord[]; readonly revision: number }>;
  recordDeliveries(updates: readonly DeliveryUpdate[]): Promise<readonly OverrideRecord[]>;
  getOverride(id: string): Promise<OverrideRecord | null>;
  listOverrides(filter: {
    readonly active?: boolean;
    readonly breakerId?: string;
    readonly limit: number;
  }): Promise<readonly OverrideRecord[]>;

  createToken(token: TokenRecord, hash: string, audit: AuditInsert): Promise<void>;
  findToken(hash: string): Promise<TokenRecord | null>;
  listTokens(): Promise<readonly TokenRecord[]>;
  touchToken(id: string, at: number): Promise<void>;
  /** Null when it is unknown. */
  revokeToken(id: string, at: number, audit: AuditInsert): Promise<TokenRecord | null>;

  /** Deletes samples and probes older than `before`, at most `limit` rows, so that no call stalls. */
  prune(before: number, limit: number): Promise<PruneResult>;
  /** A consistent copy of everything in a new file; its audit row is in the copy. */
  backUp(target: string, audit: AuditInsert): Promise<void>;
  /** Commits a probe row: resolves when the store can take writes. */
  checkWritable(): Promise<void>;
  /** Reads the whole file; runs off the main thread where the store can. Null when sound. */
  checkIntegrity(): Promise<string | null>;
  close(): Promise<void>;
}
