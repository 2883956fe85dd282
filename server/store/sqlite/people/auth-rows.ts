import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  like,
  lt,
  lte,
  ne,
  not,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { AuditInsert } from '../../port';
import type { AuthChange, AuthClause, AuthModel, AuthQuery, AuthRow } from '../../port/people';
import { insertAudit } from '../audit';
import { inTransaction, type Connection } from '../connection';
import { accounts, passkeys, people, sessions, twoFactors, verifications } from './schema';

const tables = {
  user: people,
  session: sessions,
  account: accounts,
  verification: verifications,
  twoFactor: twoFactors,
  passkey: passkeys,
} as const satisfies Record<AuthModel, SQLiteTable>;

type Columns = Readonly<Record<string, SQLiteColumn>>;
const columnsOf = (model: AuthModel): Columns => getTableColumns(tables[model]);

function columnOf(model: AuthModel, field: string): SQLiteColumn {
  const column = columnsOf(model)[field];
  if (column === undefined) throw new Error(`the model ${model} has no field ${field}`);
  return column;
}

const escapeLike = (text: unknown): string => String(text).replace(/[\\%_]/g, '\\$&');

function conditionOf(model: AuthModel, { field, operator, value }: AuthClause): SQL {
  const column = columnOf(model, field);
  if (value === null) return operator === 'ne' ? not(isNull(column)) : isNull(column);
  switch (operator) {
    case 'ne':
      return ne(column, value);
    case 'lt':
      return lt(column, value);
    case 'lte':
      return lte(column, value);
    case 'gt':
      return gt(column, value);
    case 'gte':
      return gte(column, value);
    case 'in':
      return inArray(column, value as unknown[]);
    case 'not_in':
      return not(inArray(column, value as unknown[]));
    case 'contains':
      return sql`${like(column, `%${escapeLike(value)}%`)} ESCAPE '\\'`;
    case 'starts_with':
      return sql`${like(column, `${escapeLike(value)}%`)} ESCAPE '\\'`;
    case 'ends_with':
      return sql`${like(column, `%${escapeLike(value)}`)} ESCAPE '\\'`;
    default:
      return eq(column, value);
  }
}

/** As the library means it: all of the AND clauses, and at least one of the OR clauses. */
function whereOf({ model, where }: Pick<AuthQuery, 'model' | 'where'>): SQL | undefined {
  const [single] = where;
  if (single !== undefined && where.length === 1) return conditionOf(model, single);
  const of = (connector: AuthClause['connector']) =>
    where.filter((clause) => clause.connector === connector).map((one) => conditionOf(model, one));
  return and(...of('AND'), or(...of('OR')));
}

/** Only columns that the table has; the library may hand in more, such as tokens of the provider. */
function known(model: AuthModel, row: AuthRow): Record<string, unknown> {
  const columns = columnsOf(model);
  return Object.fromEntries(Object.entries(row).filter(([field]) => field in columns));
}

function audited<T>(connection: Connection, audit: AuditInsert | null, work: () => T): T {
  return inTransaction(connection, () => {
    const result = work();
    if (audit !== null) insertAudit(connection, audit);
    return result;
  });
}

export function insertAuthRow(
  connection: Connection,
  model: AuthModel,
  row: AuthRow,
  audit: AuditInsert | null,
): AuthRow {
  const table: SQLiteTable = tables[model];
  return audited(connection, audit, () =>
    connection.db.insert(table).values(known(model, row)).returning().get(),
  );
}

export function findAuthRows({ db }: Connection, query: AuthQuery): readonly AuthRow[] {
  const { model, limit, offset, sortBy } = query;
  const table: SQLiteTable = tables[model];
  const order = sortBy?.direction === 'desc' ? desc : asc;
  return db
    .select()
    .from(table)
    .where(whereOf(query))
    .orderBy(...(sortBy === undefined ? [] : [order(columnOf(model, sortBy.field))]))
    .limit(limit ?? -1)
    .offset(offset ?? 0)
    .all();
}

export function countAuthRows({ db }: Connection, query: AuthQuery): number {
  const table: SQLiteTable = tables[query.model];
  const found = db.select({ rows: count() }).from(table).where(whereOf(query)).get();
  return found?.rows ?? 0;
}

/** A change of every row is never meant. */
function someOf(query: Pick<AuthQuery, 'model' | 'where'>): SQL {
  const condition = whereOf(query);
  if (condition === undefined) throw new Error(`a change of all rows of ${query.model} is refused`);
  return condition;
}

export function changeAuthRows(connection: Connection, change: AuthChange): readonly AuthRow[] {
  const { model, set, increment = {}, audit } = change;
  const table: SQLiteTable = tables[model];
  const added = Object.entries(increment).map(([field, by]) => [
    field,
    sql`coalesce(${columnOf(model, field)}, 0) + ${by}`,
  ]);
  return audited(connection, audit, () =>
    connection.db
      .update(table)
      .set({ ...known(model, set), ...Object.fromEntries(added) })
      .where(someOf(change))
      .returning()
      .all(),
  );
}

export function removeAuthRows(
  connection: Connection,
  query: AuthQuery,
  audit: AuditInsert | null,
): readonly AuthRow[] {
  const table: SQLiteTable = tables[query.model];
  return audited(connection, audit, () =>
    connection.db.delete(table).where(someOf(query)).returning().all(),
  );
}
