import { and, desc, eq, isNull, type SQL } from 'drizzle-orm';
import type { ReviewInsert, ReviewRecord } from '../command-port';
import type { AuditInsert } from '../port';
import { insertAudit } from './audit';
import { commandColumns } from './command-rows';
import { inTransaction, type Connection } from './connection';
import { commands, reviews } from './schema';

/** Called inside the transaction of the command that owes it. */
export function insertReview({ db }: Connection, command: number, review: ReviewInsert): void {
  const { id: uid, createdAt, dueAt } = review;
  db.insert(reviews).values({ uid, command, createdAt, dueAt }).run();
}

export function reviewsQuery({ db }: Connection, condition: SQL | undefined, limit: number) {
  return db
    .select({
      id: reviews.uid,
      createdAt: reviews.createdAt,
      dueAt: reviews.dueAt,
      closedAt: reviews.closedAt,
      closedBy: reviews.closedBy,
      note: reviews.note,
      command: commandColumns,
    })
    .from(reviews)
    .innerJoin(commands, eq(commands.id, reviews.command))
    .where(condition)
    .orderBy(desc(reviews.id))
    .limit(limit);
}

/** Newest first. */
export function listReviews(
  connection: Connection,
  { open, limit }: { readonly open?: boolean; readonly limit: number },
): readonly ReviewRecord[] {
  return reviewsQuery(
    connection,
    open === true ? isNull(reviews.closedAt) : undefined,
    limit,
  ).all();
}

export function getReview(connection: Connection, id: string): ReviewRecord | null {
  return reviewsQuery(connection, eq(reviews.uid, id), 1).get() ?? null;
}

/** The first close stands. */
export function closeReview(
  connection: Connection,
  input: {
    readonly id: string;
    readonly at: number;
    readonly by: string;
    readonly note: string;
    readonly audit: AuditInsert;
  },
): ReviewRecord | null {
  const { id, at: closedAt, by: closedBy, note } = input;
  return inTransaction(connection, () => {
    const { changes } = connection.db
      .update(reviews)
      .set({ closedAt, closedBy, note })
      .where(and(eq(reviews.uid, id), isNull(reviews.closedAt)))
      .run();
    if (changes === 0) return null;
    insertAudit(connection, input.audit);
    return getReview(connection, id);
  });
}
