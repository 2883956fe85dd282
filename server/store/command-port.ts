/** The part of the store's port that is about commands: what people ask for and what comes of it. */
import type { CommandKind } from '@/lib/protocol/breaker-state';
import type {
  CommandFacts,
  CommandScope,
  CommandStatus,
  PolicyLevel,
  ReleaseOutcome,
  ReleaseStatus,
  RiskLevel,
} from '@/lib/protocol/commands';
import type { AuditInsert } from './audit-port';
import type { OverrideRecord } from './override-records';

/** Who asked, so far as it decides who else may approve. */
export type RequesterStamp = {
  readonly kind: string;
  readonly id: string | null;
  readonly email: string | null;
};

export type CommandRecord = {
  readonly id: string;
  readonly kind: CommandKind;
  readonly environment: string;
  readonly scope: CommandScope;
  /** Instances that register during the lease get it as well. */
  readonly includeNew: boolean;
  readonly reason: string;
  readonly actor: string;
  readonly requester: RequesterStamp;
  readonly createdAt: number;
  /** Null when it starts at once. */
  readonly startAt: number | null;
  readonly leaseMs: number;
  readonly deliverWithinMs: number;
  readonly risk: RiskLevel;
  readonly breakGlass: boolean;
  /** The generation of each breaker that the person saw. */
  readonly expected: Readonly<Record<string, number>>;
  readonly facts: CommandFacts;
  readonly digest: string;
  readonly status: CommandStatus;
  readonly statusAt: number;
  readonly statusBy: string | null;
  readonly statusReason: string | null;
  readonly approvedBy: string | null;
};

/** One breaker's part of a command. */
export type OverrideInsert = {
  readonly id: string;
  readonly breakerId: string;
  readonly deliverBy: number;
  readonly endsAt: number;
  readonly createdAt: number;
  readonly targetInstanceIds: readonly string[];
};

export type PutCommand = {
  readonly command: CommandRecord;
  readonly idempotencyKey: string;
  /** None for a command that waits. */
  readonly overrides: readonly OverrideInsert[];
  readonly review: ReviewInsert | null;
  readonly audit: AuditInsert;
};

export type GenerationConflict = {
  readonly breakerId: string;
  readonly generation: number;
  readonly latest: OverrideRecord | null;
};

export type Issued = {
  readonly kind: 'issued';
  readonly command: CommandRecord;
  readonly overrides: readonly OverrideRecord[];
  /** The new desired revision. */
  readonly revision: number;
};

export type PutCommandResult =
  | Issued
  /** The same idempotency key was used before; nothing changed. */
  | {
      readonly kind: 'repeat';
      readonly command: CommandRecord;
      readonly overrides: readonly OverrideRecord[];
    }
  /** Somebody acted in between on at least one breaker; nothing was issued, the refusal is audited. */
  | { readonly kind: 'conflict'; readonly conflicts: readonly GenerationConflict[] }
  | { readonly kind: 'unknown_breaker'; readonly breakerId: string };

/** From waiting to issued. Generations are compared with `expected` when it is given. */
export type StartCommand = {
  readonly id: string;
  readonly from: CommandStatus;
  /** What was approved; another one means that the command was changed meanwhile. */
  readonly digest: string | null;
  readonly at: number;
  readonly by: string | null;
  readonly approvedBy: string | null;
  /** Waits on for its start instead of being issued now. */
  readonly to: 'issued' | 'scheduled';
  readonly expected: Readonly<Record<string, number>> | null;
  readonly overrides: readonly OverrideInsert[];
  readonly audit: AuditInsert;
};

export type StartCommandResult =
  | Issued
  | { readonly kind: 'conflict'; readonly conflicts: readonly GenerationConflict[] }
  /** It was decided, or changed, by somebody else. */
  | { readonly kind: 'not_waiting'; readonly command: CommandRecord | null };

/** From waiting to an end without overrides. */
export type SettleCommand = {
  readonly id: string;
  readonly from: readonly CommandStatus[];
  readonly to: CommandStatus;
  readonly at: number;
  readonly by: string | null;
  readonly reason: string | null;
  readonly audit: AuditInsert;
};

export type RefreshCommand = Pick<CommandRecord, 'id' | 'facts' | 'digest' | 'expected'> & {
  readonly from: string;
  readonly audit: AuditInsert;
};

