import { and, desc, eq, gt, isNull, type SQL } from 'drizzle-orm';
import type { AuditInsert } from '../../port';
import type {
  CodeKind,
  CodeRecord,
  NewPerson,
  PersonRecord,
  StepUpRecord,
} from '../../port/people';
import { insertAudit } from '../audit';
import { inTransaction, type Connection } from '../connection';
import { readMeta, writeMeta } from '../meta';
import { dropFactors, dropSessions, insertPerson, recordOf, replacePassword } from './people';
import { oneTimeCodes, people, stepUps } from './schema';

const columns = {
  id: oneTimeCodes.id,
  kind: oneTimeCodes.kind,
  personId: oneTimeCodes.personId,
  name: oneTimeCodes.name,
  email: oneTimeCodes.email,
  grants: oneTimeCodes.grants,
  createdAt: oneTimeCodes.createdAt,
  expiresAt: oneTimeCodes.expiresAt,
};

const SETUP_DONE = 'setup_completed_at';

export function setupCompletedAt(connection: Connection): number | null {
  return readMeta(connection, SETUP_DONE);
}

const open = (at: number): SQL | undefined =>
  and(isNull(oneTimeCodes.usedAt), gt(oneTimeCodes.expiresAt, at));

function markUsed({ db }: Connection, condition: SQL | undefined, at: number): number {
  return db
    .update(oneTimeCodes)
    .set({ usedAt: at })
    .where(and(condition, isNull(oneTimeCodes.usedAt)))
    .run().changes;
}

/** Whom a code is for; a set-up has only one at a time. */
function sameAs({ kind, personId, email }: CodeRecord): SQL | undefined {
  return and(
    eq(oneTimeCodes.kind, kind),
    personId === null ? undefined : eq(oneTimeCodes.personId, personId),
    email === null ? undefined : eq(oneTimeCodes.email, email),
  );
}

export function putCode(
  connection: Connection,
  code: CodeRecord,
  hash: string,
  audit: AuditInsert,
): void {
  inTransaction(connection, () => {
    markUsed(connection, sameAs(code), code.createdAt);
    connection.db
      .insert(oneTimeCodes)
      .values({ ...code, grants: [...code.grants], hash })
      .run();
    insertAudit(connection, audit);
  });
}

export function findCode({ db }: Connection, hash: string, at: number): CodeRecord | null {
  const found = and(eq(oneTimeCodes.hash, hash), open(at));
  return db.select(columns).from(oneTimeCodes).where(found).get() ?? null;
}

export function listInvitations({ db }: Connection, at: number): readonly CodeRecord[] {
  return db
    .select(columns)
    .from(oneTimeCodes)
    .where(and(eq(oneTimeCodes.kind, 'invitation'), open(at)))
    .orderBy(desc(oneTimeCodes.createdAt))
    .all();
}

export function revokeCode(
  connection: Connection,
  id: string,
  at: number,
  audit: AuditInsert,
): boolean {
  return inTransaction(connection, () => {
    if (markUsed(connection, eq(oneTimeCodes.id, id), at) === 0) return false;
    insertAudit(connection, audit);
    return true;
  });
}

type Redeem = {
  readonly hash: string;
  readonly kind: CodeKind;
  readonly at: number;
};

function takeCode(connection: Connection, { hash, kind, at }: Redeem): CodeRecord | null {
  const code = findCode(connection, hash, at);
  if (code === null || code.kind !== kind) return null;
  markUsed(connection, eq(oneTimeCodes.id, code.id), at);
  return code;
}

class NotGood extends Error {}

/** A code that came to nothing is not used up. */
function orNull<T>(connection: Connection, work: () => T): T | null {
  try {
    return inTransaction(connection, work);
  } catch (error) {
    if (error instanceof NotGood) return null;
    throw error;
  }
}

/** [S-02] The stored fact that set-up is done decides, not whether there are people. */
export function redeemForPerson(
  connection: Connection,
  input: Redeem & { readonly person: NewPerson; readonly audit: AuditInsert },
): PersonRecord | null {
  const { kind, at, person, audit } = input;
  return orNull(connection, () => {
    if (kind === 'setup' && setupCompletedAt(connection) !== null) throw new NotGood();
    if (takeCode(connection, input) === null) throw new NotGood();
    const record = insertPerson(connection, person, at);
    if (record === null) throw new NotGood();
    if (kind === 'setup') writeMeta(connection, SETUP_DONE, at);
    insertAudit(connection, audit);
    return record;
  });
}

export function redeemRecovery(
  connection: Connection,
  input: Omit<Redeem, 'kind'> & { readonly passwordHash: string; readonly audit: AuditInsert },
): PersonRecord | null {
  const { at, passwordHash, audit } = input;
  const { db } = connection;
  return orNull(connection, () => {
    const id = takeCode(connection, { ...input, kind: 'recovery' })?.personId ?? '';
    replaceable(connection, id);
    replacePassword(connection, id, passwordHash, at);
    dropFactors(connection, id);
    dropSessions(connection, id);
    const row = db
      .update(people)
      .set({ disabledAt: null, updatedAt: new Date(at) })
      .where(eq(people.id, id))
      .returning()
      .get();
    insertAudit(connection, audit);
    return recordOf(connection, row);
  });
}

function replaceable({ db }: Connection, id: string): void {
  const known = db.select({ id: people.id }).from(people).where(eq(people.id, id)).get();
  if (known === undefined) throw new NotGood();
}

export function putStepUp(connection: Connection, record: StepUpRecord, audit: AuditInsert): void {
  inTransaction(connection, () => {
    connection.db.insert(stepUps).values(record).run();
    insertAudit(connection, audit);
  });
}

export function consumeStepUp(
  { db }: Connection,
  input: {
    readonly hash: string;
    readonly sessionId: string;
    readonly digest: string;
    readonly at: number;
  },
): boolean {
  const { hash, sessionId, digest, at } = input;
  const { changes } = db
    .update(stepUps)
    .set({ usedAt: at })
    .where(
      and(
        eq(stepUps.hash, hash),
        eq(stepUps.sessionId, sessionId),
        eq(stepUps.digest, digest),
        gt(stepUps.expiresAt, at),
        isNull(stepUps.usedAt),
      ),
    )
    .run();
  return changes === 1;
}
