import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { Grant } from '@/lib/protocol/access';
import type { CodeKind } from '../../port/people';

const instant = (name: string) => integer(name, { mode: 'timestamp_ms' });
const flag = (name: string) => integer(name, { mode: 'boolean' });

/** The columns of the sign-in library, and when a person was disabled. */
export const people = sqliteTable('people', {
  id: text().primaryKey(),
  name: text().notNull(),
  email: text().notNull().unique(),
  emailVerified: flag('email_verified').notNull().default(false),
  image: text(),
  twoFactorEnabled: flag('two_factor_enabled').default(false),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  disabledAt: instant('disabled_at'),
});

const person = (name: string) =>
  text(name)
    .notNull()
    .references(() => people.id, { onDelete: 'cascade' });

export const grants = sqliteTable(
  'grants',
  {
    person: person('person'),
    role: text().$type<Grant['role']>().notNull(),
    environment: text().notNull(),
    service: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.person, table.role, table.environment, table.service] }),
  ],
);

/** Of a password (`credential`) or of the identity provider; `accountId` is then issuer and subject. */
export const accounts = sqliteTable(
  'accounts',
  {
    id: text().primaryKey(),
    userId: person('user_id'),
    providerId: text('provider_id').notNull(),
    accountId: text('account_id').notNull(),
    /** A scrypt hash with its costs and salt. */
    password: text(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('accounts_identity').on(table.providerId, table.accountId),
    index('accounts_user').on(table.userId),
  ],
);

/** `token` is the SHA-256 of what the cookie holds. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    userId: person('user_id'),
    token: text().notNull().unique(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    freshAt: instant('fresh_at').notNull(),
    factors: text({ mode: 'json' }).$type<string[]>().notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

/** Challenges of the library and codes that were used, until they expire. */
export const verifications = sqliteTable(
  'verifications',
  {
    id: text().primaryKey(),
    identifier: text().notNull().unique(),
    value: text().notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('verifications_expiry').on(table.expiresAt)],
);

/** Secrets are encrypted under the key of the console. */
export const twoFactors = sqliteTable('two_factors', {
  id: text().primaryKey(),
  userId: person('user_id').unique(),
  secret: text().notNull(),
  backupCodes: text('backup_codes').notNull(),
  verified: flag('verified').default(true),
  failedVerificationCount: integer('failed_verification_count').default(0),
  lockedUntil: instant('locked_until'),
});

export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text().primaryKey(),
    userId: person('user_id'),
    name: text(),
    publicKey: text('public_key').notNull(),
    credentialID: text('credential_id').notNull().unique(),
    counter: integer().notNull(),
    deviceType: text('device_type').notNull(),
    backedUp: flag('backed_up').notNull(),
    transports: text(),
    aaguid: text(),
    createdAt: instant('created_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

export const oneTimeCodes = sqliteTable(
  'one_time_codes',
  {
    id: text().primaryKey(),
    kind: text().$type<CodeKind>().notNull(),
    hash: text().notNull().unique(),
    personId: text('person_id'),
    name: text(),
    email: text(),
    grants: text({ mode: 'json' }).$type<Grant[]>().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
  },
  (table) => [
    index('codes_open')
      .on(table.kind)
      .where(sql`used_at IS NULL`),
  ],
);

export const stepUps = sqliteTable(
  'step_ups',
  {
    id: text().primaryKey(),
    hash: text().notNull().unique(),
    sessionId: text('session_id').notNull(),
    personId: text('person_id').notNull(),
    digest: text().notNull(),
    factor: text().notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    usedAt: integer('used_at'),
  },
  (table) => [index('step_ups_expiry').on(table.expiresAt)],
);
