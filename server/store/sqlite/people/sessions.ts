import { and, desc, eq, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import type { AuditInsert } from '../../port';
import type { PersonRecord, SessionRecord } from '../../port/people';
import { insertAudit } from '../audit';
import { inSnapshot, inTransaction, type Connection } from '../connection';
import { recordOf } from './people';
import { oneTimeCodes, people, sessions, stepUps, verifications } from './schema';

type Row = typeof sessions.$inferSelect;
type Found = { readonly session: SessionRecord; readonly person: PersonRecord };

const viewOf = (row: Row): SessionRecord => ({
  id: row.id,
  personId: row.userId,
  createdAt: row.createdAt.getTime(),
  lastSeenAt: row.lastSeenAt.getTime(),
  freshAt: row.freshAt.getTime(),
  factors: row.factors,
  ip: row.ipAddress,
  userAgent: row.userAgent,
});

function sessionBy(connection: Connection, condition: SQL): Found | null {
  return inSnapshot(connection, () => {
    const row = connection.db
      .select()
      .from(sessions)
      .innerJoin(people, eq(sessions.userId, people.id))
      .where(condition)
      .get();
    if (row === undefined) return null;
    return { session: viewOf(row.sessions), person: recordOf(connection, row.people) };
  });
}

export function findSession(connection: Connection, tokenHash: string): Found | null {
  return sessionBy(connection, eq(sessions.token, tokenHash));
}

export function getSession(connection: Connection, id: string): Found | null {
  return sessionBy(connection, eq(sessions.id, id));
}

export function listSessions({ db }: Connection, personId: string): readonly SessionRecord[] {
  return db
    .select()
    .from(sessions)
    .where(eq(sessions.userId, personId))
    .orderBy(desc(sessions.lastSeenAt))
    .all()
    .map(viewOf);
}

export function touchSession({ db }: Connection, id: string, at: number): void {
  db.update(sessions)
    .set({ lastSeenAt: new Date(at) })
    .where(eq(sessions.id, id))
    .run();
}

export function rotateSession(
  connection: Connection,
  id: string,
  tokenHash: string,
  freshAt: number,
  proved: readonly string[],
): void {
  const { db } = connection;
  inTransaction(connection, () => {
    const row = db
      .select({ factors: sessions.factors })
      .from(sessions)
      .where(eq(sessions.id, id))
      .get();
    const factors = [...new Set([...(row?.factors ?? []), ...proved])];
    db.update(sessions)
      .set({ token: tokenHash, freshAt: new Date(freshAt), factors })
      .where(eq(sessions.id, id))
      .run();
  });
}

export function endSessions(
  connection: Connection,
  which: { readonly personId: string; readonly sessionId?: string; readonly except?: string },
  audit: AuditInsert,
): number {
  const { personId, sessionId, except } = which;
  const { db } = connection;
  return inTransaction(connection, () => {
    const ended = db
      .delete(sessions)
      .where(
        and(
          eq(sessions.userId, personId),
          sessionId === undefined ? undefined : eq(sessions.id, sessionId),
          except === undefined ? undefined : ne(sessions.id, except),
        ),
      )
      .returning({ id: sessions.id })
      .all();
    for (const { id } of ended) db.delete(stepUps).where(eq(stepUps.sessionId, id)).run();
    if (ended.length > 0) insertAudit(connection, audit);
    return ended.length;
  });
}

export function pruneSessions(
  connection: Connection,
  limits: { readonly createdBefore: number; readonly seenBefore: number; readonly now: number },
): void {
  const { db } = connection;
  const { createdBefore, seenBefore, now } = limits;
  inTransaction(connection, () => {
    const old = lt(sessions.createdAt, new Date(createdBefore));
    db.delete(sessions)
      .where(or(old, lt(sessions.lastSeenAt, new Date(seenBefore))))
      .run();
    db.delete(verifications)
      .where(lt(verifications.expiresAt, new Date(now)))
      .run();
    db.delete(stepUps).where(lt(stepUps.expiresAt, now)).run();
    db.delete(oneTimeCodes).where(lt(oneTimeCodes.expiresAt, now)).run();
  });
}

/** [S-13] One winner for one key until it expires. */
export function reserveOnce(
  connection: Connection,
  key: string,
  expiresAt: number,
  at: number,
): boolean {
  const now = new Date(at);
  return inTransaction(connection, () => {
    const { db } = connection;
    const same = eq(verifications.identifier, key);
    db.delete(verifications)
      .where(and(same, lt(verifications.expiresAt, now)))
      .run();
    const { changes } = db
      .insert(verifications)
      .values({
        id: sql`lower(hex(randomblob(16)))`,
        identifier: key,
        value: '',
        expiresAt: new Date(expiresAt),
        createdAt: now,
        updatedAt: now,
      })
      .onConflictDoNothing()
      .run();
    return changes === 1;
  });
}
