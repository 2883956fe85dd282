import { sql } from 'drizzle-orm';
import {
  blob,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type {
  ConfigUpsert,
  InstanceRecord,
  OverrideRecord,
  OverrideTargetRecord,
  StateUpsert,
  TokenRecord,
} from '../port';
import { commands } from './schema-commands';

export { commands, policies, releases, reviews } from './schema-commands';

/*
 * Rows that are many point at services, breakers, instances and runs by a small integer `id`; the
 * id that the rest of the program knows is the text `uid`. `at` columns are epoch milliseconds.
 */

export const services = sqliteTable(
  'services',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    environment: text().notNull(),
    name: text().notNull(),
    owner: text(),
    firstSeenAt: integer('first_seen_at').notNull(),
  },
  (table) => [uniqueIndex('services_name').on(table.environment, table.name)],
);

export const breakers = sqliteTable(
  'breakers',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    service: integer()
      .notNull()
      .references(() => services.id),
    name: text().notNull(),
    target: text().notNull(),
    generation: integer().notNull().default(0),
    firstSeenAt: integer('first_seen_at').notNull(),
  },
  (table) => [uniqueIndex('breakers_name').on(table.service, table.name)],
);

export const instances = sqliteTable(
  'instances',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    service: integer()
      .notNull()
      .references(() => services.id),
    instance: text().notNull(),
    host: text(),
    pid: integer(),
    replica: text(),
    version: text(),
    sdk: text().notNull(),
    accepts: text({ mode: 'json' }).$type<InstanceRecord['accepts']>().notNull(),
    tokenId: text('token_id'),
    startedAt: integer('started_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    liveness: text().$type<InstanceRecord['liveness']>().notNull().default('live'),
    clockOffsetMs: real('clock_offset_ms'),
    droppedEvents: integer('dropped_events').notNull().default(0),
    droppedSamples: integer('dropped_samples').notNull().default(0),
    duplicates: integer().notNull().default(0),
    archivedAt: integer('archived_at'),
  },
  (table) => [
    index('instances_service').on(table.service, table.archivedAt),
    index('instances_present')
      .on(table.lastSeenAt)
      .where(sql`archived_at IS NULL`),
  ],
);

export const runs = sqliteTable(
  'runs',
  {
    id: integer().primaryKey(),
    instance: integer()
      .notNull()
      .references(() => instances.id),
    epoch: text().notNull(),
    ackedSeq: integer('acked_seq').notNull().default(0),
    samplesSeq: integer('samples_seq').notNull().default(0),
  },
  (table) => [uniqueIndex('runs_epoch').on(table.instance, table.epoch)],
);

export const configs = sqliteTable(
  'configs',
  {
    breaker: integer()
      .notNull()
      .references(() => breakers.id),
    instance: integer()
      .notNull()
      .references(() => instances.id),
    hash: text().notNull(),
    json: text({ mode: 'json' }).$type<ConfigUpsert['config']>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.instance, table.breaker] })],
);

export const reportedStates = sqliteTable(
  'reported_states',
  {
    breaker: integer()
      .notNull()
      .references(() => breakers.id),
    instance: integer()
      .notNull()
      .references(() => instances.id),
    state: text({ mode: 'json' }).$type<StateUpsert['state']>().notNull(),
    since: integer(),
    at: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.instance, table.breaker] })],
);

/** The log of each run, contiguous from seq 1; a row of type `gap` stands for a range of it. */
export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey(),
    run: integer()
      .notNull()
      .references(() => runs.id),
    seq: integer().notNull(),
    breaker: integer().references(() => breakers.id),
    type: text().notNull(),
    at: integer().notNull(),
    agentAt: integer('agent_at').notNull(),
    agentMono: integer('agent_mono').notNull(),
    receivedAt: integer('received_at').notNull(),
    data: text().notNull(),
  },
  // An index ends with the row's id by itself, so (breaker, at) also orders by id.
  (table) => [
    uniqueIndex('events_seq').on(table.run, table.seq),
    index('events_timeline').on(table.breaker, table.at),
    index('events_gap')
      .on(table.run, table.at)
      .where(sql`type = 'gap'`),
  ],
);

/**
 * The first and the newest transition of each run of a breaker. An index over all transitions would
 * answer the same and cost each insert a page of its own, which more than halves the rate.
 */
