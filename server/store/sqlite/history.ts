import { and, asc, between, desc, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm';
import type { HistoryEvent } from '@/lib/protocol/views';
import type { HistoryPage } from '../port';
import type { Connection } from './connection';
import { findKey } from './keys';
import { breakers, events, instances, runs } from './schema';
import { lastTransitionIds } from './transition-marks';

/** Bound of one list of gaps; a range that holds more is cut at its new end. */
const MAX_GAPS = 10_000;

const columns = {
  id: events.id,
  breakerId: breakers.uid,
  instanceId: instances.uid,
  instance: instances.instance,
  type: events.type,
  at: events.at,
  agentAt: events.agentAt,
  receivedAt: events.receivedAt,
  run: runs.epoch,
  seq: events.seq,
  data: events.data,
};

type Row = Omit<HistoryEvent, 'data'> & { readonly data: string };

/** Written by this store from parsed frames, so that it is known to be an object. */
function toHistoryEvent(row: Row): HistoryEvent {
  return { ...row, data: JSON.parse(row.data) as HistoryEvent['data'] };
}

function selectEvents({ db }: Connection) {
  return db
    .select(columns)
    .from(events)
    .innerJoin(runs, eq(runs.id, events.run))
    .innerJoin(instances, eq(instances.id, runs.instance))
    .leftJoin(breakers, eq(breakers.id, events.breaker))
    .$dynamic();
}

/** Keeps the planner on the index that starts with the breaker; a join order is not its to choose. */
function ofBreaker({ db }: Connection, breakerId: string): SQL {
  const key = db.select({ id: breakers.id }).from(breakers).where(eq(breakers.uid, breakerId));
  return sql`${events.breaker} = (${key})`;
}

export function historyQuery(connection: Connection, page: HistoryPage) {
  const { before, from, to, instanceId, types } = page;
  const conditions = [
    ofBreaker(connection, page.breakerId),
    before && sql`(${events.at}, ${events.id}) < (${before.at}, ${before.id})`,
    from === undefined ? undefined : gte(events.at, from),
    to === undefined ? undefined : lte(events.at, to),
    instanceId === undefined ? undefined : eq(instances.uid, instanceId),
    types && inArray(events.type, [...types]),
  ];
  return selectEvents(connection)
    .where(and(...conditions))
    .orderBy(desc(events.at), desc(events.id))
    .limit(page.limit);
}

export function listHistory(connection: Connection, page: HistoryPage): readonly HistoryEvent[] {
  return historyQuery(connection, page).all().map(toHistoryEvent);
}

export function gapsQuery(
  connection: Connection,
  instanceIds: readonly string[],
  from: number,
  to: number,
) {
  return selectEvents(connection)
    .where(
      and(
        // Spelled out, not a parameter: the partial index is used only when the text matches.
        sql`${events.type} = 'gap'`,
        inArray(instances.uid, [...instanceIds]),
        between(events.at, from, to),
      ),
    )
    .orderBy(asc(events.at), asc(events.id))
    .limit(MAX_GAPS);
}

export function listGaps(
  connection: Connection,
  instanceIds: readonly string[],
  from: number,
  to: number,
): readonly HistoryEvent[] {
  return gapsQuery(connection, instanceIds, from, to).all().map(toHistoryEvent);
}

/** An instance that started again has several runs: the newest word of any counts. */
export function lastTransitions(
  connection: Connection,
  breakerId: string,
  before: number,
): readonly HistoryEvent[] {
  const breaker = findKey(connection.client, 'breakers', breakerId);
  if (breaker === null) return [];
  const ids = lastTransitionIds(connection.client, breaker, before);
  const newest = new Map<string, Row>();
  for (const row of selectEvents(connection).where(inArray(events.id, ids)).all()) {
    const found = newest.get(row.instanceId);
    const later = !found || row.at > found.at || (row.at === found.at && row.id > found.id);
    if (later) newest.set(row.instanceId, row);
  }
  return [...newest.values()].sort((a, b) => a.at - b.at || a.id - b.id).map(toHistoryEvent);
}
