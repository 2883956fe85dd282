/**
 * The audit trail as JSON lines: one object a line, for the second sink, for export and, read back,
 * as a witness. A line is plain ASCII but for printable text, and no string in it is longer than
 * 2 KiB; hashes are of the whole row, so that a cut string does not weaken them.
 */
import type { AuditCheckpoint } from '../protocol/audit';

export type LineRow = {
  readonly id: number;
  readonly at: number;
  readonly hash: string | null;
  readonly previousHash: string | null;
  readonly details: unknown;
};

const MAX_FIELD_BYTES = 2_048;
const MAX_DEPTH = 8;
// JSON escapes the C0 controls; these it passes on, and a terminal or a viewer acts on them.
const UNESCAPED = /[\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/g;

const escapeChar = (char: string): string =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** [S-42] JSON text that no terminal and no line reader takes for anything else. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNESCAPED, escapeChar);
}

/** A character of UTF-16 takes at most three bytes in UTF-8, so most texts need no counting. */
function cut(text: string): string {
  if (text.length * 3 <= MAX_FIELD_BYTES) return text;
  let bytes = 0;
  let end = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > MAX_FIELD_BYTES - 3) return `${text.slice(0, end)}…`;
    end += char.length;
  }
  return text;
}

/** No string, key or not, is longer than the limit. */
export function capped(value: unknown, depth = MAX_DEPTH): unknown {
  if (typeof value === 'string') return cut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => capped(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cut(key), capped(item, depth - 1)]),
  );
}

/** `time` is UTC; the hashes come last and are never cut. */
export function rowLine(row: LineRow, chainId: string | null, time: string): string {
  const { id, previousHash, hash, ...rest } = row;
  const body = capped(rest) as object;
  return safeJson({ kind: 'audit', id, time, ...body, chainId, previousHash, hash });
}

/** With nothing cut: whoever reads it can compute the hashes again. */
export function exactRowLine(row: LineRow, chainId: string | null, time: string): string {
  return safeJson({ kind: 'audit', time, chainId, ...row });
}

export function checkpointLine(checkpoint: AuditCheckpoint): string {
  return safeJson({ kind: 'audit_checkpoint', checkpoint });
}
