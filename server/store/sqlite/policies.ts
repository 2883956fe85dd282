import type { PolicyRecord } from '../command-port';
import type { AuditInsert } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { policies } from './schema';

export function listPolicies({ db }: Connection): readonly PolicyRecord[] {
  return db.select().from(policies).orderBy(policies.environment).all();
}

export function setPolicy(connection: Connection, policy: PolicyRecord, audit: AuditInsert): void {
  const { environment: _key, ...set } = policy;
  inTransaction(connection, () => {
    connection.db
      .insert(policies)
      .values(policy)
      .onConflictDoUpdate({ target: policies.environment, set })
      .run();
    insertAudit(connection, audit);
  });
}
