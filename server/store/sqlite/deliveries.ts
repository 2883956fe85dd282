import { and, eq, isNull } from 'drizzle-orm';
import type { DeliveryUpdate, EndOverride, OverrideRecord } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { findKey } from './keys';
import { increment } from './meta';
import { getOverride } from './override-rows';
import { overrides, overrideTargets } from './schema';

/** The first end stands. */
export function endOverride(
  connection: Connection,
  input: EndOverride,
): { readonly override: OverrideRecord; readonly revision: number } | null {
  const { id, at, reason, by } = input;
  return inTransaction(connection, () => {
    const { changes } = connection.db
      .update(overrides)
      .set({ endedAt: at, endReason: reason, endedBy: by })
      .where(and(eq(overrides.uid, id), isNull(overrides.endedAt)))
      .run();
    const override = changes === 0 ? null : getOverride(connection, id);
    if (override === null) return null;
    insertAudit(connection, input.audit);
    return { override, revision: increment(connection, 'desired_revision') };
  });
}

/** False for an override or a target that is not known here. */
function updateTarget({ db, client }: Connection, update: DeliveryUpdate): boolean {
  const instance = findKey(client, 'instances', update.instanceId);
  const override = db
    .select({ key: overrides.id })
    .from(overrides)
    .where(eq(overrides.uid, update.overrideId))
    .get();
  if (instance === null || override === undefined) return false;
  const { delivery, reason, at } = update;
  const { changes } = db
    .update(overrideTargets)
    .set({ delivery, reason, updatedAt: at })
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
