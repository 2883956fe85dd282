import { createHash, randomBytes } from 'node:crypto';
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  lt,
  lte,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { genesisHash, rowHash, type AuditContent } from '@/lib/audit/chain';
import type { AuditFilter, AuditInsert, AuditPosition, AuditRecord } from '../port';
import type { Connection } from './connection';
import { audit, auditChain } from './schema';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

type Head = { readonly id: number; readonly hash: string | null; readonly at: number };

/** What this process wrote, so that a row of anybody else is noticed when the next one follows it. */
type Guarded = {
  readonly statements: ReturnType<typeof prepare>;
  readonly written: Set<string>;
  readonly foreign: number[];
  /** The newest row that was looked at; null before the file was. */
  looked: number | null;
};
/** Whatever the table has, in its own order. */
const columns = Object.entries(getTableColumns(audit));

/** As the columns keep it; nothing stays nothing. */
function driverValues(row: AuditRecord): unknown[] {
  const values: Readonly<Record<string, unknown>> = row;
  return columns.map(([key, column]) => {
    const value = values[key] ?? null;
    return value === null ? null : column.mapToDriverValue(value);
  });
}

/** A delivery to a thousand instances is a thousand rows of one transaction. */
function prepare({ db, client }: Connection) {
  const names = columns.map(([, column]) => column.name).join(', ');
  const blanks = columns.map(() => '?').join(', ');
  return {
    head: db
      .select({ id: audit.id, hash: audit.hash, at: audit.at })
      .from(audit)
      .orderBy(desc(audit.id))
      .limit(1)
      .prepare(),
    chain: db.select().from(auditChain).limit(1).prepare(),
    insert: client.prepare(`INSERT INTO audit (${names}) VALUES (${blanks})`),
  };
}

const guarded = new WeakMap<Connection, Guarded>();
/** Only the newest can be a head; a transaction that rolls back leaves some behind. */
const REMEMBERED = 4_000;

function guardOf(connection: Connection): Guarded {
  const known = guarded.get(connection);
  if (known !== undefined) return known;
  const fresh = {
    statements: prepare(connection),
    written: new Set<string>(),
    foreign: [],
    looked: null,
  };
  guarded.set(connection, fresh);
  return fresh;
}

/**
 * What the file holds when it is opened is taken as it is. Later rows that are not ours are told,
 * all that lie between the last one that was looked at and the newest.
 */
function watchHead(connection: Connection, head: Head | undefined): void {
  const guard = guardOf(connection);
  const { looked, written, foreign } = guard;
  guard.looked = head?.id ?? 0;
  const isOurs = head === undefined || (head.hash !== null && written.has(head.hash));
  if (looked === null || isOurs || head.id <= looked) return;
  const { db } = connection;
  const rows = db
    .select({ id: audit.id, hash: audit.hash })
    .from(audit)
    .where(gt(audit.id, looked));
  for (const { id, hash } of rows.all()) {
    if (hash === null || !written.has(hash)) foreign.push(id);
  }
}

function remember(connection: Connection, hash: string): void {
  const { written } = guardOf(connection);
  written.add(hash);
  if (written.size <= REMEMBERED) return;
  const [oldest] = written;
  if (oldest !== undefined) written.delete(oldest);
}

function readHead(connection: Connection): Head | undefined {
  return guardOf(connection).statements.head.get();
}

function readChain(connection: Connection): NonNullable<AuditPosition['chain']> | undefined {
  return guardOf(connection).statements.chain.get();
}

/** The hash that the next row follows; the first row of a file begins its chain. */
function previousHashOf(connection: Connection, head: Head | undefined, id: number): string {
  const chain = readChain(connection);
  if (chain === undefined) {
    const chainId = randomBytes(16).toString('hex');
    connection.db.insert(auditChain).values({ chainId, firstRow: id }).run();
    return genesisHash(sha256, chainId);
  }
  return id === chain.firstRow ? genesisHash(sha256, chain.chainId) : (head?.hash ?? '');
}

/** What comes back when the columns are read. */
function contentOf(row: AuditInsert & { readonly id: number }): AuditContent {
  return JSON.parse(JSON.stringify(row)) as AuditContent;
}

/** SQLite keeps UTF-8, which has no half characters: what is hashed must be what is read again. */
const asUtf8 = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

