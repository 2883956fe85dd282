import { and, desc, eq, lt } from 'drizzle-orm';
import type { AuditInsert, AuditRecord } from '../port';
import type { Connection } from './connection';
import { audit } from './schema';

/** Called inside the transaction of what it records. */
export function insertAudit({ db }: Connection, row: AuditInsert): void {
  db.insert(audit).values(row).run();
}

export type AuditPage = {
  readonly before?: number;
  readonly subject?: string;
  readonly limit: number;
};

export function auditQuery({ db }: Connection, { before, subject, limit }: AuditPage) {
  return db
    .select()
    .from(audit)
    .where(
      and(
        before === undefined ? undefined : lt(audit.id, before),
        subject === undefined ? undefined : eq(audit.subject, subject),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(limit);
}

/** Newest first. */
export function listAudit(connection: Connection, page: AuditPage): readonly AuditRecord[] {
  return auditQuery(connection, page).all();
}
