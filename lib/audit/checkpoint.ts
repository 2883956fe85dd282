import type { AuditCheckpoint } from '../protocol/audit';
import {
  checkpointDigest,
  checkpointText,
  type UnsignedCheckpoint,
} from '../protocol/checkpoint-text';
import { merkleRoot, type Sha256 } from './chain';

const KEY = 'recloser.audit.key.v1';
const ENDORSEMENT = 'recloser.audit.key-endorsement.v1';

/** Whether `signature` (base64) over the text is of this public key (SPKI, base64). */
export type VerifySignature = (publicKey: string, text: string, signature: string) => boolean;

/** A public key is known by its hash. */
export function keyIdOf(sha256: Sha256, publicKey: string): string {
  return sha256(`${KEY}\n${publicKey}`);
}

/** The text with which a key hands over to the next one. */
export function endorsementText(nextPublicKey: string): string {
  return `${ENDORSEMENT}\n${nextPublicKey}`;
}

export type HashedRow = { readonly id: number; readonly hash: string };

export type CheckpointInput = {
  readonly chainId: string;
  readonly firstRow: number;
  readonly previous: AuditCheckpoint | null;
  /** All rows after the checkpoint before, oldest first, at least one. */
  readonly rows: readonly HashedRow[];
  readonly at: number;
  readonly publicKey: string;
};

/** Throws `RangeError` when the rows do not join the checkpoint before. */
export function nextCheckpoint(sha256: Sha256, input: CheckpointInput): UnsignedCheckpoint {
  const { chainId, firstRow, previous, rows, at, publicKey } = input;
  const fromRow = previous === null ? firstRow : previous.toRow + 1;
  const last = rows.at(-1);
  if (last === undefined || rows[0]?.id !== fromRow || last.id !== fromRow + rows.length - 1) {
    throw new RangeError(`the rows do not continue the chain at row ${fromRow}`);
  }
  return {
    chainId,
    number: (previous?.number ?? 0) + 1,
    fromRow,
    toRow: last.id,
    headHash: last.hash,
    root: merkleRoot(
      sha256,
      rows.map((row) => row.hash),
    ),
    at,
    previous: previous === null ? null : checkpointDigest(sha256, previous),
    keyId: keyIdOf(sha256, publicKey),
    publicKey,
  };
}

/** Null when the signature is good and of the key that it names. */
export function signatureProblem(
  sha256: Sha256,
  verify: VerifySignature,
  checkpoint: AuditCheckpoint,
): string | null {
  if (keyIdOf(sha256, checkpoint.publicKey) !== checkpoint.keyId) {
    return 'its key id does not belong to its key';
  }
  const { publicKey, signature } = checkpoint;
  return verify(publicKey, checkpointText(checkpoint), signature)
    ? null
    : 'its signature does not fit its content';
}
