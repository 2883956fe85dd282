import { and, desc, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { CommandRecord, OverrideInsert } from '../command-port';
import type { OverrideRecord, OverrideTargetRecord } from '../port';
import type { Connection } from './connection';
import { requireKey } from './keys';
import { breakers, commands, instances, overrides, overrideTargets } from './schema';

const columns = {
  key: overrides.id,
  id: overrides.uid,
  breakerId: breakers.uid,
  kind: overrides.kind,
  generation: overrides.generation,
  reason: overrides.reason,
  actor: overrides.actor,
  createdAt: overrides.createdAt,
  deliverBy: overrides.deliverBy,
  leaseMs: overrides.leaseMs,
  endsAt: overrides.endsAt,
  endedAt: overrides.endedAt,
  endReason: overrides.endReason,
  endedBy: overrides.endedBy,
  commandId: commands.uid,
  includeNew: overrides.includeNew,
  leaseRevision: overrides.leaseRevision,
};

type Row = Omit<OverrideRecord, 'targets'> & { readonly key: number };

function selectOverrides({ db }: Connection) {
  return db
    .select(columns)
    .from(overrides)
    .innerJoin(breakers, eq(breakers.id, overrides.breaker))
    .leftJoin(commands, eq(commands.id, overrides.command))
    .$dynamic();
}

export function targetsQuery({ db }: Connection, keys: readonly number[]) {
  return db
    .select({
      override: overrideTargets.override,
      instanceId: instances.uid,
      delivery: overrideTargets.delivery,
      reason: overrideTargets.reason,
      updatedAt: overrideTargets.updatedAt,
      deliverBy: overrideTargets.deliverBy,
      leaseRevision: overrideTargets.leaseRevision,
      releasedAt: overrideTargets.releasedAt,
      releaseOutcome: overrideTargets.releaseOutcome,
    })
    .from(overrideTargets)
    .innerJoin(instances, eq(instances.id, overrideTargets.instance))
    .where(inArray(overrideTargets.override, [...keys]))
    .orderBy(overrideTargets.override, overrideTargets.instance);
}

function withTargets(connection: Connection, rows: readonly Row[]): readonly OverrideRecord[] {
  const targets = new Map<number, OverrideTargetRecord[]>();
  for (const { key } of rows) targets.set(key, []);
  const found = rows.length === 0 ? [] : targetsQuery(connection, [...targets.keys()]).all();
  for (const { override, ...target } of found) targets.get(override)?.push(target);
  return rows.map(({ key, ...row }) => ({ ...row, targets: targets.get(key) ?? [] }));
}

function first(connection: Connection, condition: SQL | undefined): OverrideRecord | null {
  const row = selectOverrides(connection).where(condition).get();
  return row === undefined ? null : (withTargets(connection, [row])[0] ?? null);
}

export function getOverride(connection: Connection, id: string): OverrideRecord | null {
  return first(connection, eq(overrides.uid, id));
}

export function overrideKey(
  { db }: Connection,
  id: string,
): { readonly key: number; readonly endedAt: number | null } | null {
  const { id: key, endedAt } = overrides;
  return db.select({ key, endedAt }).from(overrides).where(eq(overrides.uid, id)).get() ?? null;
}

export function overridesOfCommandQuery(connection: Connection, id: string) {
  return selectOverrides(connection).where(eq(commands.uid, id)).orderBy(overrides.id);
}

export function overridesOfCommand(connection: Connection, id: string): readonly OverrideRecord[] {
  return withTargets(connection, overridesOfCommandQuery(connection, id).all());
}

const INSERT_TARGET = `INSERT INTO override_targets (override, instance, delivery, updated_at)
  SELECT ?, id, 'queued', ? FROM instances WHERE uid = ?`;

/** Called inside the transaction that gives the breaker its new generation. */
export function insertOverride(
  { db, client }: Connection,
  part: {
    readonly command: CommandRecord;
    readonly commandKey: number;
    readonly breaker: number;
    readonly generation: number;
  },
  insert: OverrideInsert,
): void {
  const { command, commandKey, breaker, generation } = part;
  const { id: uid, createdAt, deliverBy, endsAt } = insert;
  const { kind, reason, actor, leaseMs, includeNew } = command;
  const { key } = db
    .insert(overrides)
    .values({
      uid,
      breaker,
      generation,
      kind,
      reason,
      actor,
      createdAt,
      deliverBy,
      leaseMs,
      endsAt,
      includeNew,
      command: commandKey,
      // Repeats are found by the key of the command; this one only has to be its own.
      idempotencyKey: uid,
    })
    .returning({ key: overrides.id })
    .get();
  const target = client.prepare(INSERT_TARGET);
  for (const instanceId of new Set(insert.targetInstanceIds)) {
    if (target.run(key, createdAt, instanceId).changes > 0) continue;
    // Names what is missing.
    requireKey(client, 'instances', instanceId);
  }
}

export function overrideOfGeneration(
  connection: Connection,
  breaker: number,
  generation: number,
): OverrideRecord | null {
  return first(
    connection,
    and(eq(overrides.breaker, breaker), eq(overrides.generation, generation)),
  );
}

export type OverrideFilter = {
  readonly active?: boolean;
  readonly breakerId?: string;
  readonly limit: number;
};

function activity(active: boolean | undefined): SQL | undefined {
  if (active === undefined) return undefined;
  return active ? isNull(overrides.endedAt) : isNotNull(overrides.endedAt);
}

export function overridesQuery(connection: Connection, filter: OverrideFilter) {
  const { active, breakerId, limit } = filter;
  return (
    selectOverrides(connection)
      .where(
        and(breakerId === undefined ? undefined : eq(breakers.uid, breakerId), activity(active)),
      )
      // The plus takes the id from the planner as an order to walk in: few of many are active.
      .orderBy(active === true ? desc(sql`+${overrides.id}`) : desc(overrides.id))
      .limit(limit)
  );
}

/** Newest first. */
export function listOverrides(
  connection: Connection,
  filter: OverrideFilter,
): readonly OverrideRecord[] {
  return withTargets(connection, overridesQuery(connection, filter).all());
}

export function activeOverridesQuery(connection: Connection) {
  return selectOverrides(connection)
    .where(isNull(overrides.endedAt))
    .orderBy(overrides.breaker, overrides.id);
}

export function endedOverridesQuery(connection: Connection, limit: number) {
  return selectOverrides(connection)
    .where(isNotNull(overrides.endedAt))
    .orderBy(desc(overrides.endedAt))
    .limit(limit);
}

/** All that are wanted, and the newest that ended. */
export function overridesAtStart(
  connection: Connection,
  endedLimit: number,
): readonly OverrideRecord[] {
  const rows = [
    ...activeOverridesQuery(connection).all(),
    ...endedOverridesQuery(connection, endedLimit).all(),
  ];
  return withTargets(connection, rows);
}
