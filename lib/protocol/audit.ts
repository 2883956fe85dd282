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
