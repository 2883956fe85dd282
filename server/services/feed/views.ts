import { isTroubled } from '@/lib/live/badness';
import { failureThreshold } from '@/lib/live/failure-threshold';
import { instanceRow } from '@/lib/live/instance-row';
import { countLiveness, rollUp, type Part } from '@/lib/live/roll-up';
import type {
  BreakerInstanceView,
  BreakerView,
  InstanceView,
  Liveness,
  OverrideView,
  ServiceView,
} from '@/lib/protocol/views';
import type { OverrideRecord } from '../../store/port';
import { currentKinds } from '../diagnosis/current-kinds';
import type { BreakerEntry, Cell, InstanceEntry, ServiceEntry } from '../fleet/entries';
import type { Fleet } from '../fleet/fleet';

function partOf(fleet: Fleet, cell: Cell, now: number): Part {
  const liveness = fleet.instances.get(cell.instanceId)?.record.liveness ?? 'offline';
  return { word: cell.word, liveness, rates: cell.window.sums(now) };
}

function thresholdOf(entry: BreakerEntry): number | null {
  for (const cell of entry.cells.values()) {
    const threshold = cell.config === null ? null : failureThreshold(cell.config.body);
    if (threshold !== null) return threshold;
  }
  return null;
}

function markOf(fleet: Fleet, breakerId: string): BreakerView['override'] {
  const newest = fleet.overrides.activeOfBreaker(breakerId)[0]?.record;
  if (newest === undefined) return null;
  const { id, kind, actor, endsAt } = newest;
  return { id, kind, actor, endsAt };
}

/** Null when no instance that is still listed knows the breaker. */
export function breakerViewOf(
  fleet: Fleet,
  entry: BreakerEntry,
  before: BreakerView | undefined,
  now: number,
): BreakerView | null {
  const service = fleet.services.get(entry.record.serviceId);
  if (service === undefined || entry.cells.size === 0) return null;
  const { id, serviceId, name, target, generation } = entry.record;
  const view = rollUp({
    identity: {
      id,
      environment: service.record.environment,
      service: service.record.name,
      serviceId,
      name,
      target,
      generation,
    },
    parts: [...entry.cells.values()].map((cell) => partOf(fleet, cell, now)),
    override: markOf(fleet, id),
    failureThreshold: thresholdOf(entry),
    spark: entry.spark.read(now),
    before,
    now,
  });
  return { ...view, findings: currentKinds(entry.examined) };
}

export function rowOf(fleet: Fleet, cell: Cell, now: number): BreakerInstanceView {
  const instance = fleet.instances.get(cell.instanceId)?.record;
  const identity = {
    breakerId: cell.breakerId,
    instanceId: cell.instanceId,
    instance: instance?.instance ?? cell.instanceId,
    host: instance?.host ?? null,
  };
  return instanceRow(identity, partOf(fleet, cell, now));
}

export function instanceViewOf(
  entry: InstanceEntry,
  tokenName: (id: string) => string | null,
): InstanceView {
  const { record } = entry;
  const { tokenId, archivedAt: _archived, ...shown } = record;
  return {
    ...shown,
    accepts: { kinds: [...record.accepts.kinds], maxLeaseMs: record.accepts.maxLeaseMs },
    connected: entry.epochs.size > 0,
    tokenName: tokenId === null ? null : tokenName(tokenId),
    duplicateIdentity: entry.epochs.size > 1,
  };
}

/** `stateOf` tells what the screen says about a breaker; undefined for one that is not shown. */
export function serviceViewOf(
  fleet: Fleet,
  entry: ServiceEntry,
  stateOf: (breakerId: string) => BreakerView['state'] | undefined,
): ServiceView {
  const livenesses = [...entry.instances].map(
    (id): Liveness => fleet.instances.get(id)?.record.liveness ?? 'offline',
  );
  const states = [...entry.breakers].flatMap((id) => stateOf(id) ?? []);
  const { id, environment, name, owner, firstSeenAt } = entry.record;
  return {
    id,
    environment,
    name,
    owner,
    instances: countLiveness(livenesses),
    breakers: states.length,
    troubled: states.filter(isTroubled).length,
    firstSeenAt,
  };
}

export function overrideViewOf(fleet: Fleet, record: OverrideRecord): OverrideView {
  const breaker = fleet.breakers.get(record.breakerId)?.record;
  const service = breaker && fleet.services.get(breaker.serviceId)?.record;
  const { targets, endReason, ...rest } = record;
  return {
    ...rest,
    endReason: endReason as OverrideView['endReason'],
    environment: service?.environment ?? '',
    service: service?.name ?? '',
    breaker: breaker?.name ?? record.breakerId,
    targets: targets.map((target) => {
      const instance = fleet.instances.get(target.instanceId)?.record;
      const cell = fleet.cell(record.breakerId, target.instanceId);
      const { deliverBy: _limit, ...told } = target;
      return {
        ...told,
        instance: instance?.instance ?? target.instanceId,
        liveness: instance?.liveness ?? 'offline',
        reportedState: cell?.word.state.state ?? null,
      };
    }),
  };
}
