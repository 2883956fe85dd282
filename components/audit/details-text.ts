import type { AuditRow } from '@/lib/protocol/views';

type Json = AuditRow['details'][string];

const valueText = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Named in the subject already. */
const IN_SUBJECT = new Set(['breakerId', 'name']);
/** What a reviewer asks first. */
const FIRST = 'reason';

/** What the row is about, for rows whose subject is an id. */
export function subjectOf({ details, subject }: Pick<AuditRow, 'details' | 'subject'>) {
  const { breakerId, name } = details;
  return {
    breakerId: typeof breakerId === 'string' ? breakerId : subject,
    name: typeof name === 'string' ? name : subject,
  };
}

/** "reason ledger is healthy · kind force_closed": the reason, then the rest as it was stored. */
export function detailsText(details: AuditRow['details']): string {
  return Object.entries(details)
    .filter(([key, value]) => value !== null && !IN_SUBJECT.has(key))
    .sort(([a], [b]) => Number(b === FIRST) - Number(a === FIRST))
    .map(([key, value]) => `${key} ${valueText(value)}`)
    .join(' · ');
}
