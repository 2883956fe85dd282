import type { AuditCheckpoint } from '../protocol/audit';
import { checkpointDigest } from '../protocol/checkpoint-text';
import { merkleRoot, type Sha256 } from './chain';
import { signatureProblem, type VerifySignature } from './checkpoint';
import type { Finding, FindingKind } from './rows';

export type TrackDeps = {
  readonly sha256: Sha256;
  readonly verifySignature: VerifySignature;
  readonly isTrusted: (keyId: string) => boolean;
  readonly chain: { readonly chainId: string; readonly firstRow: number } | null;
};

/** Follows the checkpoints of a chain while its rows go by. */
export class CheckpointTrack {
  readonly #deps: TrackDeps;
  #before: AuditCheckpoint | null = null;
  #uncovered: string[] = [];

  constructor(deps: TrackDeps) {
    this.#deps = deps;
  }

  /** How many have been checked. */
  get number(): number {
    return this.#before?.number ?? 0;
  }

  get provenTo(): { readonly row: number; readonly at: number } | null {
    return this.#before === null ? null : { row: this.#before.toRow, at: this.#before.at };
  }

  row(hash: string): void {
    this.#uncovered.push(hash);
  }

  /** Called when its last row has gone by, at once or later; null when it is sound. */
  check(checkpoint: AuditCheckpoint): Finding | null {
    const { sha256, verifySignature, isTrusted } = this.#deps;
    const { number, fromRow, toRow, keyId, headHash, root } = checkpoint;
    const bad = (kind: FindingKind, message: string): Finding => ({ kind, row: fromRow, message });
    if (!this.#joins(checkpoint)) {
      return bad('bad_checkpoint', `checkpoint ${number} does not continue the one before it`);
    }
    const fault = signatureProblem(sha256, verifySignature, checkpoint);
    if (fault !== null) return bad('bad_checkpoint', `checkpoint ${number}: ${fault}`);
    if (!isTrusted(keyId)) {
      const message = `checkpoint ${number} is signed by key ${keyId}, which is not trusted`;
      return bad('other_key', message);
    }
    const count = toRow - fromRow + 1;
    const rows = this.#uncovered.slice(0, count);
    if (rows.length < count || rows.at(-1) !== headHash || merkleRoot(sha256, rows) !== root) {
      return bad(
        'rewritten',
        `a row from ${fromRow} to ${toRow} was changed and hashed anew after checkpoint ${number} was signed`,
      );
    }
    this.#uncovered = this.#uncovered.slice(count);
    this.#before = checkpoint;
    return null;
  }

  #joins({ number, fromRow, previous, chainId }: AuditCheckpoint): boolean {
    const { chain, sha256 } = this.#deps;
    const before = this.#before;
    if (chain === null || chainId !== chain.chainId) return false;
    if (before === null) return number === 1 && fromRow === chain.firstRow && previous === null;
    const digest = checkpointDigest(sha256, before);
    return number === before.number + 1 && fromRow === before.toRow + 1 && previous === digest;
  }
}
