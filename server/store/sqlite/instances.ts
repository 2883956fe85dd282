import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { AuditInsert, InstanceRecord, RegisterRun } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { instances, services } from './schema';

export const instanceColumns = {
  id: instances.uid,
  serviceId: services.uid,
  instance: instances.instance,
  host: instances.host,
  pid: instances.pid,
  replica: instances.replica,
  version: instances.version,
  sdk: instances.sdk,
  accepts: instances.accepts,
  tokenId: instances.tokenId,
  startedAt: instances.startedAt,
  lastSeenAt: instances.lastSeenAt,
  liveness: instances.liveness,
  clockOffsetMs: instances.clockOffsetMs,
  droppedEvents: instances.droppedEvents,
  droppedSamples: instances.droppedSamples,
  duplicates: instances.duplicates,
  archivedAt: instances.archivedAt,
};

/** Counters, liveness and clock offset of an instance that was here before are kept. */
export function upsertInstance(
  { db }: Connection,
  service: number,
  instance: RegisterRun['instance'],
): number {
  const { id: uid, serviceId: _serviceId, instance: label, ...rest } = instance;
  const { key } = db
    .insert(instances)
    .values({ uid, service, instance: label, ...rest })
    .onConflictDoUpdate({
      target: instances.uid,
      set: {
        ...rest,
        lastSeenAt: sql`max(${instances.lastSeenAt}, ${rest.lastSeenAt})`,
        archivedAt: null,
      },
    })
    .returning({ key: instances.id })
    .get();
  return key;
}

export function readInstance({ db }: Connection, key: number): InstanceRecord | undefined {
  return db
    .select(instanceColumns)
    .from(instances)
    .innerJoin(services, eq(services.id, instances.service))
    .where(eq(instances.id, key))
    .get();
}

export type TouchInstance = {
  readonly instanceId: string;
  readonly lastSeenAt: number;
  readonly clockOffsetMs: number | null;
};

/** An offset that was measured stays until the next measurement. */
export function touchInstance({ db }: Connection, touch: TouchInstance): void {
  db.update(instances)
    .set({
      lastSeenAt: sql`max(${instances.lastSeenAt}, ${touch.lastSeenAt})`,
      ...(touch.clockOffsetMs === null ? {} : { clockOffsetMs: touch.clockOffsetMs }),
    })
    .where(eq(instances.uid, touch.instanceId))
    .run();
}

/** Offline instances that were last heard before then; gives their ids. */
export function archiveInstances(
  { db }: Connection,
  before: number,
  at: number,
): readonly string[] {
  return db
    .update(instances)
    .set({ archivedAt: at })
    .where(
      and(
        isNull(instances.archivedAt),
        lt(instances.lastSeenAt, before),
        eq(instances.liveness, 'offline'),
      ),
    )
    .returning({ id: instances.uid })
    .all()
    .map((row) => row.id);
}

/** By a person, who is named in the row; the lists forget it, the history does not. */
export function removeInstance(
  connection: Connection,
  id: string,
  at: number,
  audit: AuditInsert,
): boolean {
  return inTransaction(connection, () => {
    const { changes } = connection.db
      .update(instances)
      .set({ archivedAt: at })
      .where(
        and(eq(instances.uid, id), isNull(instances.archivedAt), eq(instances.liveness, 'offline')),
      )
      .run();
    if (changes === 0) return false;
    insertAudit(connection, audit);
    return true;
  });
}
