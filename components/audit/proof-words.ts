import type { AuditProofBody } from '@/lib/protocol/audit';
import type { AuditRow } from '@/lib/protocol/views';

export type Span = AuditProofBody['spans'][number];
export type Proof = 'signed' | 'waiting' | 'unproven' | 'unchained';

const WORDS: Record<string, string> = {
  'audit.chain_started': 'Written before rows were bound to each other',
  'audit.chain_restarted':
    'Another audit trail was here before: this database is not the one that was last seen',
  'audit.key_changed': 'The signing key changed',
  'audit.restored': 'An older database was put back: rows that others have seen are missing',
  'audit.foreign_rows': 'Another program wrote rows',
  'audit.chain_broken': 'Rows were changed after they were written',
  'audit.sink_off': 'No second place: the rows were on this machine only',
  'audit.sink_failed': 'The second place took no rows: they were on this machine only until later',
  'audit.clock_stepped': 'The clock went back: times before and after do not compare',
  'audit.alarm': 'An agent remembers another audit trail',
};

export const spanText = ({ action }: Pick<Span, 'action'>): string => WORDS[action] ?? action;

/** A key that its elder vouched for loses nothing. */
const isEndorsed = ({ action, details }: Span): boolean =>
  action === 'audit.key_changed' && details['endorsed'] === true;

export function unprovenSpans({ spans }: Pick<AuditProofBody, 'spans'>): Span[] {
  return spans.filter((span) => !isEndorsed(span));
}

export function spanOf(id: number, spans: readonly Span[]): Span | null {
  return (
    spans.find(({ fromRow, toRow }) => fromRow <= id && (toRow === null || id <= toRow)) ?? null
  );
}

export function proofOf(row: AuditRow, proof: AuditProofBody, spans: readonly Span[]): Proof {
  if (row.hash === null) return 'unchained';
  if (spanOf(row.id, spans) !== null) return 'unproven';
  return proof.checkpoint !== null && row.id <= proof.checkpoint.toRow ? 'signed' : 'waiting';
}

export const proofText: Record<Proof, string> = {
  signed: 'Signed: part of a checkpoint',
  waiting: 'Not signed yet: the next checkpoint will',
  unproven: 'Less is proven here',
  unchained: 'Not proven: from before the chain began',
};

/** "rows 14 to 20", "row 14", "from row 14 on". */
export function rowsText({ fromRow, toRow }: Pick<Span, 'fromRow' | 'toRow'>): string {
  if (toRow === null) return `from row ${fromRow} on`;
  return fromRow === toRow ? `row ${fromRow}` : `rows ${fromRow} to ${toRow}`;
}

export function lostText({ details }: Span): string | null {
  const { lostFrom, lostTo } = details;
  if (typeof lostFrom !== 'number' || typeof lostTo !== 'number') return null;
  const rows = rowsText({ fromRow: lostFrom, toRow: lostTo });
  return `what others saw as ${rows} is not here`;
}

export const shortKey = (keyId: string): string => keyId.slice(0, 12);
