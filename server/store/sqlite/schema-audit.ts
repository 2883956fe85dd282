import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Who } from '@/lib/protocol/views';
import type { AuditInsert } from '../port';

export const audit = sqliteTable(
  'audit',
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    actor: text().notNull(),
    action: text().notNull(),
    subject: text().notNull(),
    outcome: text().$type<AuditInsert['outcome']>().notNull(),
    details: text({ mode: 'json' }).$type<AuditInsert['details']>().notNull(),
    who: text({ mode: 'json' }).$type<Who>(),
    /** Null in rows from before the chain began. */
    previousHash: text('previous_hash'),
    hash: text(),
  },
  (table) => [
    index('audit_subject').on(table.subject),
    index('audit_action').on(table.action),
    index('audit_at').on(table.at),
  ],
);

/** One row: the chain that this file holds. */
export const auditChain = sqliteTable('audit_chain', {
  chainId: text('chain_id').primaryKey(),
  firstRow: integer('first_row').notNull(),
});

export const auditCheckpoints = sqliteTable('audit_checkpoints', {
  number: integer().primaryKey(),
  chainId: text('chain_id').notNull(),
  fromRow: integer('from_row').notNull(),
  toRow: integer('to_row').notNull(),
  headHash: text('head_hash').notNull(),
  root: text().notNull(),
  at: integer().notNull(),
  previous: text(),
  keyId: text('key_id').notNull(),
  publicKey: text('public_key').notNull(),
  signature: text().notNull(),
});

/** Every key that ever signed, in order; what they signed stays verifiable. */
export const auditKeys = sqliteTable('audit_keys', {
  id: integer().primaryKey(),
  keyId: text('key_id').notNull().unique(),
  publicKey: text('public_key').notNull(),
  addedAt: integer('added_at').notNull(),
  endorsedBy: text('endorsed_by'),
  endorsement: text(),
});
