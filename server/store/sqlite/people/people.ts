import { and, count, eq, isNotNull, isNull, max, ne, sql, type SQL } from 'drizzle-orm';
import { actionsOf, roles, type Grant } from '@/lib/protocol/access';
import type { AuditInsert } from '../../port';
import type { NewPerson, PasskeyRecord, PersonChange, PersonRecord } from '../../port/people';
import { insertAudit } from '../audit';
import { inSnapshot, inTransaction, type Connection } from '../connection';
import { accounts, grants, passkeys, people, sessions, stepUps, twoFactors } from './schema';

const CREDENTIAL = 'credential';

type Row = typeof people.$inferSelect;

function grantsOf({ db }: Connection, id: string): Grant[] {
  const { role, environment, service } = grants;
  return db.select({ role, environment, service }).from(grants).where(eq(grants.person, id)).all();
}

/** Within a transaction or snapshot: five small reads that belong together. */
export function recordOf(connection: Connection, row: Row): PersonRecord {
  const { db } = connection;
  const { id, name, email } = row;
  const held = db
    .select({ provider: accounts.providerId, password: accounts.password })
    .from(accounts)
    .where(eq(accounts.userId, id))
    .all();
  const totp = db
    .select({ rows: count() })
    .from(twoFactors)
    .where(and(eq(twoFactors.userId, id), eq(twoFactors.verified, true)))
    .get();
  const keys = db.select({ rows: count() }).from(passkeys).where(eq(passkeys.userId, id)).get();
  const seen = db
    .select({ at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(eq(sessions.userId, id))
    .get();
  return {
    id,
    name,
    email,
    createdAt: row.createdAt.getTime(),
    disabledAt: row.disabledAt?.getTime() ?? null,
    grants: grantsOf(connection, id),
    hasPassword: held.some((one) => one.provider === CREDENTIAL && one.password !== null),
    hasTotp: (totp?.rows ?? 0) > 0,
    passkeys: keys?.rows ?? 0,
    isFederated: held.some((one) => one.provider !== CREDENTIAL),
    lastSeenAt: seen?.at?.getTime() ?? null,
  };
}

export function findPerson(
  connection: Connection,
  by: { readonly id: string } | { readonly email: string },
): PersonRecord | null {
  return inSnapshot(connection, () => {
    const found = 'id' in by ? eq(people.id, by.id) : eq(people.email, by.email);
    const row = connection.db.select().from(people).where(found).get();
    return row === undefined ? null : recordOf(connection, row);
  });
}

export function listPeople(connection: Connection): readonly PersonRecord[] {
  return inSnapshot(connection, () =>
    connection.db
      .select()
      .from(people)
      .orderBy(people.name, people.id)
      .all()
      .map((row) => recordOf(connection, row)),
  );
}

const credentialOf = (personId: string): SQL | undefined =>
  and(eq(accounts.userId, personId), eq(accounts.providerId, CREDENTIAL));

export function passwordHash({ db }: Connection, personId: string): string | null {
  const found = db
    .select({ hash: accounts.password })
    .from(accounts)
    .where(credentialOf(personId))
    .get();
  return found?.hash ?? null;
}

function insertGrants({ db }: Connection, id: string, list: readonly Grant[]): void {
  for (const grant of list) {
    db.insert(grants)
      .values({ person: id, ...grant })
      .onConflictDoNothing()
      .run();
  }
}

/** Null when the address is taken. Runs within a transaction. */
export function insertPerson(
  connection: Connection,
  person: NewPerson,
  at: number,
): PersonRecord | null {
  const { db } = connection;
  const { id, name, email, passwordHash: password } = person;
  const now = new Date(at);
  const values = { id, name, email, emailVerified: true, createdAt: now, updatedAt: now };
  const row = db.insert(people).values(values).onConflictDoNothing().returning().get();
  // The driver answers nothing when the address was there.
  if ((row as Row | undefined) === undefined) return null;
  if (password !== null) insertPassword(connection, id, password, now);
  insertGrants(connection, id, person.grants);
  return recordOf(connection, row);
}

function insertPassword({ db }: Connection, id: string, password: string, now: Date): void {
  db.insert(accounts)
    .values({
      id: `acc_${id}`,
      userId: id,
      providerId: CREDENTIAL,
      accountId: id,
      password,
      createdAt: now,
      updatedAt: now,
    })
    .run();
}

export function addPerson(
  connection: Connection,
  person: NewPerson,
  at: number,
  audit: AuditInsert,
): PersonRecord | null {
  return inTransaction(connection, () => {
    const record = insertPerson(connection, person, at);
    if (record !== null) insertAudit(connection, audit);
    return record;
  });
}

const MANAGING = roles.filter((role) => actionsOf[role].includes('people.manage'));

/** Somebody who is enabled and may manage people. */
function hasManager({ db }: Connection): boolean {
  const found = db
    .select({ rows: count() })
    .from(grants)
    .innerJoin(people, eq(grants.person, people.id))
    .where(and(isNull(people.disabledAt), sql`${grants.role} in ${MANAGING}`))
    .get();
  return (found?.rows ?? 0) > 0;
}

class LastAdmin extends Error {}

/** Undone as a whole when nobody could manage people after it. */
function changePerson(
  connection: Connection,
  id: string,
  audit: AuditInsert,
  work: () => void,
): PersonChange {
  try {
    return inTransaction(connection, () => {
      const known = connection.db
        .select({ id: people.id })
        .from(people)
        .where(eq(people.id, id))
        .get();
      if (known === undefined) return 'unknown';
      const managedBefore = hasManager(connection);
      work();
      if (managedBefore && !hasManager(connection)) throw new LastAdmin();
      insertAudit(connection, audit);
      return 'done';
    });
  } catch (error) {
    if (error instanceof LastAdmin) return 'last_admin';
    throw error;
  }
}

export function setGrants(
  connection: Connection,
  id: string,
  list: readonly Grant[],
  audit: AuditInsert,
): PersonChange {
  return changePerson(connection, id, audit, () => {
    connection.db.delete(grants).where(eq(grants.person, id)).run();
    insertGrants(connection, id, list);
  });
}

export function dropSessions({ db }: Connection, personId: string, except?: string): void {
  db.delete(sessions)
    .where(
      and(
        eq(sessions.userId, personId),
        except === undefined ? undefined : ne(sessions.id, except),
      ),
    )
    .run();
  // What was proved in a session that is gone proves nothing.
  if (except === undefined) db.delete(stepUps).where(eq(stepUps.personId, personId)).run();
}

export function setDisabled(
  connection: Connection,
  id: string,
  at: number | null,
  audit: AuditInsert,
): PersonChange {
  return changePerson(connection, id, audit, () => {
    const disabledAt = at === null ? null : new Date(at);
    connection.db.update(people).set({ disabledAt }).where(eq(people.id, id)).run();
    if (at !== null) dropSessions(connection, id);
  });
}

export function setPassword(
  connection: Connection,
  personId: string,
  hash: string,
  keep: string | null,
  audit: AuditInsert,
): boolean {
  return inTransaction(connection, () => {
    const { changes } = connection.db
      .update(accounts)
      .set({ password: hash, updatedAt: new Date(audit.at) })
      .where(and(credentialOf(personId), isNotNull(accounts.password)))
      .run();
    if (changes === 0) return false;
    dropSessions(connection, personId, keep ?? undefined);
    insertAudit(connection, audit);
    return true;
  });
}

/** A new password for somebody who is recovered, whatever was there. Within a transaction. */
export function replacePassword(
  connection: Connection,
  id: string,
  hash: string,
  at: number,
): void {
  connection.db.delete(accounts).where(credentialOf(id)).run();
  insertPassword(connection, id, hash, new Date(at));
}

/** Within a transaction. */
export function dropFactors({ db }: Connection, personId: string): void {
  dropTotp({ db }, personId);
  db.delete(passkeys).where(eq(passkeys.userId, personId)).run();
}

function dropTotp({ db }: Pick<Connection, 'db'>, personId: string): number {
  db.update(people).set({ twoFactorEnabled: false }).where(eq(people.id, personId)).run();
  return db.delete(twoFactors).where(eq(twoFactors.userId, personId)).run().changes;
}

export function resetFactors(connection: Connection, id: string, audit: AuditInsert): boolean {
  const done = changePerson(connection, id, audit, () => {
    dropFactors(connection, id);
    dropSessions(connection, id);
  });
  return done === 'done';
}

export function removeTotp(connection: Connection, id: string, audit: AuditInsert): boolean {
  return inTransaction(connection, () => {
    if (dropTotp(connection, id) === 0) return false;
    insertAudit(connection, audit);
    return true;
  });
}

export function listPasskeys({ db }: Connection, personId: string): readonly PasskeyRecord[] {
  const { id, name, createdAt } = passkeys;
  return db
    .select({ id, name, createdAt })
    .from(passkeys)
    .where(eq(passkeys.userId, personId))
    .orderBy(createdAt, id)
    .all()
    .map((row) => ({ ...row, createdAt: row.createdAt?.getTime() ?? null }));
}

export function removePasskey(
  connection: Connection,
  personId: string,
  id: string,
  audit: AuditInsert,
): boolean {
  return inTransaction(connection, () => {
    const own = and(eq(passkeys.id, id), eq(passkeys.userId, personId));
    if (connection.db.delete(passkeys).where(own).run().changes === 0) return false;
    insertAudit(connection, audit);
    return true;
  });
}
