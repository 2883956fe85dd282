import { eq, sql } from 'drizzle-orm';
import type { AuditInsert, TokenRecord } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { tokens } from './schema';

// All but the hash: nobody outside needs it.
const columns = {
  id: tokens.id,
  name: tokens.name,
  servicePattern: tokens.servicePattern,
  environment: tokens.environment,
  abilities: tokens.abilities,
  hint: tokens.hint,
  createdAt: tokens.createdAt,
  expiresAt: tokens.expiresAt,
  lastUsedAt: tokens.lastUsedAt,
  revokedAt: tokens.revokedAt,
};

export function createToken(
  connection: Connection,
  token: TokenRecord,
  hash: string,
  audit: AuditInsert,
): void {
  inTransaction(connection, () => {
    connection.db
      .insert(tokens)
      .values({ ...token, hash })
      .run();
    insertAudit(connection, audit);
  });
}

export function tokenByHash({ db }: Connection, hash: string) {
  return db.select(columns).from(tokens).where(eq(tokens.hash, hash));
}

export function findToken(connection: Connection, hash: string): TokenRecord | null {
  return tokenByHash(connection, hash).get() ?? null;
}

export function listTokens({ db }: Connection): readonly TokenRecord[] {
  return db.select(columns).from(tokens).orderBy(tokens.createdAt, tokens.id).all();
}

export function touchToken({ db }: Connection, id: string, at: number): void {
  db.update(tokens)
    .set({ lastUsedAt: sql`max(coalesce(${tokens.lastUsedAt}, 0), ${at})` })
    .where(eq(tokens.id, id))
    .run();
}

/** The first revocation stands; another one changes nothing and leaves no audit row. */
export function revokeToken(
  connection: Connection,
  id: string,
  at: number,
  audit: AuditInsert,
): TokenRecord | null {
  const { db } = connection;
  return inTransaction(connection, () => {
    const token = db.select(columns).from(tokens).where(eq(tokens.id, id)).get();
    if (token === undefined) return null;
    if (token.revokedAt !== null) return token;
    db.update(tokens).set({ revokedAt: at }).where(eq(tokens.id, id)).run();
    insertAudit(connection, audit);
    return { ...token, revokedAt: at };
  });
}
