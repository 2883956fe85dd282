/**
 * What the doors (HTTP, agent socket, live socket) may ask of the services. A door parses, calls one
 * of these and answers; every rule is behind them. All of them throw `RecloserError` for a refusal.
 */
import type { ApiTokenView, CreateApiTokenBody } from '@/lib/protocol/api-tokens';
import type { AppliedFrame, Hello, StateFrame } from '@/lib/protocol/agent-frames';
import type {
  BreakerBody,
  CreateTokenBody,
  FleetBody,
  HistoryBody,
  HistoryQuery,
  ImpactBody,
  IssueOverrideBody,
  ReleaseOverrideBody,
  SeriesBody,
  SeriesQuery,
  TargetSeriesBody,
  TargetSeriesQuery,
  ServiceBody,
} from '@/lib/protocol/api';
import type {
  AuditCheckpoint,
  AuditExportQuery,
  AuditFilterQuery,
  AuditProofBody,
  RollbackAlarm,
} from '@/lib/protocol/audit';
import type { CommandKind } from '@/lib/protocol/breaker-state';
import type { AgentEvent } from '@/lib/protocol/events';
import type {
  ApproveBody,
  ChangeLeaseBody,
  CloseReviewBody,
  DenyBody,
  IssueCommandBody,
  PolicyView,
  PreviewCommandBody,
  ReleaseBody,
  SetPolicyBody,
  StartReleaseBody,
} from '@/lib/protocol/commands';
import type {
  CommandPreview,
  CommandView,
  PoliciesBody,
  ReleaseView,
  ReviewView,
} from '@/lib/protocol/command-views';
import type { LivePatch, LiveSnapshot } from '@/lib/protocol/live-frames';
import type { ClockReading } from '@/lib/protocol/primitives';
import type { SampleItem } from '@/lib/protocol/samples';
import type { Desired } from '@/lib/protocol/server-frames';
import type { AuditRow, OverrideView, ServiceView, TokenView } from '@/lib/protocol/views';
import type { TokenRecord } from '../store/port';
import type { Caller, Principal } from './caller';
import type { Diagnosis } from './diagnosis/contract';
import type { Instances } from './instances/contract';
import type { Simulator } from './simulator/contract';
import type { Entry, IssuingStepUps, People, Profile } from './people/contract';
import type { Screens } from './screens/contract';

/** Wall time for stamps, monotonic time for durations, timers that a test can drive. */
export interface Clock {
  /** Epoch milliseconds. */
  wall(): number;
  /** Monotonic milliseconds, float. */
  mono(): number;
  after(ms: number, run: () => void): { cancel(): void };
}

