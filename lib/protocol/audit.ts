import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');
const rowId = z.int().min(1);

/**
 * What the console swears to: the audit rows `fromRow` to `toRow` of one chain, as they were when
 * it was signed. Checkpoints are numbered from 1 and each names the one before it.
 */
export const auditCheckpoint = z.object({
  chainId: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits'),
  number: rowId,
  fromRow: rowId,
  toRow: rowId,
  /** Hash of row `toRow`, and so of everything before it. */
  headHash: sha256,
  /** Merkle root over the hashes of the rows. */
  root: sha256,
  /** Epoch milliseconds of the server's clock. */
  at: z.number().min(0).max(8.64e15),
  /** Digest of the checkpoint before; null in the first. */
  previous: sha256.nullable(),
  keyId: sha256,
  /** Ed25519, SPKI in base64; `keyId` is its hash. */
  publicKey: z.string().min(1).max(128),
  /** Ed25519 over everything else, base64. */
  signature: z.string().min(1).max(128),
});
export type AuditCheckpoint = z.infer<typeof auditCheckpoint>;

export const rollbackKinds = ['rollback', 'fork', 'other_chain'] as const;

/** Sent to agents, who keep the largest: a console that forgets is found out by its clients. */
export const checkpointFrame = z.object({
  type: z.literal('checkpoint'),
  checkpoint: auditCheckpoint,
});

/** An agent was shown a checkpoint that does not continue the one it keeps. */
export const rollbackAlarm = z.object({
  type: z.literal('rollback_alarm'),
  kind: z.enum(rollbackKinds),
  kept: auditCheckpoint,
  seen: auditCheckpoint,
});
export type RollbackAlarm = z.infer<typeof rollbackAlarm>;

/** What a list or an export of the trail can be narrowed to; all that are given must hold. */
const filterFields = {
  /** The name as it was recorded. */
  actor: z.string().min(1).max(128).optional(),
  /** Whole, or its beginning with a trailing `*`. */
  action: z
    .string()
    .regex(/^[a-z0-9_.]{1,64}\*?$/, 'must be an action such as override.issued, or override.*')
    .optional(),
  outcome: z.enum(['done', 'refused', 'failed']).optional(),
  subject: z.string().min(1).max(128).optional(),
  /** Found in the subject, the details, the name, or the name of a breaker or a service. */
  text: z.string().trim().min(1).max(128).optional(),
  /** Epoch milliseconds, both ends included. */
  from: z.coerce.number().int().min(0).optional(),
  to: z.coerce.number().int().min(0).optional(),
};

export const auditQuery = z.object({
  ...filterFields,
  before: z.coerce.number().int().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export const auditExportQuery = z.object({ ...filterFields, format: z.enum(['jsonl', 'csv']) });
export type AuditExportQuery = z.infer<typeof auditExportQuery>;
export type AuditFilterQuery = Omit<AuditExportQuery, 'format'>;

const at = z.number();
const details = z.record(z.string(), z.json());

const auditSpan = z.object({
  action: z.string(),
  fromRow: z.int(),
  /** Null while it lasts. */
  toRow: z.int().nullable(),
  fromAt: at,
  toAt: at.nullable(),
  details,
});

/** What is known about the whole of the trail. */
export const auditProofBody = z.object({
  now: at,
  chainId: z.string().nullable(),
  head: z.object({ row: z.int(), hash: z.string().nullable(), at }),
  checkpoint: auditCheckpoint.nullable(),
  unsignedRows: z.int(),
  /** Null until the console has read its whole trail once since its start. */
  verified: z
    .object({
      row: z.int(),
      at,
      problem: z.object({ kind: z.string(), row: z.int(), message: z.string() }).nullable(),
    })
    .nullable(),
  /** Null when there is none. */
  sink: z
    .object({
      name: z.string(),
      state: z.enum(['ok', 'failing']),
      lagRows: z.int(),
      lagMs: z.number(),
      failingSince: at.nullable(),
    })
    .nullable(),
  /** Of which less is proven, oldest first. */
  spans: z.array(auditSpan),
  /** What agents said in the last seven days, newest first. */
  alarms: z.array(z.object({ row: z.int(), at, subject: z.string(), details })),
});
export type AuditProofBody = z.infer<typeof auditProofBody>;

/** A file to keep elsewhere: with it an older or shorter database gives itself away. */
export const auditCheckpointBody = z.object({
  checkpoint: auditCheckpoint.nullable(),
});
