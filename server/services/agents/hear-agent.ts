import type { Agents } from '../contract';
import type { Core } from '../core';
import { markInstance, type Liveness } from './track-liveness';

/** Any frame is a sign of life; some bring a clock reading. */
export function createHeard(core: Core, liveness: Liveness): Agents['heard'] {
  return (session, receivedAt, clock) => {
    const entry = core.fleet.instances.get(session.instanceId);
    if (!entry) return;
    liveness.heard(entry, receivedAt);
    const connection = core.connections.find(session);
    if (clock === undefined || connection === undefined) return;
    connection.clock.measured(clock.reading, clock.roundTripMs, receivedAt);
    const before = entry.record.clockOffsetMs;
    const { offsetMs } = connection.clock;
    if (offsetMs === before) return;
    entry.record = { ...entry.record, clockOffsetMs: offsetMs };
    core.feed.mark('instances', session.instanceId, false);
    if (before === null) void liveness.touch(entry);
  };
}

/** Only a goodbye is a fact about the instance; a lost connection may be back in a second. */
export function createDisconnected(core: Core, liveness: Liveness): Agents['disconnected'] {
  return async (session, _at, goodbye) => {
    const wasCurrent = core.connections.remove(session);
    const entry = core.fleet.instances.get(session.instanceId);
    if (!entry || !wasCurrent) return;
    entry.epochs.delete(session.epoch);
    markInstance(core, session.instanceId, goodbye);
    if (goodbye && entry.epochs.size === 0) await liveness.goodbye(entry);
    await liveness.touch(entry);
    core.feed.flushUrgent();
  };
}
