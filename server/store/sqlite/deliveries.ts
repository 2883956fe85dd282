import { and, eq, isNull } from 'drizzle-orm';
import type { DeliveryUpdate, EndOverride, OverrideRecord } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { findKey } from './keys';
import { increment, readCounter } from './meta';
import { getOverride, overrideKey } from './override-rows';
import { overrides, overrideTargets } from './schema';

/** The first end stands. */
export function endOverrides(
  connection: Connection,
  inputs: readonly EndOverride[],
): { readonly overrides: readonly OverrideRecord[]; readonly revision: number } {
  return inTransaction(connection, () => {
    const ended = inputs.filter(({ id, at, reason, by, audit }) => {
      const { changes } = connection.db
        .update(overrides)
        .set({ endedAt: at, endReason: reason, endedBy: by })
        .where(and(eq(overrides.uid, id), isNull(overrides.endedAt)))
        .run();
      if (changes > 0) insertAudit(connection, audit);
      return changes > 0;
    });
    return {
      overrides: ended.flatMap(({ id }) => getOverride(connection, id) ?? []),
      revision:
        ended.length > 0
          ? increment(connection, 'desired_revision')
          : readCounter(connection, 'desired_revision'),
    };
  });
}

/** False for an override or a target that is not known here. */
function updateTarget(connection: Connection, update: DeliveryUpdate): boolean {
  const { db, client } = connection;
  const instance = findKey(client, 'instances', update.instanceId);
  const override = overrideKey(connection, update.overrideId);
  if (instance === null || override === null) return false;
  const { delivery, reason, at, deliverBy, leaseRevision } = update;
  const { changes } = db
    .update(overrideTargets)
    .set({
      delivery,
      reason,
      updatedAt: at,
      ...(deliverBy === undefined ? {} : { deliverBy }),
      ...(leaseRevision === undefined ? {} : { leaseRevision }),
    })
    .where(and(eq(overrideTargets.override, override.key), eq(overrideTargets.instance, instance)))
    .run();
  return changes > 0;
}

/** Answers for unknown targets are left out and leave no audit row; gives the overrides that changed. */
export function recordDeliveries(
  connection: Connection,
  updates: readonly DeliveryUpdate[],
): readonly OverrideRecord[] {
  return inTransaction(connection, () => {
    const changed = new Set<string>();
    for (const update of updates) {
      if (!updateTarget(connection, update)) continue;
      changed.add(update.overrideId);
      if (update.audit !== null) insertAudit(connection, update.audit);
    }
    return [...changed].flatMap((id) => getOverride(connection, id) ?? []);
  });
}
