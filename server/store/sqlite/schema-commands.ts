import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { CommandRecord, PolicyRecord, ReleaseRecord } from '../command-port';

/** What people asked for; the overrides that came of it point here. */
export const commands = sqliteTable(
  'commands',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    kind: text().$type<CommandRecord['kind']>().notNull(),
    environment: text().notNull(),
    scope: text({ mode: 'json' }).$type<CommandRecord['scope']>().notNull(),
    includeNew: integer('include_new', { mode: 'boolean' }).notNull(),
    reason: text().notNull(),
    actor: text().notNull(),
    requester: text({ mode: 'json' }).$type<CommandRecord['requester']>().notNull(),
    createdAt: integer('created_at').notNull(),
    startAt: integer('start_at'),
    leaseMs: integer('lease_ms').notNull(),
    deliverWithinMs: integer('deliver_within_ms').notNull(),
    risk: text().$type<CommandRecord['risk']>().notNull(),
    breakGlass: integer('break_glass', { mode: 'boolean' }).notNull(),
    expected: text({ mode: 'json' }).$type<CommandRecord['expected']>().notNull(),
    facts: text({ mode: 'json' }).$type<CommandRecord['facts']>().notNull(),
    digest: text().notNull(),
    status: text().$type<CommandRecord['status']>().notNull(),
    statusAt: integer('status_at').notNull(),
    statusBy: text('status_by'),
    statusReason: text('status_reason'),
    approvedBy: text('approved_by'),
    idempotencyKey: text('idempotency_key').notNull().unique(),
  },
  (table) => [
    index('commands_waiting')
      .on(table.status)
      .where(sql`status IN ('pending_approval', 'scheduled')`),
  ],
);

/** Overrides that are let go some instances at a time; which ones is kept with the targets. */
export const releases = sqliteTable(
  'releases',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    actor: text().notNull(),
    reason: text().notNull(),
    createdAt: integer('created_at').notNull(),
    overrideIds: text('override_ids', { mode: 'json' }).$type<readonly string[]>().notNull(),
    batchSize: integer('batch_size').notNull(),
    intervalMs: integer('interval_ms').notNull(),
    nextAt: integer('next_at').notNull(),
    status: text().$type<ReleaseRecord['status']>().notNull(),
    statusAt: integer('status_at').notNull(),
    statusBy: text('status_by'),
    statusReason: text('status_reason'),
  },
  (table) => [
    index('releases_open')
      .on(table.status)
      .where(sql`status IN ('running', 'stopped')`),
  ],
);

/** By environment, or by a prefix of it with a trailing `*`. */
export const policies = sqliteTable('policies', {
  environment: text().primaryKey(),
  twoPerson: text('two_person').$type<PolicyRecord['twoPerson']>().notNull(),
  stepUp: text('step_up').$type<PolicyRecord['stepUp']>().notNull(),
  tierOneServices: text('tier_one_services', { mode: 'json' })
    .$type<PolicyRecord['tierOneServices']>()
    .notNull(),
  updatedAt: integer('updated_at').notNull(),
  updatedBy: text('updated_by').notNull(),
});

/** What a break-glass command owes: another person looks at it afterwards. */
export const reviews = sqliteTable(
  'reviews',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    command: integer()
      .notNull()
      .references(() => commands.id),
    createdAt: integer('created_at').notNull(),
    dueAt: integer('due_at').notNull(),
    closedAt: integer('closed_at'),
    closedBy: text('closed_by'),
    note: text(),
  },
  (table) => [
    index('reviews_open')
      .on(table.dueAt)
      .where(sql`closed_at IS NULL`),
  ],
);
