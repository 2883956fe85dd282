import { eq, sql } from 'drizzle-orm';
import type { AuditInsert } from '../../port';
import type { ApiTokenRecord } from '../../port/api-tokens';
import { insertAudit } from '../audit';
import { inTransaction, type Connection } from '../connection';
import { apiTokens } from './schema';

// All but the hash: nobody outside needs it.
const columns = {
  id: apiTokens.id,
  name: apiTokens.name,
  grants: apiTokens.grants,
  ownerId: apiTokens.ownerId,
  owner: apiTokens.owner,
  hint: apiTokens.hint,
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  lastUsedAt: apiTokens.lastUsedAt,
  revokedAt: apiTokens.revokedAt,
};

export function createApiToken(
  connection: Connection,
  token: ApiTokenRecord,
  hash: string,
  audit: AuditInsert,
): void {
  inTransaction(connection, () => {
    connection.db
      .insert(apiTokens)
      .values({ ...token, hash })
      .run();
    insertAudit(connection, audit);
  });
}

export function findApiToken({ db }: Connection, hash: string): ApiTokenRecord | null {
  return db.select(columns).from(apiTokens).where(eq(apiTokens.hash, hash)).get() ?? null;
}

export function getApiToken({ db }: Connection, id: string): ApiTokenRecord | null {
  return db.select(columns).from(apiTokens).where(eq(apiTokens.id, id)).get() ?? null;
}

export function listApiTokens({ db }: Connection): readonly ApiTokenRecord[] {
  return db.select(columns).from(apiTokens).orderBy(apiTokens.createdAt, apiTokens.id).all();
}

export function touchApiToken({ db }: Connection, id: string, at: number): void {
  db.update(apiTokens)
    .set({ lastUsedAt: sql`max(coalesce(${apiTokens.lastUsedAt}, 0), ${at})` })
    .where(eq(apiTokens.id, id))
    .run();
}

export function revokeApiToken(
  connection: Connection,
  id: string,
  at: number,
  audit: AuditInsert,
): ApiTokenRecord | null {
  return inTransaction(connection, () => {
    const token = getApiToken(connection, id);
    if (token === null || token.revokedAt !== null) return token;
    connection.db.update(apiTokens).set({ revokedAt: at }).where(eq(apiTokens.id, id)).run();
    insertAudit(connection, audit);
    return { ...token, revokedAt: at };
  });
}
