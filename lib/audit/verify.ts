/**
 * Whether an audit trail is what the console once wrote: each row follows the one before it, each
 * checkpoint covers the rows it names and is signed by a key that is trusted, and nothing that a
 * witness saw is missing. It stops at the first bad row.
 */
import type { AuditCheckpoint } from '../protocol/audit';
import { genesisHash, type Sha256 } from './chain';
import { endorsementText, type VerifySignature } from './checkpoint';
import { isGapAction, lostRows, type GapRow } from './gaps';
import { rowFinding, type Finding, type FoundRow } from './rows';
import { CheckpointTrack } from './track';

export type AuditKey = {
  readonly keyId: string;
  readonly publicKey: string;
  /** The key that handed over to this one, and its signature; null for one that nobody vouched for. */
  readonly endorsedBy: string | null;
  readonly endorsement: string | null;
};

/** What was seen elsewhere: in the second sink, at an agent, in a downloaded file. */
export type Witness = {
  /** The chain that was seen last; null when the witness saw none. */
  readonly chainId: string | null;
  readonly checkpoints: readonly AuditCheckpoint[];
  /** Hashes by row. */
  readonly rows: ReadonlyMap<number, string>;
};

export type AuditTrail = {
  readonly chain: { readonly chainId: string; readonly firstRow: number } | null;
  /** All rows, by id. Those before the chain began have no hash and are only counted. */
  readonly rows: Iterable<FoundRow>;
  readonly checkpoints: readonly AuditCheckpoint[];
  readonly keys: readonly AuditKey[];
};

export type VerifyOptions = {
  readonly sha256: Sha256;
  readonly verifySignature: VerifySignature;
  /** Ids of keys known from elsewhere; empty: those of the witness, else whatever the file names. */
  readonly trustedKeys: readonly string[];
  readonly witness: Witness;
  readonly expectedHead?: { readonly row: number; readonly hash: string };
};

export type VerifyReport = {
  readonly problem: Finding | null;
  /** Rows that were read, and those of them from before the chain began. */
  readonly rows: number;
  readonly unchainedRows: number;
  readonly checkpoints: number;
  readonly chainId: string | null;
  readonly head: { readonly row: number; readonly hash: string } | null;
  /** The last row that a checkpoint of a trusted key covers, and when it was signed. */
  readonly provenTo: { readonly row: number; readonly at: number } | null;
  /** False when the keys were taken from the file itself: then a file signed anew looks the same. */
  readonly anchored: boolean;
  readonly gaps: readonly GapRow[];
};

const NO_WITNESS: Witness = { chainId: null, checkpoints: [], rows: new Map() };

export function verifyAudit(
  trail: AuditTrail,
  options: Omit<VerifyOptions, 'witness' | 'trustedKeys'> & Partial<VerifyOptions>,
): VerifyReport {
  const { witness = NO_WITNESS, trustedKeys = [] } = options;
  return new Verification(trail, { ...options, witness, trustedKeys }).run();
}

/** Rows with the one that comes after each. */
function* pairs(rows: Iterable<FoundRow>): Generator<[FoundRow, FoundRow | undefined]> {
  let held: FoundRow | undefined;
  for (const row of rows) {
    if (held !== undefined) yield [held, row];
    held = row;
  }
  if (held !== undefined) yield [held, undefined];
}

class Verification {
  readonly #trail: AuditTrail;
  readonly #options: VerifyOptions;
  readonly #track: CheckpointTrack;
  readonly #trusted: Set<string>;
  readonly #anchored: boolean;
  readonly #seenElsewhere: Map<number, string>;
  readonly #gaps: GapRow[] = [];
  /** Rows that differ from what a witness saw; a restore may explain them. */
  readonly #doubts: Finding[] = [];
  #rows = 0;
  #unchained = 0;
  #head: { row: number; hash: string } | null = null;

  constructor(trail: AuditTrail, options: VerifyOptions) {
    this.#trail = trail;
    this.#options = options;
    const { witness, trustedKeys } = options;
    this.#trusted = new Set([...trustedKeys, ...witness.checkpoints.map((one) => one.keyId)]);
    this.#anchored = this.#trusted.size > 0;
    if (!this.#anchored) for (const { keyId } of trail.keys) this.#trusted.add(keyId);
    this.#trustEndorsed();
    this.#track = new CheckpointTrack({
      ...options,
      chain: trail.chain,
      isTrusted: (keyId) => this.#trusted.has(keyId),
    });
    this.#seenElsewhere = new Map(witness.rows);
    for (const { toRow, headHash } of witness.checkpoints) {
      if (!this.#seenElsewhere.has(toRow)) this.#seenElsewhere.set(toRow, headHash);
    }
  }

  run(): VerifyReport {
    const problem = this.#otherChain() ?? this.#walk() ?? this.#end();
    return {
      problem,
      rows: this.#rows,
      unchainedRows: this.#unchained,
      checkpoints: this.#track.number,
      chainId: this.#trail.chain?.chainId ?? null,
      head: this.#head,
      provenTo: this.#track.provenTo,
      anchored: this.#anchored,
      gaps: this.#gaps,
    };
  }