export const lastTransitions = sqliteTable(
  'last_transitions',
  {
    breaker: integer().notNull(),
    run: integer().notNull(),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
    lastEvent: integer('last_event').notNull(),
  },
  (table) => [primaryKey({ columns: [table.breaker, table.run] })],
);

/** Stored in the order of its key (WITHOUT ROWID in the migration): one range read per chart. */
export const samples = sqliteTable(
  'samples',
  {
    breaker: integer().notNull(),
    at: integer().notNull(),
    run: integer().notNull(),
    seq: integer().notNull(),
    body: blob({ mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.breaker, table.at, table.run, table.seq] })],
);

export const probes = sqliteTable(
  'probes',
  {
    id: integer().primaryKey(),
    breaker: integer()
      .notNull()
      .references(() => breakers.id),
    at: integer().notNull(),
    run: integer()
      .notNull()
      .references(() => runs.id),
    step: integer().notNull(),
    outcome: text().notNull(),
    latencyMs: real('latency_ms').notNull(),
    idempotent: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [index('probes_timeline').on(table.breaker, table.at)],
);

export const livenessChanges = sqliteTable(
  'liveness_changes',
  {
    id: integer().primaryKey(),
    instance: integer()
      .notNull()
      .references(() => instances.id),
    from: text('from_state').$type<InstanceRecord['liveness']>().notNull(),
    to: text('to_state').$type<InstanceRecord['liveness']>().notNull(),
    at: integer().notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
    reason: text().notNull(),
  },
  (table) => [index('liveness_timeline').on(table.instance, table.at)],
);

export const overrides = sqliteTable(
  'overrides',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    breaker: integer()
      .notNull()
      .references(() => breakers.id),
    kind: text().$type<OverrideRecord['kind']>().notNull(),
    generation: integer().notNull(),
    reason: text().notNull(),
    actor: text().notNull(),
    createdAt: integer('created_at').notNull(),
    deliverBy: integer('deliver_by').notNull(),
    leaseMs: integer('lease_ms').notNull(),
    endsAt: integer('ends_at').notNull(),
    endedAt: integer('ended_at'),
    endReason: text('end_reason'),
    endedBy: text('ended_by'),
    idempotencyKey: text('idempotency_key').notNull().unique(),
    command: integer().references(() => commands.id),
    includeNew: integer('include_new', { mode: 'boolean' }).notNull().default(false),
    leaseRevision: integer('lease_revision').notNull().default(0),
  },
  (table) => [
    uniqueIndex('overrides_generation').on(table.breaker, table.generation),
    index('overrides_active')
      .on(table.breaker)
      .where(sql`ended_at IS NULL`),
    index('overrides_command').on(table.command),
    index('overrides_ended')
      .on(table.endedAt)
      .where(sql`ended_at IS NOT NULL`),
  ],
);

export const overrideTargets = sqliteTable(
  'override_targets',
  {
    override: integer()
      .notNull()
      .references(() => overrides.id),
    instance: integer()
      .notNull()
      .references(() => instances.id),
    delivery: text().$type<OverrideTargetRecord['delivery']>().notNull().default('queued'),
    reason: text(),
    updatedAt: integer('updated_at').notNull(),
    /** Null: that of the override. */
    deliverBy: integer('deliver_by'),
    leaseRevision: integer('lease_revision').notNull().default(0),
    releasedAt: integer('released_at'),
    releaseOutcome: text('release_outcome').$type<OverrideTargetRecord['releaseOutcome']>(),
  },
  (table) => [primaryKey({ columns: [table.override, table.instance] })],
);

export const tokens = sqliteTable('tokens', {
  id: text().primaryKey(),
  hash: text().notNull().unique(),
  name: text().notNull(),
  servicePattern: text('service_pattern').notNull(),
  environment: text().notNull(),
  abilities: text({ mode: 'json' }).$type<TokenRecord['abilities']>().notNull(),
  hint: text().notNull(),
  createdAt: integer('created_at').notNull(),
  expiresAt: integer('expires_at').notNull(),
  lastUsedAt: integer('last_used_at'),
  revokedAt: integer('revoked_at'),
});

export { audit, auditChain, auditCheckpoints, auditKeys } from './schema-audit';

/** `desired_revision` grows with each change of what operators want; `writable` is the probe row. */
export const meta = sqliteTable('meta', {
  key: text().primaryKey(),
  value: integer().notNull(),
});

export * from './api-tokens/schema';
export * from './people/schema';
