/** What the proof of the audit trail needs of the world outside the store. */
import type { VerifySignature } from '@/lib/audit/checkpoint';
import type { AuditCheckpoint } from '@/lib/protocol/audit';

export type AuditSigner = {
  /** SPKI, base64. */
  readonly publicKey: string;
  /** Ed25519 over the UTF-8 text, base64. */
  sign(text: string): string;
};

/** The last row and the last checkpoint that it holds, and of which chain. */
export type SinkPosition = {
  readonly chainId: string | null;
  readonly row: number;
  readonly hash: string | null;
  readonly checkpoint: number;
};

/** The second place of the trail. It only ever gets more lines. */
export type AuditSink = {
  /** What a person calls it: a path, or "stdout". */
  readonly name: string;
  /** Null when it holds nothing yet. Repairs a line that a crash cut off. */
  position(): Promise<SinkPosition | null>;
  /** Resolves when the lines are safe; rejects when it is not known. */
  append(lines: readonly string[], position: SinkPosition): Promise<void>;
  close(): Promise<void>;
};

export type AuditParts = {
  readonly signer: AuditSigner;
  /** The key before, when it was kept to vouch for the new one; forgotten once it has. */
  readonly elder: (AuditSigner & { forget(): void }) | null;
  readonly verifySignature: VerifySignature;
  readonly sink: AuditSink | null;
  /** The newest checkpoint, kept beside the database: a restored file is older than it. */
  readonly memory: {
    read(): AuditCheckpoint | null;
    write(checkpoint: AuditCheckpoint): Promise<void>;
  };
  /** Of the program, for the row of its start. */
  readonly version: string;
};