  /** A trusted key may hand over to the next; keys are in the order in which they came. */
  #trustEndorsed(): void {
    const { verifySignature } = this.#options;
    const { keys } = this.#trail;
    const byId = new Map(keys.map((key) => [key.keyId, key]));
    for (const { keyId, publicKey, endorsedBy, endorsement } of keys) {
      const elder = endorsedBy === null ? undefined : byId.get(endorsedBy);
      if (elder === undefined || endorsement === null || !this.#trusted.has(elder.keyId)) continue;
      if (verifySignature(elder.publicKey, endorsementText(publicKey), endorsement)) {
        this.#trusted.add(keyId);
      }
    }
  }

  #otherChain(): Finding | null {
    const chainId = this.#trail.chain?.chainId ?? null;
    const other = this.#options.witness.chainId;
    if (other === null || other === chainId) return null;
    const message =
      chainId === null
        ? 'the file has no chain; the witness knows one'
        : `the file holds chain ${chainId}; the witness last saw ${other}`;
    return { kind: 'other_chain', row: 1, message };
  }

  #walk(): Finding | null {
    const { chain, rows } = this.#trail;
    const { sha256 } = this.#options;
    const firstRow = chain?.firstRow ?? Number.POSITIVE_INFINITY;
    let place = { id: firstRow, previousHash: genesisHash(sha256, chain?.chainId ?? '') };
    for (const [row, next] of pairs(rows)) {
      this.#rows += 1;
      if (row.id < firstRow) {
        if (row.hash !== null) {
          return { kind: 'edited', row: row.id, message: `row ${row.id} is older than its chain` };
        }
        this.#unchained += 1;
        continue;
      }
      const problem = rowFinding(sha256, place, row, next);
      if (problem !== null) return this.#earliest(problem);
      const { id, hash } = row;
      place = { id: id + 1, previousHash: hash ?? '' };
      const uncovered = this.#take(row, hash ?? '');
      if (uncovered !== null) return this.#earliest(uncovered);
    }
    return null;
  }

  #take(row: FoundRow, hash: string): Finding | null {
    const { id, content } = row;
    this.#head = { row: id, hash };
    this.#track.row(hash);
    this.#noteGap(row, content);
    const seen = this.#seenElsewhere.get(id);
    if (seen !== undefined && seen !== hash) {
      const message = `row ${id} is not the one that the witness saw; what follows was hashed anew`;
      this.#doubts.push({ kind: 'rewritten', row: id, message });
    }
    const checkpoint = this.#trail.checkpoints[this.#track.number];
    return checkpoint?.toRow === id ? this.#track.check(checkpoint) : null;
  }

  #noteGap(row: FoundRow, content: FoundRow['content']): void {
    if (content === null) return;
    const { action, at, details } = content;
    if (typeof action !== 'string' || !isGapAction(action) || typeof at !== 'number') return;
    const known = typeof details === 'object' && details !== null ? { ...details } : {};
    this.#gaps.push({ id: row.id, at, action, details: known });
  }

  /** What is missing at the end, and doubts that no restore explains. */
  #end(): Finding | null {
    const { checkpoints } = this.#trail;
    const last = this.#head?.row ?? 0;
    const signed = checkpoints[this.#track.number];
    if (signed !== undefined) {
      const message =
        signed.toRow > last
          ? `rows ${last + 1} to ${signed.toRow} are gone: checkpoint ${signed.number} covers them`
          : `checkpoint ${signed.number} ends at row ${signed.toRow}, which is covered already`;
      const kind = signed.toRow > last ? 'tail_cut' : 'bad_checkpoint';
      return this.#earliest({ kind, row: Math.min(last + 1, signed.toRow), message });
    }
    return this.#earliest(this.#missing(last) ?? this.#headProblem(last));
  }

  /** Something that a witness saw lies after the last row. */
  #missing(last: number): Finding | null {
    const newest = Math.max(0, ...this.#unexplained([...this.#seenElsewhere.keys()]));
    if (newest <= last) return null;
    const number = Math.max(0, ...this.#options.witness.checkpoints.map((one) => one.number));
    const isOlder = number > this.#trail.checkpoints.length;
    const message = `rows ${last + 1} to ${newest} are gone: the witness saw them`;
    return isOlder
      ? { kind: 'older_file', row: last + 1, message: `an older file: ${message}` }
      : { kind: 'tail_cut', row: last + 1, message };
  }

  #headProblem(last: number): Finding | null {
    const { expectedHead } = this.#options;
    if (expectedHead === undefined) return null;
    const { row, hash } = expectedHead;
    if (row > last) {
      return { kind: 'tail_cut', row: last + 1, message: `rows ${last + 1} to ${row} are gone` };
    }
    if (row === last && hash !== this.#head?.hash) {
      return { kind: 'rewritten', row, message: `row ${row} is not the one that was expected` };
    }
    return null;
  }

  #unexplained(rows: readonly number[]): number[] {
    const lost = this.#gaps.flatMap((gap) =>
      gap.action === 'audit.restored' ? (lostRows(gap) ?? []) : [],
    );
    return rows.filter((row) => !lost.some(({ from, to }) => from <= row && row <= to));
  }

  #earliest(problem: Finding | null): Finding | null {
    const [first] = this.#doubts.filter(({ row }) => this.#unexplained([row]).length > 0);
    if (first === undefined) return problem;
    // A checkpoint knows a range only; a witness knows the row.
    const isCloser = problem?.kind === 'rewritten' || first.row < (problem?.row ?? Infinity);
    return isCloser ? first : problem;
  }
}
