import type { AuditRow } from '@/lib/protocol/views';

type Json = AuditRow['details'][string];

const valueText = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** "kind force_closed · reason ledger is healthy": every field, in the order it was stored. */
export function detailsText(details: AuditRow['details']): string {
  return Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key} ${valueText(value)}`)
    .join(' · ');
}
