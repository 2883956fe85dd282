import { desc, eq, sql } from 'drizzle-orm';
import type { ReleaseRecord, StepRelease } from '../command-port';
import type { AuditInsert, OverrideRecord } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { releaseTarget } from './leases';
import { increment } from './meta';
import { getOverride } from './override-rows';
import { releases } from './schema';

const columns = {
  id: releases.uid,
  actor: releases.actor,
  reason: releases.reason,
  createdAt: releases.createdAt,
  overrideIds: releases.overrideIds,
  batchSize: releases.batchSize,
  intervalMs: releases.intervalMs,
  nextAt: releases.nextAt,
  status: releases.status,
  statusAt: releases.statusAt,
  statusBy: releases.statusBy,
  statusReason: releases.statusReason,
};

export function putRelease(
  connection: Connection,
  { id: uid, ...fields }: ReleaseRecord,
  audit: AuditInsert,
): void {
  inTransaction(connection, () => {
    connection.db
      .insert(releases)
      .values({ uid, ...fields })
      .run();
    insertAudit(connection, audit);
  });
}

/** Where the release stands and what was let go are one fact: a restart goes on from exactly here. */
export function stepRelease(
  connection: Connection,
  { release, targets, audit }: StepRelease,
): { readonly overrides: readonly OverrideRecord[]; readonly revision: number } {
  const { id, nextAt, status, statusAt, statusBy, statusReason } = release;
  return inTransaction(connection, () => {
    connection.db
      .update(releases)
      .set({ nextAt, status, statusAt, statusBy, statusReason })
      .where(eq(releases.uid, id))
      .run();
    for (const target of targets) releaseTarget(connection, target);
    if (audit !== null) insertAudit(connection, audit);
    const changed = new Set(targets.map(({ overrideId }) => overrideId));
    return {
      overrides: [...changed].flatMap((one) => getOverride(connection, one) ?? []),
      revision: increment(connection, 'desired_revision'),
    };
  });
}

export function getRelease({ db }: Connection, id: string): ReleaseRecord | null {
  return db.select(columns).from(releases).where(eq(releases.uid, id)).get() ?? null;
}

/** As in the index, without parameters: else the planner cannot know that it fits. */
const OPEN = sql`${releases.status} IN ('running', 'stopped')`;

export type ReleaseFilter = { readonly open?: boolean; readonly limit: number };

export function releasesQuery({ db }: Connection, { open, limit }: ReleaseFilter) {
  return db
    .select(columns)
    .from(releases)
    .where(open === true ? OPEN : undefined)
    .orderBy(open === true ? desc(sql`+${releases.id}`) : desc(releases.id))
    .limit(limit);
}

/** Newest first. */
export function listReleases(
  connection: Connection,
  filter: ReleaseFilter,
): readonly ReleaseRecord[] {
  return releasesQuery(connection, filter).all();
}
