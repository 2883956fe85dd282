/** The audit trail as the services see it: the part of the store that is only ever added to. */
import type { AuditCheckpoint } from '@/lib/protocol/audit';
import type { Who } from '@/lib/protocol/views';

export type AuditInsert = {
  readonly at: number;
  /** The name to show. */
  readonly actor: string;
  /** Left out for what the console or an instance did by itself. */
  readonly who?: Who | null;
  readonly action: string;
  readonly subject: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly details: Readonly<Record<string, unknown>>;
};
/** Hashes are null in rows from before the chain began. */
export type AuditRecord = AuditInsert & {
  readonly id: number;
  readonly who: Who | null;
  readonly previousHash: string | null;
  readonly hash: string | null;
};

/** All that are given must hold. Text matches as it is written, without wildcards. */
export type AuditFilter = {
  readonly actor?: string | undefined;
  /** Whole, or its beginning with a trailing `*`. */
  readonly action?: string | undefined;
  readonly outcome?: AuditInsert['outcome'] | undefined;
  readonly subject?: string | undefined;
  /** Somewhere in the subject or the details, or one of `about` is the subject or the breaker. */
  readonly text?: string | undefined;
  readonly about?: readonly string[] | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

export type AuditPosition = {
  /** Null before the first row. */
  readonly chain: { readonly chainId: string; readonly firstRow: number } | null;
  readonly row: number;
  readonly hash: string | null;
  readonly at: number;
};

export type AuditKeyRecord = {
  readonly keyId: string;
  readonly publicKey: string;
  readonly addedAt: number;
  readonly endorsedBy: string | null;
  readonly endorsement: string | null;
};

export interface AuditStore {
  /**
   * Each audit row, here and in every method that takes one, is bound to the one before it in the transaction
   * of what it records: no row, no action.
   */
  appendAudit(row: AuditInsert): Promise<AuditRecord>;
  /** Newest first; `before` is left out, `notBefore` is in. */
  listAudit(
    page: AuditFilter & {
      readonly before?: number | undefined;
      readonly notBefore?: number | undefined;
      readonly limit: number;
    },
  ): Promise<readonly AuditRecord[]>;
  /** Oldest first, after one row and up to another, of these actions or of all. */
  readAudit(
    range: AuditFilter & {
      readonly after: number;
      readonly upTo?: number;
      readonly actions?: readonly string[];
      readonly limit: number;
    },
  ): Promise<readonly AuditRecord[]>;
  auditHead(): Promise<AuditPosition>;
  /** Rows that something other than this store appended since the last call, by their id. */
  foreignAuditRows(): Promise<readonly number[]>;
  /** False when it does not continue the newest one or its last row is another. */
  appendCheckpoint(checkpoint: AuditCheckpoint): Promise<boolean>;
  /** Oldest first. */
  listCheckpoints(range: {
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly AuditCheckpoint[]>;
  newestCheckpoint(): Promise<AuditCheckpoint | null>;
  addAuditKey(key: AuditKeyRecord, audit: AuditInsert): Promise<void>;
  /** In the order in which they were added. */
  listAuditKeys(): Promise<readonly AuditKeyRecord[]>;
}
