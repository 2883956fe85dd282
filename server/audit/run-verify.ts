/** Verifies the audit trail of a database file without a server. */
import { verifyAudit, type VerifyReport } from '@/lib/audit/verify';
import { sha256Hex } from '../auth/sha256';
import { openAuditFile } from '../store/sqlite/audit-file';
import { verifySignature } from './ed25519';
import { readWitness } from './witness-file';

export type AuditVerifyOptions = {
  /** Opened read only; a copy or the file of a running server. */
  readonly databaseFile: string;
  /** The second sink, an export or a downloaded checkpoint: JSON lines. */
  readonly witnessFile?: string;
  /** Ids of keys that are known from elsewhere, 64 hex digits each. */
  readonly trustedKeys?: readonly string[];
  readonly expectedHead?: { readonly row: number; readonly hash: string };
};

/**
 * Throws `StoreError` or `WitnessError` when a file cannot be read; whatever is wrong with the trail
 * itself is `problem` in the report.
 */
export function runAuditVerify(options: AuditVerifyOptions): VerifyReport {
  const { databaseFile, witnessFile, trustedKeys = [], expectedHead } = options;
  const witness = witnessFile === undefined ? undefined : readWitness(witnessFile);
  const trail = openAuditFile(databaseFile);
  try {
    return verifyAudit(trail, {
      sha256: sha256Hex,
      verifySignature,
      trustedKeys,
      ...(witness === undefined ? {} : { witness }),
      ...(expectedHead === undefined ? {} : { expectedHead }),
    });
  } finally {
    trail.close();
  }
}

const utc = (at: number): string => new Date(at).toISOString();
const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function proofLines(report: VerifyReport): string[] {
  const { rows, unchainedRows, checkpoints, provenTo, anchored, head } = report;
  const lines = [`${plural(rows, 'row')}, ${plural(checkpoints, 'checkpoint')} read`];
  if (unchainedRows > 0) {
    lines.push(`${plural(unchainedRows, 'row')} from before the chain began: not proven`);
  }
  if (head !== null) lines.push(`last row ${head.row}, hash ${head.hash}`);
  lines.push(
    provenTo === null
      ? 'no checkpoint yet: rows are bound to each other, and nothing is signed'
      : `signed up to row ${provenTo.row} at ${utc(provenTo.at)}`,
  );
  if (!anchored) {
    lines.push(
      'the keys came from the file itself: give a trusted key or a witness to rule out a file signed anew',
    );
  }
  return lines;
}

/** What a tampered file holds must not reach a terminal as it is. */
const printable = (line: string): string => line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

/** What a person reads: the verdict first. */
export function describeReport(report: VerifyReport): string[] {
  const { problem, gaps } = report;
  const verdict =
    problem === null
      ? 'OK: every row is as it was written'
      : `BAD at row ${problem.row} (${problem.kind.replace('_', ' ')}): ${problem.message}`;
  const told = gaps.map(
    ({ id, at, action }) => `gap recorded in row ${id} at ${utc(at)}: ${action}`,
  );
  return [verdict, ...proofLines(report), ...told].map(printable);
}
