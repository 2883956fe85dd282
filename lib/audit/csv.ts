/**
 * [S-43] RFC 4180. A cell that a spreadsheet would take for a formula gets a leading quote; times
 * are UTC.
 */
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

/** Leading blanks do not keep a spreadsheet from seeing a formula; some read wide characters too. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u;
const STARTERS = new Set(['\t', '\r', '\0']);

function cell(text: string): string {
  const safe = FORMULA.test(text) || STARTERS.has(text.charAt(0)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'string'
      ? value
      : canonicalJson(value);

const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

export const csvHeader: string = line(columns);

export function csvLine(row: CsvRow, time: string): string {
  const { id, actor, action, subject, outcome, details, who, hash } = row;
  return line([
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
