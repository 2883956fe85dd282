import type { AuditRow } from '@/lib/protocol/views';
import { diffOf } from './diff';

type Json = AuditRow['details'][string];

const valueText = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Named in the subject already. */
const IN_SUBJECT = new Set(['breakerId', 'name']);
/** Shown as what changed. */
const IN_CHANGE = new Set(['before', 'after']);
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

/** "twoPerson L3 → L2": what changed, in one line. */
function changeText(details: AuditRow['details']): string[] {
  return (diffOf({ details }) ?? [])
    .filter(({ changed, field }) => changed && !field.startsWith('updated'))
    .map(({ field, before, after }) => `${field} ${before ?? '–'} → ${after ?? '–'}`);
}

/** "reason ledger is healthy · kind force_closed": the reason, then the rest as it was stored. */
export function detailsText(details: AuditRow['details']): string {
  const rest = Object.entries(details)
    .filter(([key, value]) => value !== null && !IN_SUBJECT.has(key) && !IN_CHANGE.has(key))
    .sort(([a], [b]) => Number(b === FIRST) - Number(a === FIRST))
    .map(([key, value]) => `${key} ${valueText(value)}`);
  return [...changeText(details), ...rest].join(' · ');
}