function wellFormed(row: AuditInsert): AuditInsert {
  const { actor, action, subject } = row;
  return { ...row, actor: asUtf8(actor), action: asUtf8(action), subject: asUtf8(subject) };
}

/** [S-29, S-31] Called inside the transaction of what it records. */
export function insertAudit(connection: Connection, row: AuditInsert): AuditRecord {
  const head = readHead(connection);
  watchHead(connection, head);
  const id = (head?.id ?? 0) + 1;
  const content = { ...wellFormed(row), who: row.who ?? null, id };
  const previousHash = previousHashOf(connection, head, id);
  const hash = rowHash(sha256, previousHash, contentOf(content));
  const stored = { ...content, previousHash, hash };
  guardOf(connection).statements.insert.run(...driverValues(stored));
  remember(connection, hash);
  return stored;
}

export function auditHead(connection: Connection): AuditPosition {
  const head = readHead(connection);
  return {
    chain: readChain(connection) ?? null,
    row: head?.id ?? 0,
    hash: head?.hash ?? null,
    at: head?.at ?? 0,
  };
}

/** Looks at the head as well: a row may have come after our last one. Each is told once. */
export function foreignAuditRows(connection: Connection): readonly number[] {
  watchHead(connection, readHead(connection));
  return guardOf(connection).foreign.splice(0);
}

export type AuditPage = AuditFilter & {
  readonly before?: number | undefined;
  readonly notBefore?: number | undefined;
  readonly limit: number;
};

/** `%`, `_` and the escape itself mean themselves. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, (char) => `\\${char}`);
const contains = (column: SQL, text: string): SQL =>
  sql`${column} LIKE ${`%${literal(text)}%`} ESCAPE '\\'`;

function actionIs(action: string): SQL {
  return action.endsWith('*')
    ? sql`${audit.action} LIKE ${`${literal(action.slice(0, -1))}%`} ESCAPE '\\'`
    : eq(audit.action, action);
}

function textIs(text: string, about: readonly string[]): SQL | undefined {
  const breaker = sql`json_extract(${audit.details}, '$.breakerId')`;
  const known =
    about.length === 0 ? [] : [inArray(audit.subject, [...about]), inArray(breaker, [...about])];
  return or(
    contains(sql`${audit.subject}`, text),
    contains(sql`${audit.details}`, text),
    contains(sql`${audit.actor}`, text),
    ...known,
  );
}

function matches(filter: AuditFilter): SQL | undefined {
  const { actor, action, outcome, subject, text, about = [], from, to } = filter;
  return and(
    subject === undefined ? undefined : eq(audit.subject, subject),
    actor === undefined ? undefined : eq(audit.actor, actor),
    action === undefined ? undefined : actionIs(action),
    outcome === undefined ? undefined : eq(audit.outcome, outcome),
    text === undefined ? undefined : textIs(text, about),
    from === undefined ? undefined : gte(audit.at, from),
    to === undefined ? undefined : lte(audit.at, to),
  );
}

export function auditQuery({ db }: Connection, page: AuditPage) {
  const { before, notBefore, limit, ...filter } = page;
  return db
    .select()
    .from(audit)
    .where(
      and(
        before === undefined ? undefined : lt(audit.id, before),
        notBefore === undefined ? undefined : gte(audit.id, notBefore),
        matches(filter),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(limit);
}

/** Newest first. */
export function listAudit(connection: Connection, page: AuditPage): readonly AuditRecord[] {
  return auditQuery(connection, page).all();
}

export type AuditRange = AuditFilter & {
  readonly after: number;
  readonly upTo?: number;
  readonly actions?: readonly string[];
  readonly limit: number;
};

/** Oldest first. */
export function readAudit({ db }: Connection, range: AuditRange): readonly AuditRecord[] {
  const { after, upTo, actions, limit, ...filter } = range;
  return db
    .select()
    .from(audit)
    .where(
      and(
        gt(audit.id, after),
        upTo === undefined ? undefined : lte(audit.id, upTo),
        actions === undefined ? undefined : inArray(audit.action, [...actions]),
        matches(filter),
      ),
    )
    .orderBy(asc(audit.id))
    .limit(limit)
    .all();
}
