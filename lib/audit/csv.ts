/** Audit rows for a spreadsheet. Times are UTC. */
import { csvOf } from '../protocol/csv';
import { canonicalJson } from '../protocol/digest';

export type CsvRow = {
  readonly id: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly outcome: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly who: Readonly<Record<string, unknown>> | null;
  readonly hash: string | null;
};

const columns = [
  'row',
  'time',
  'actor',
  'action',
  'subject',
  'outcome',
  'reason',
  'details',
  'who_kind',
  'who_id',
  'who_role',
  'who_ip',
  'hash',
] as const;

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'string'
      ? value
      : canonicalJson(value);

export const csvHeader: string = csvOf(columns);

export function csvLine(row: CsvRow, time: string): string {
  const { id, actor, action, subject, outcome, details, who, hash } = row;
  return csvOf([
    String(id),
    time,
    actor,
    action,
    subject,
    outcome,
    textOf(details['reason']),
    canonicalJson(details),
    ...['kind', 'id', 'role', 'ip'].map((key) => textOf(who?.[key])),
    textOf(hash),
  ]);
}