export type ChangeLease = {
  readonly id: string;
  readonly at: number;
  readonly leaseMs: number;
  readonly endsAt: number;
  readonly expectedLeaseRevision: number;
  readonly audit: AuditInsert;
};

export type AddTargets = {
  readonly overrideId: string;
  readonly instanceIds: readonly string[];
  readonly at: number;
  readonly deliverBy: number;
  readonly audit: AuditInsert;
};

export type ReleaseRecord = {
  readonly id: string;
  readonly actor: string;
  readonly reason: string;
  readonly createdAt: number;
  readonly overrideIds: readonly string[];
  readonly batchSize: number;
  readonly intervalMs: number;
  readonly nextAt: number;
  readonly status: ReleaseStatus;
  readonly statusAt: number;
  readonly statusBy: string | null;
  readonly statusReason: string | null;
};

/** What became of letting go at one target. */
export type TargetRelease = {
  readonly overrideId: string;
  readonly instanceId: string;
  readonly releasedAt: number;
  readonly outcome: ReleaseOutcome;
};

export type StepRelease = {
  readonly release: ReleaseRecord;
  readonly targets: readonly TargetRelease[];
  /** Null when nothing but time has passed. */
  readonly audit: AuditInsert | null;
};

export type PolicyRecord = {
  readonly environment: string;
  readonly twoPerson: PolicyLevel;
  readonly stepUp: PolicyLevel;
  readonly tierOneServices: readonly string[];
  readonly updatedAt: number;
  readonly updatedBy: string;
};

export type ReviewInsert = {
  readonly id: string;
  readonly createdAt: number;
  readonly dueAt: number;
};

export type ReviewRecord = ReviewInsert & {
  readonly command: CommandRecord;
  readonly closedAt: number | null;
  readonly closedBy: string | null;
  readonly note: string | null;
};

export interface CommandStore {
  /** Command, overrides, targets, generations and audit row in one transaction. */
  putCommand(input: PutCommand): Promise<PutCommandResult>;
  startCommand(input: StartCommand): Promise<StartCommandResult>;
  /** Null when it is unknown or waits no more. */
  settleCommand(input: SettleCommand): Promise<CommandRecord | null>;
  /** New facts for one that waits; null when its digest is another one by now. */
  refreshCommand(input: RefreshCommand): Promise<CommandRecord | null>;
  getCommand(id: string): Promise<CommandRecord | null>;
  findCommandByKey(idempotencyKey: string): Promise<CommandRecord | null>;
  /** Newest first; `waiting`: not issued and not ended. */
  listCommands(filter: {
    readonly waiting?: boolean;
    readonly limit: number;
  }): Promise<readonly CommandRecord[]>;
  overridesOfCommand(id: string): Promise<readonly OverrideRecord[]>;

  /** All in one transaction. `ended` when one has ended, `conflict` when a lease was changed meanwhile. */
  changeLeases(inputs: readonly ChangeLease[]): Promise<
    | {
        readonly kind: 'changed';
        readonly overrides: readonly OverrideRecord[];
        readonly revision: number;
      }
    | { readonly kind: 'ended' | 'conflict'; readonly override: OverrideRecord | null }
  >;
  /** Null when it has ended; instances that are targets already are left as they are. */
  addTargets(
    input: AddTargets,
  ): Promise<{ readonly override: OverrideRecord; readonly revision: number } | null>;

  putRelease(release: ReleaseRecord, audit: AuditInsert): Promise<void>;
  /** Where it stands and what was let go, in one transaction; gives the overrides that changed. */
  stepRelease(input: StepRelease): Promise<{
    readonly overrides: readonly OverrideRecord[];
    readonly revision: number;
  }>;
  getRelease(id: string): Promise<ReleaseRecord | null>;
  /** Newest first; `open`: running or stopped. */
  listReleases(filter: {
    readonly open?: boolean;
    readonly limit: number;
  }): Promise<readonly ReleaseRecord[]>;

  listPolicies(): Promise<readonly PolicyRecord[]>;
  setPolicy(policy: PolicyRecord, audit: AuditInsert): Promise<void>;

  listReviews(filter: {
    readonly open?: boolean;
    readonly limit: number;
  }): Promise<readonly ReviewRecord[]>;
  getReview(id: string): Promise<ReviewRecord | null>;
  /** Null when it is unknown or closed. */
  closeReview(input: {
    readonly id: string;
    readonly at: number;
    readonly by: string;
    readonly note: string;
    readonly audit: AuditInsert;
  }): Promise<ReviewRecord | null>;
}
