/** What is wrong with one row, given the row that it must follow. */
import { rowHash, type AuditContent, type Sha256 } from './chain';

/** A row as it was found. `content` is null when a column cannot be read. */
export type FoundRow = {
  readonly id: number;
  readonly content: AuditContent | null;
  readonly previousHash: string | null;
  readonly hash: string | null;
};

export type FindingKind =
  | 'edited'
  | 'deleted'
  | 'inserted'
  | 'swapped'
  | 'rewritten'
  | 'tail_cut'
  | 'older_file'
  | 'other_chain'
  | 'other_key'
  | 'bad_checkpoint';

/** `row` is the first bad row, or the first of the range that is known to hold it. */
export type Finding = {
  readonly kind: FindingKind;
  readonly row: number;
  readonly message: string;
};

export type Place = { readonly id: number; readonly previousHash: string };

/** How far from its place a row is looked for before it counts as edited. */
const MOVED_WITHIN = 1_000;

/** The id under which this row was written, when only its place was changed. */
function originOf(sha256: Sha256, row: FoundRow): number | null {
  const { id, content, previousHash, hash } = row;
  if (content === null || previousHash === null || hash === null) return null;
  for (let distance = 1; distance <= MOVED_WITHIN; distance++) {
    for (const origin of [id - distance, id + distance]) {
      if (origin < 1) continue;
      if (rowHash(sha256, previousHash, { ...content, id: origin }) === hash) return origin;
    }
  }
  return null;
}

const found = (kind: FindingKind, row: number, message: string): Finding => ({
  kind,
  row,
  message,
});

function moved(sha256: Sha256, row: FoundRow, origin: number, next: FoundRow | undefined): Finding {
  const { id } = row;
  if (origin === id - 1) {
    return found(
      'inserted',
      origin,
      `row ${origin} was put in: row ${id} is what was row ${origin}`,
    );
  }
  const after = next === undefined ? null : originOf(sha256, next);
  if (origin === id + 1 && (next === undefined || after === id + 2)) {
    return found('deleted', id, `row ${id} is gone: the rows after it were renumbered`);
  }
  return found('swapped', id, `row ${id} holds what was written as row ${origin}`);
}

/** Null for the row that belongs there. `next` helps to tell the kinds of change apart. */
export function rowFinding(
  sha256: Sha256,
  place: Place,
  row: FoundRow,
  next?: FoundRow,
): Finding | null {
  const { id } = place;
  if (row.id !== id) {
    const last = row.id - 1;
    const gone = last > id ? `rows ${id} to ${last} are` : `row ${id} is`;
    return found('deleted', id, `${gone} gone: row ${row.id} follows row ${id - 1}`);
  }
  if (row.content === null) return found('edited', id, `row ${id} cannot be read`);
  if (row.hash === null || row.previousHash === null) {
    return found('edited', id, `row ${id} has lost its hash`);
  }
  const isWhole = rowHash(sha256, row.previousHash, row.content) === row.hash;
  const follows = row.previousHash === place.previousHash;
  if (isWhole && follows) return null;
  if (isWhole) {
    const before = Math.max(1, id - 1);
    return found(
      'edited',
      before,
      `row ${before} was changed and hashed anew: row ${id} names another hash`,
    );
  }
  const origin = originOf(sha256, row);
  if (origin !== null) return moved(sha256, row, origin, next);
  if (next !== undefined && originOf(sha256, next) === id) {
    return found('inserted', id, `row ${id} was put in: row ${next.id} is what was row ${id}`);
  }
  return found(
    'edited',
    id,
    `row ${id} is not what was written: its content does not fit its hash`,
  );
}
