import { asc, desc, eq, gt } from 'drizzle-orm';
import type { AuditCheckpoint } from '@/lib/protocol/audit';
import type { AuditInsert, AuditKeyRecord } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { audit, auditCheckpoints, auditKeys } from './schema';

export function newestCheckpoint({ db }: Connection): AuditCheckpoint | null {
  const newest = desc(auditCheckpoints.number);
  return db.select().from(auditCheckpoints).orderBy(newest).limit(1).get() ?? null;
}

/** False when it does not continue the newest one or its last row is another. */
export function appendCheckpoint(connection: Connection, checkpoint: AuditCheckpoint): boolean {
  const { db } = connection;
  return inTransaction(connection, () => {
    const number = (newestCheckpoint(connection)?.number ?? 0) + 1;
    const row = db
      .select({ hash: audit.hash })
      .from(audit)
      .where(eq(audit.id, checkpoint.toRow))
      .get();
    if (checkpoint.number !== number || row?.hash !== checkpoint.headHash) return false;
    db.insert(auditCheckpoints).values(checkpoint).run();
    return true;
  });
}

/** Oldest first. */
export function listCheckpoints(
  { db }: Connection,
  { after, limit }: { readonly after: number; readonly limit: number },
): readonly AuditCheckpoint[] {
  return db
    .select()
    .from(auditCheckpoints)
    .where(gt(auditCheckpoints.number, after))
    .orderBy(asc(auditCheckpoints.number))
    .limit(limit)
    .all();
}

export function addAuditKey(connection: Connection, key: AuditKeyRecord, row: AuditInsert): void {
  inTransaction(connection, () => {
    connection.db.insert(auditKeys).values(key).run();
    insertAudit(connection, row);
  });
}

const keyColumns = {
  keyId: auditKeys.keyId,
  publicKey: auditKeys.publicKey,
  addedAt: auditKeys.addedAt,
  endorsedBy: auditKeys.endorsedBy,
  endorsement: auditKeys.endorsement,
};

/** In the order in which they were added. */
export function listAuditKeys({ db }: Connection): readonly AuditKeyRecord[] {
  return db.select(keyColumns).from(auditKeys).orderBy(asc(auditKeys.id)).all();
}