export interface Logger {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** One live connection of one run. Only the agents service makes one. */
export type AgentSession = {
  readonly id: string;
  readonly runId: number;
  readonly epoch: string;
  readonly instanceId: string;
  readonly serviceId: string;
  readonly environment: string;
  readonly service: string;
  readonly instance: string;
  readonly token: TokenRecord;
};

export type EventsAck = {
  readonly ackedSeq: number;
  readonly samplesSeq: number;
  readonly accepted: number;
  readonly duplicate: number;
  /** Set when a hole was seen: ask the agent to send again from here. */
  readonly resendFrom: number | null;
  /** Items that were acknowledged but refused for good (quota): a permanent error each. */
  readonly refused?: readonly {
    readonly seq: number;
    readonly code: string;
    readonly message: string;
  }[];
};

export interface Agents {
  /** Throws `not_allowed` when the token does not cover the service or environment. */
  connect(input: {
    readonly hello: Hello;
    readonly token: TokenRecord;
    readonly receivedAt: number;
    /** Called when another connection with the same instance and epoch takes over. */
    readonly onReplaced: () => void;
  }): Promise<{
    readonly session: AgentSession;
    readonly ackedSeq: number;
    readonly samplesSeq: number;
  }>;
  /** Resolves after the commit. */
  events(
    session: AgentSession,
    events: readonly AgentEvent[],
    receivedAt: number,
  ): Promise<EventsAck>;
  samples(
    session: AgentSession,
    items: readonly SampleItem[],
    dropped: number,
    receivedAt: number,
  ): Promise<EventsAck>;
  /** `need_state` when the digest does not match what the console holds. */
  state(session: AgentSession, frame: StateFrame, receivedAt: number): Promise<'ok' | 'need_state'>;
  applied(session: AgentSession, frame: AppliedFrame, receivedAt: number): Promise<void>;
  /** Any frame counts as a sign of life; `clock` comes with hello and pong. */
  heard(
    session: AgentSession,
    receivedAt: number,
    clock?: { readonly reading: ClockReading; readonly roundTripMs: number },
  ): void;
  disconnected(session: AgentSession, at: number, goodbye: boolean): Promise<void>;
  /** The newest signed state of the audit trail, to be kept as a witness; null before the first. */
  checkpoint(): Promise<AuditCheckpoint | null>;
  /** A client remembers another audit trail than this one. */
  alarm(session: AgentSession, frame: RollbackAlarm): Promise<void>;
  /** The whole wanted set, computed now; marks queued deliveries as sent. */
  desired(session: AgentSession): Promise<Desired>;
}

export interface Overrides {
  impact(breakerId: string, kind: CommandKind): Promise<ImpactBody>;
  issue(caller: Caller, body: IssueOverrideBody): Promise<OverrideView>;
  release(caller: Caller, id: string, body: ReleaseOverrideBody): Promise<OverrideView>;
  /** Back to automatic: everything that is in force on the breaker, in one act. */
  releaseBreaker(caller: Caller, breakerId: string, body: ReleaseBody): Promise<OverrideView[]>;
  /** Longer or shorter, counted from now. */
  changeLease(caller: Caller, id: string, body: ChangeLeaseBody): Promise<OverrideView>;
  get(id: string): Promise<OverrideView>;
  list(filter: { readonly active?: boolean; readonly breakerId?: string }): Promise<OverrideView[]>;
}

export interface Commands {
  /** What it would hit now; the digest says which situation was looked at. */
  preview(body: PreviewCommandBody): Promise<CommandPreview>;
  issue(caller: Caller, body: IssueCommandBody): Promise<CommandView>;
  get(id: string): Promise<CommandView>;
  /** `waiting`: for a second person or for their start. Newest first. */
  list(filter: { readonly waiting?: boolean }): Promise<CommandView[]>;
  /** Refused unless another person asks who saw exactly this. */
  approve(caller: Caller, id: string, body: ApproveBody): Promise<CommandView>;
  deny(caller: Caller, id: string, body: DenyBody): Promise<CommandView>;
  /** Before its start, or before anybody approved it. */
  cancel(caller: Caller, id: string, body: ReleaseBody): Promise<CommandView>;
  /** Everything of it that is in force, at once. */
  release(caller: Caller, id: string, body: ReleaseBody): Promise<CommandView>;
  changeLease(caller: Caller, id: string, body: ChangeLeaseBody): Promise<CommandView>;
}

/** Letting go some instances at a time. */
export interface Releases {
  start(caller: Caller, body: StartReleaseBody): Promise<ReleaseView>;
  /** Goes on with one that stopped because an instance tripped again or did not let go. */
  resume(caller: Caller, id: string): Promise<ReleaseView>;
  /** What is still held stays so until its lease ends. */
  cancel(caller: Caller, id: string): Promise<ReleaseView>;
  get(id: string): Promise<ReleaseView>;
  list(filter: { readonly open?: boolean }): Promise<ReleaseView[]>;
}

export interface Policies {
  list(): Promise<PoliciesBody>;
  set(caller: Caller, body: SetPolicyBody): Promise<PolicyView>;
}

export interface Reviews {
  list(filter: { readonly open?: boolean }): Promise<ReviewView[]>;
  close(caller: Caller, id: string, body: CloseReviewBody): Promise<ReviewView>;
}

/** Tokens with which scripts speak for a person; see `lib/protocol/api-tokens`. */
export interface ApiTokens {
  create(caller: Caller, body: CreateApiTokenBody): Promise<{ token: string; view: ApiTokenView }>;
  list(caller: Caller): Promise<ApiTokenView[]>;
  revoke(caller: Caller, id: string): Promise<ApiTokenView>;
  /** Null for one that is malformed, unknown, expired or revoked, or whose owner is gone. */
  authenticate(token: string): Promise<Extract<Principal, { kind: 'api_token' }> | null>;
  /** The same for the token of a screen, with what it may see. */
  screen(token: string): Promise<Pick<ApiTokenView, 'id' | 'name' | 'expiresAt' | 'grants'> | null>;
}

export interface Tokens {
  create(caller: Caller, body: CreateTokenBody): Promise<{ token: string; view: TokenView }>;
  list(): Promise<TokenView[]>;
  revoke(caller: Caller, id: string): Promise<TokenView>;
  /** Null for one that is malformed, unknown, expired or revoked. */
  authenticate(token: string): Promise<TokenRecord | null>;
}

export interface Queries {
  /** All breakers, services and overrides at one revision. */
  fleet(): Promise<FleetBody>;
  breaker(id: string): Promise<BreakerBody>;
  history(breakerId: string, query: HistoryQuery): Promise<HistoryBody>;
  series(breakerId: string, query: SeriesQuery): Promise<SeriesBody>;
  /** Sums over all breakers to one target. */
  targetSeries(query: TargetSeriesQuery): Promise<TargetSeriesBody>;
  services(): Promise<ServiceView[]>;
  service(id: string): Promise<ServiceBody>;
  audit(
    page: AuditFilterQuery & { readonly before?: number | undefined; readonly limit: number },
  ): Promise<{ rows: AuditRow[]; next: number | null }>;
}

/** A file that is made while it is read. */
export type AuditFile = {
  /** Fixed and safe. */
  readonly name: string;
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
};

/** Whether the second place of the audit trail keeps up. */
export type SinkHealth = {
  readonly state: 'ok' | 'failing';
  /** Age of the oldest row that is not there yet, ms. */
  readonly lagMs: number;
  /** Without it nothing may be changed. */
  readonly required: boolean;
};

/** What proves the audit trail. */
export interface AuditProof {
  proof(): Promise<AuditProofBody>;
  checkpoint(): Promise<AuditCheckpoint | null>;
  /** Itself a row, stored before the first line leaves. */
  export(caller: Caller, query: AuditExportQuery): Promise<AuditFile>;
}

/** The revisioned stream that browsers follow. */
export interface LiveFeed {
  readonly serverEpoch: string;
  revision(): number;
  /** Consistent with `revision` in it. `instances` only when that topic is asked for. */
  snapshot(topics: ReadonlySet<string>): LiveSnapshot;
  /**
   * One patch that covers `(revision, now]`, filtered to the topics; null when nothing is missing;
   * `lost` when the ring no longer reaches back or the revision was never ours.
   */
  since(revision: number, topics: ReadonlySet<string>): LivePatch | null | 'lost';
  /**
   * Called once for each new revision with the unfiltered patch. `filterPatch` and `mergePatches` in
   * `lib/live` cut it to topics and join neighbours.
   */
  subscribe(listener: (patch: LivePatch) => void): () => void;
  /**
   * The feed computes detail (points, instance rows) only for breakers that somebody watches. A
   * breaker's id, or that of one of its instances as `instanceDetailId` makes it: its points alone.
   */
  watch(detailId: string): () => void;
}

/** What the gate guards: those verbs that a door may reach. */
export type Behind = {
  readonly people: People;
  readonly profile: Profile;
  readonly overrides: Overrides;
  readonly commands: Commands;
  readonly releases: Releases;
  readonly policies: Policies;
  readonly reviews: Reviews;
  readonly tokens: Pick<Tokens, 'create' | 'list' | 'revoke'>;
  readonly apiTokens: Pick<ApiTokens, 'create' | 'list' | 'revoke'>;
  readonly queries: Queries;
  readonly diagnosis: Diagnosis;
  readonly instances: Instances;
  readonly simulator: Simulator;
  readonly audit: AuditProof;
};

/** Arguments of a verb without the caller that a changing verb takes first. */
export type Args<V> = V extends (...args: infer A) => unknown
  ? A extends [Caller, ...infer Rest]
    ? Rest
    : A
  : never;
type Bound<V> = V extends (...args: never[]) => infer R ? (...args: Args<V>) => R : never;

/** What a door sees: the same verbs, with the caller already in them. */
export type Door = {
  readonly [G in keyof Behind]: { readonly [V in keyof Behind[G]]: Bound<Behind[G][V]> };
};

export interface Services {
  readonly agents: Agents;
  readonly overrides: Overrides;
  readonly commands: Commands;
  readonly releases: Releases;
  readonly policies: Policies;
  readonly reviews: Reviews;
  readonly tokens: Tokens;
  readonly apiTokens: ApiTokens;
  readonly queries: Queries;
  readonly diagnosis: Diagnosis;
  readonly instances: Instances;
  readonly simulator: Simulator;
  readonly audit: AuditProof;
  readonly feed: LiveFeed;
  readonly people: People;
  readonly profile: Profile;
  readonly stepUps: IssuingStepUps;
  /** Not behind the gate: a screen is nobody, and its token opens these alone. */
  readonly screens: Screens;
  /** Not behind the gate: the ways in, for the sign-in doors only. */
  readonly entry: Entry;
  /** [S-12] What a door may use for this caller, every verb behind the gate. */
  forCaller(caller: Caller): Door;
  /** Null when there is no second audit sink. */
  sinkHealth(): Promise<SinkHealth | null>;
  /** Loads what was known, starts timers (liveness, lease ends, retention). */
  start(): Promise<void>;
  /** Flushes what was received, stops timers. */
  stop(): Promise<void>;
}
