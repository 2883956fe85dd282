import { and, eq, isNull } from 'drizzle-orm';
import type { DeliveryUpdate, EndOverride, OverrideRecord } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { increment, readCounter } from './meta';
import { getOverride } from './override-rows';
import { overrides } from './schema';

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

/** A thousand instances answer at once: one prepared statement for all of them. */
const UPDATE_TARGET = `UPDATE override_targets SET delivery = ?, reason = ?, updated_at = ?,
    deliver_by = coalesce(?, deliver_by), lease_revision = coalesce(?, lease_revision)
  WHERE override = (SELECT id FROM overrides WHERE uid = ?)
    AND instance = (SELECT id FROM instances WHERE uid = ?)`;

/** Answers for unknown targets are left out and leave no audit row; gives the overrides that changed. */
export function recordDeliveries(
  connection: Connection,
  updates: readonly DeliveryUpdate[],
): readonly OverrideRecord[] {
  return inTransaction(connection, () => {
    const changed = new Set<string>();
    const updateTarget = connection.client.prepare(UPDATE_TARGET);
    for (const update of updates) {
      const { delivery, reason, at, deliverBy = null, leaseRevision = null } = update;
      const { overrideId, instanceId } = update;
      const values = [delivery, reason, at, deliverBy, leaseRevision, overrideId, instanceId];
      // False for an override or a target that is not known here.
      if (updateTarget.run(...values).changes === 0) continue;
      changed.add(update.overrideId);
      if (update.audit !== null) insertAudit(connection, update.audit);
    }
    return [...changed].flatMap((id) => getOverride(connection, id) ?? []);
  });
}
