import type { OverrideRecord } from '../../store/port';
import type { Core } from '../core';
import type { OverrideEntry } from '../fleet/entries';

const MINUTE_MS = 60_000;

/** Takes a stored override into memory; its limits go on from now on the monotonic clock. */
export function adoptOverride(core: Core, record: OverrideRecord): OverrideEntry {
  const { clock, fleet } = core;
  const mono = clock.mono();
  const wall = clock.wall();
  return fleet.overrides.put(record, {
    deliverByMono: mono + record.deliverBy - wall,
    endsMono: mono + record.endsAt - wall,
  });
}

/** Shows it everywhere; `wanted` when the set that instances should hold has changed. */
export function showOverride(core: Core, record: OverrideRecord, wanted?: number): void {
  const { fleet, feed, bus } = core;
  if (!fleet.overrides.replace(record)) adoptOverride(core, record);
  feed.mark('overrides', record.id, true);
  feed.mark('breakers', record.breakerId, true);
  feed.flushUrgent();
  if (wanted === undefined) return;
  fleet.overrides.desiredRevision = Math.max(fleet.overrides.desiredRevision, wanted);
  const instanceIds = record.targets.map((target) => target.instanceId);
  bus.publish({ type: 'desired', instanceIds, revision: wanted });
}

/** Ended ones stay at hand for an hour, for answers that come late. */
export function forgetOldOverrides(core: Core): void {
  const before = core.clock.wall() - 60 * MINUTE_MS;
  for (const { record } of core.fleet.overrides.all()) {
    if (record.endedAt !== null && record.endedAt < before) core.fleet.overrides.forget(record.id);
  }
}
