import { foldEvent } from '@/lib/live/fold-event';
import type { HistoryEvent } from '@/lib/protocol/views';
import type { RunResult } from '../../store/port';
import type { Agents, AgentSession } from '../contract';
import type { Core } from '../core';
import { adoptBreakers } from './name-breakers';
import { wakeWaiting } from '../overrides/wake-waiting';
import { prepareEvents, type PreparedEvents } from './prepare-events';

/** Marks everything in which one instance's word about one breaker shows. */
export function markWord(core: Core, breakerId: string, instanceId: string, urgent: boolean): void {
  const { feed, fleet } = core;
  feed.mark('breakers', breakerId, urgent);
  for (const { record } of urgent ? fleet.overrides.activeOfBreaker(breakerId) : []) {
    feed.mark('overrides', record.id, true);
  }
  feed.watched(breakerId)?.addRow(instanceId);
}

function tell(
  core: Core,
  session: AgentSession,
  prepared: PreparedEvents,
  row: HistoryEvent,
): void {
  const { fleet, feed } = core;
  if (row.breakerId !== null) feed.watched(row.breakerId)?.addEvent(row);
  const told = prepared.told.get(row.seq);
  if (row.type === 'gap' || told === undefined) return;
  const { breakerId, event, at } = told;
  const { instanceId, epoch } = session;
  const before = fleet.cell(breakerId, instanceId)?.word;
  const cell = fleet.putWord(breakerId, instanceId, foldEvent(before, { event, at, epoch }));
  if (cell === null) return;
  fleet.unsaved.add(cell);
  fleet.changed.add(breakerId);
  if (event.type === 'registered') {
    cell.config = { hash: event.configHash, body: event.config };
    wakeWaiting(core, instanceId, [breakerId]);
  }
  markWord(core, breakerId, instanceId, true);
}

function countOnInstance(core: Core, session: AgentSession, result: RunResult): void {
  const instance = core.fleet.instances.get(session.instanceId);
  if (!instance) return;
  const lost = result.stored
    .filter((row) => row.type === 'gap')
    .reduce((sum, { data }) => sum + Number(data['toSeq']) - Number(data['fromSeq']) + 1, 0);
  if (lost === 0 && result.duplicate === 0) return;
  instance.record = {
    ...instance.record,
    droppedEvents: instance.record.droppedEvents + lost,
    duplicates: instance.record.duplicates + result.duplicate,
  };
  core.feed.mark('instances', session.instanceId, false);
}

/** History: stored once by (run, seq), in order, holes named; answered after the commit. */
export function createIngestEvents(core: Core): Agents['events'] {
  return async (session, events, receivedAt) => {
    const { clock } = core.connections.of(session);
    const prepared = prepareEvents(core, session, clock, events, receivedAt);
    const result = await core.commit.submit(prepared.batch, (stored) => {
      adoptBreakers(core, prepared.batch.breakers);
      for (const row of stored.stored) tell(core, session, prepared, row);
      countOnInstance(core, session, stored);
    });
    return {
      ackedSeq: result.ackedSeq,
      samplesSeq: result.samplesSeq,
      accepted: result.accepted,
      duplicate: result.duplicate + prepared.repeated,
      resendFrom: result.missingFrom ?? prepared.missingFrom,
      ...(prepared.refused.length > 0 ? { refused: prepared.refused } : {}),
    };
  };
}
