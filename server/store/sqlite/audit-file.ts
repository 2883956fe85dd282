import Database from 'better-sqlite3';
import { asc } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { getTableColumns } from 'drizzle-orm';
import type { AuditContent } from '@/lib/audit/chain';
import type { FoundRow } from '@/lib/audit/rows';
import type { AuditTrail } from '@/lib/audit/verify';
import { StoreError } from './errors';
import { audit, auditChain, auditCheckpoints, auditKeys } from './schema';

export type AuditFile = AuditTrail & { close(): void };

type Raw = Readonly<Record<string, unknown>>;

const columns = Object.entries(getTableColumns(audit));

/** By the names that the program uses; null when a column holds what it never wrote. */
function contentOf(raw: Raw): AuditContent | null {
  try {
    const content: Record<string, unknown> = {};
    for (const [key, column] of columns) {
      if (key === 'hash' || key === 'previousHash') continue;
      const value = raw[column.name] ?? null;
      content[key] = value === null ? null : column.mapFromDriverValue(value);
    }
    return { ...content, id: Number(raw['id']) };
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function* foundRows(client: Database.Database): Generator<FoundRow> {
  const rows = client.prepare<[], Raw>('SELECT * FROM audit ORDER BY id').iterate();
  for (const raw of rows) {
    yield {
      id: Number(raw['id']),
      content: contentOf(raw),
      previousHash: textOf(raw['previous_hash']),
      hash: textOf(raw['hash']),
    };
  }
}

/**
 * The audit trail of a database file, read only and row by row; nobody else needs to let go of the
 * file. Throws a `StoreError` for a file that is not there or not of this program.
 */
export function openAuditFile(file: string): AuditFile {
  let client: Database.Database;
  try {
    client = new Database(file, { readonly: true, fileMustExist: true });
  } catch (cause) {
    throw new StoreError('not_writable', `The database ${file} cannot be opened for reading.`, {
      cause,
    });
  }
  try {
    // One view of everything, also while a server writes.
    client.exec('BEGIN');
    const db = drizzle({ client });
    return {
      chain: db.select().from(auditChain).get() ?? null,
      checkpoints: db.select().from(auditCheckpoints).orderBy(asc(auditCheckpoints.number)).all(),
      keys: db.select().from(auditKeys).orderBy(asc(auditKeys.id)).all(),
      rows: { [Symbol.iterator]: () => foundRows(client) },
      close: () => void client.close(),
    };
  } catch (cause) {
    client.close();
    throw new StoreError(
      'corrupt',
      `The file ${file} is no database of this program, or of a version without an audit chain.`,
      { cause },
    );
  }
}
