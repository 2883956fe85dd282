import { and, eq, sql } from 'drizzle-orm';
import type { AddTargets, ChangeLease, CommandStore } from '../command-port';
import type { OverrideRecord } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { requireKey } from './keys';
import { increment } from './meta';
import { getOverride, overrideKey } from './override-rows';
import { overrides, overrideTargets } from './schema';

type Changed = Awaited<ReturnType<CommandStore['changeLeases']>>;

function refusal(
  connection: Connection,
  inputs: readonly ChangeLease[],
): Exclude<Changed, { kind: 'changed' }> | null {
  for (const { id, expectedLeaseRevision } of inputs) {
    const override = getOverride(connection, id);
    if (override === null || override.endedAt !== null) return { kind: 'ended', override };
    if (override.leaseRevision !== expectedLeaseRevision) return { kind: 'conflict', override };
  }
  return null;
}

/** All or none: a command whose parts end at different times is not what anybody asked for. */
export function changeLeases(connection: Connection, inputs: readonly ChangeLease[]): Changed {
  return inTransaction(connection, () => {
    const refused = refusal(connection, inputs);
    if (refused !== null) return refused;
    for (const { id, endsAt, leaseMs, audit } of inputs) {
      connection.db
        .update(overrides)
        .set({ endsAt, leaseMs, leaseRevision: sql`${overrides.leaseRevision} + 1` })
        .where(eq(overrides.uid, id))
        .run();
      insertAudit(connection, audit);
    }
    const changed = inputs.flatMap(({ id }) => getOverride(connection, id) ?? []);
    const revision = increment(connection, 'desired_revision');
    return { kind: 'changed', overrides: changed, revision };
  });
}

export function addTargets(
  connection: Connection,
  input: AddTargets,
): { readonly override: OverrideRecord; readonly revision: number } | null {
  const { client, db } = connection;
  const { at: updatedAt, deliverBy } = input;
  return inTransaction(connection, () => {
    const override = overrideKey(connection, input.overrideId);
    if (override === null || override.endedAt !== null) return null;
    for (const instanceId of input.instanceIds) {
      const instance = requireKey(client, 'instances', instanceId);
      db.insert(overrideTargets)
        .values({ override: override.key, instance, updatedAt, deliverBy })
        .onConflictDoNothing()
        .run();
    }
    insertAudit(connection, input.audit);
    const record = getOverride(connection, input.overrideId);
    return record && { override: record, revision: increment(connection, 'desired_revision') };
  });
}

export function releaseTarget(
  { db, client }: Connection,
  target: {
    readonly overrideId: string;
    readonly instanceId: string;
    readonly releasedAt: number;
    readonly outcome: NonNullable<OverrideRecord['targets'][number]['releaseOutcome']>;
  },
): void {
  const { releasedAt, outcome: releaseOutcome } = target;
  const instance = requireKey(client, 'instances', target.instanceId);
  const override = db
    .select({ key: overrides.id })
    .from(overrides)
    .where(eq(overrides.uid, target.overrideId))
    .get();
  if (override === undefined) return;
  db.update(overrideTargets)
    .set({ releasedAt, releaseOutcome })
    .where(and(eq(overrideTargets.override, override.key), eq(overrideTargets.instance, instance)))
    .run();
}
