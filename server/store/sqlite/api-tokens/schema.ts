import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ApiTokenRecord } from '../../port/api-tokens';

export const apiTokens = sqliteTable('api_tokens', {
  id: text().primaryKey(),
  hash: text().notNull().unique(),
  name: text().notNull(),
  grants: text({ mode: 'json' }).$type<ApiTokenRecord['grants']>().notNull(),
  ownerId: text('owner_id').notNull(),
  owner: text().notNull(),
  hint: text().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  lastUsedAt: integer('last_used_at'),
  revokedAt: integer('revoked_at'),
});
