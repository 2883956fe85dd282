import type { OverrideRecord } from '../../store/port';
import type { Core } from '../core';
import type { OverrideEntry, OverrideLimits } from '../fleet/entries';

const MINUTE_MS = 60_000;

/**
 * The limits go on from now on the monotonic clock, so that a step of the wall clock moves none of
 * them; those that the record did not change stay where they are.
 */
function limitsOf(core: Core, record: OverrideRecord, known?: OverrideEntry): OverrideLimits {
  const { clock } = core;
  const mono = clock.mono();
  const wall = clock.wall();
  const until = (at: number): number => mono + at - wall;
  const before = new Map(known?.record.targets.map((target) => [target.instanceId, target]));
  const targetsMono = new Map<string, number>();
  for (const { instanceId, deliverBy } of record.targets) {
    if (deliverBy === null) continue;
    const same = before.get(instanceId)?.deliverBy === deliverBy;
    const kept = same ? known?.targetsMono.get(instanceId) : undefined;
    targetsMono.set(instanceId, kept ?? until(deliverBy));
  }
  const sameEnd = known?.record.endsAt === record.endsAt;
  return {
    deliverByMono: known?.deliverByMono ?? until(record.deliverBy),
    endsMono: known !== undefined && sameEnd ? known.endsMono : until(record.endsAt),
    targetsMono,
  };
}

/** Takes a stored override into memory, or what is new about one that is there. */
export function adoptOverride(core: Core, record: OverrideRecord): OverrideEntry {
  const { overrides } = core.fleet;
  return overrides.put(record, limitsOf(core, record, overrides.get(record.id)));
}

/**
 * Shows them everywhere; `wanted` when the set that instances should hold has changed, for all of
 * their targets unless they are named.
 */
export function showOverrides(
  core: Core,
  records: readonly OverrideRecord[],
  wanted?: number,
  changedAt?: readonly string[],
): void {
  const { fleet, feed, bus } = core;
  if (records.length === 0) return;
  for (const record of records) {
    adoptOverride(core, record);
    feed.mark('overrides', record.id, true);
    feed.mark('breakers', record.breakerId, true);
  }
  feed.flushUrgent();
  if (wanted === undefined) return;
  fleet.overrides.desiredRevision = Math.max(fleet.overrides.desiredRevision, wanted);
  const all = () => records.flatMap(({ targets }) => targets.map((target) => target.instanceId));
  const instanceIds = changedAt ?? [...new Set(all())];
  bus.publish({ type: 'desired', instanceIds, revision: wanted });
}

/** Ended ones stay at hand for an hour, for answers that come late. */
export function forgetOldOverrides(core: Core): void {
  const before = core.clock.wall() - 60 * MINUTE_MS;
  for (const { record } of core.fleet.overrides.all()) {
    if (record.endedAt !== null && record.endedAt < before) core.fleet.overrides.forget(record.id);
  }
}
