import { and, asc, between, eq, inArray, sql } from 'drizzle-orm';
import type { LivenessChange } from '../port';
import { inTransaction, type Connection } from './connection';
import { requireKey } from './keys';
import { instances, livenessChanges } from './schema';

/** Bound of one answer; a range that holds more is cut at its new end. */
const MAX_ROWS = 10_000;

export function recordLiveness(connection: Connection, changes: readonly LivenessChange[]): void {
  const { db, client } = connection;
  inTransaction(connection, () => {
    for (const { instanceId, ...change } of changes) {
      const instance = requireKey(client, 'instances', instanceId);
      db.insert(livenessChanges)
        .values({ instance, ...change })
        .run();
      db.update(instances)
        .set({
          liveness: change.to,
          lastSeenAt: sql`max(${instances.lastSeenAt}, ${change.lastSeenAt})`,
        })
        .where(eq(instances.id, instance))
        .run();
    }
  });
}

export function livenessQuery(
  { db }: Connection,
  instanceIds: readonly string[],
  from: number,
  to: number,
) {
  return db
    .select({
      id: livenessChanges.id,
      instanceId: instances.uid,
      from: livenessChanges.from,
      to: livenessChanges.to,
      at: livenessChanges.at,
      lastSeenAt: livenessChanges.lastSeenAt,
      reason: livenessChanges.reason,
    })
    .from(livenessChanges)
    .innerJoin(instances, eq(instances.id, livenessChanges.instance))
    .where(and(inArray(instances.uid, [...instanceIds]), between(livenessChanges.at, from, to)))
    .orderBy(asc(livenessChanges.at), asc(livenessChanges.id))
    .limit(MAX_ROWS);
}

export function listLiveness(
  connection: Connection,
  instanceIds: readonly string[],
  from: number,
  to: number,
): readonly (LivenessChange & { readonly id: number })[] {
  return livenessQuery(connection, instanceIds, from, to).all();
}
