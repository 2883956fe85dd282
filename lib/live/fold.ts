import type { BreakerPatch, LiveCursor, LivePatch, LiveSnapshot } from '../protocol/live-frames';
import type { BreakerView, InstanceView, OverrideView, ServiceView } from '../protocol/views';
import { mergeRow, replaceRows, upsertRows } from './share';

/** What a browser holds. Every map and every row keeps its identity while nothing in it changes. */
export type Fleet = {
  readonly serverEpoch: string;
  readonly revision: number;
  readonly environmentNames: readonly string[];
  readonly breakers: ReadonlyMap<string, BreakerView>;
  readonly services: ReadonlyMap<string, ServiceView>;
  readonly overrides: ReadonlyMap<string, OverrideView>;
  readonly instances: ReadonlyMap<string, InstanceView>;
};

export const EMPTY_FLEET: Fleet = {
  serverEpoch: '',
  revision: 0,
  environmentNames: [],
  breakers: new Map(),
  services: new Map(),
  overrides: new Map(),
  instances: new Map(),
};

/** `old`: already covered. `gap`: something was missed, ask again from the cursor. */
export type Folded = { kind: 'applied'; fleet: Fleet } | { kind: 'old' } | { kind: 'gap' };

/** How long an ended override stays in hand, as in a snapshot. */
const ENDED_KEPT_MS = 60 * 60_000;

export function cursorOf(fleet: Fleet): LiveCursor | null {
  return fleet.serverEpoch === ''
    ? null
    : { serverEpoch: fleet.serverEpoch, revision: fleet.revision };
}

export function foldSnapshot(fleet: Fleet, snapshot: LiveSnapshot): Fleet {
  return {
    serverEpoch: snapshot.serverEpoch,
    revision: snapshot.revision,
    environmentNames: snapshot.environmentNames,
    breakers: replaceRows(fleet.breakers, snapshot.breakers),
    services: replaceRows(fleet.services, snapshot.services),
    overrides: replaceRows(fleet.overrides, snapshot.overrides),
    instances: replaceRows(fleet.instances, snapshot.instances ?? []),
  };
}

/** A row that is not known yet must come whole; half a row would be drawn as zeros. */
function isWhole(patch: BreakerPatch): patch is BreakerView {
  return (
    patch.state !== undefined &&
    patch.instances !== undefined &&
    patch.states !== undefined &&
    patch.name !== undefined &&
    patch.spark !== undefined
  );
}

type Breakers = ReadonlyMap<string, BreakerView>;

/** Null when a patch names part of a row that was never received. */
function foldBreakers(breakers: Breakers, patch: LivePatch): Breakers | null {
  let next: Map<string, BreakerView> | null = null;
  for (const change of patch.breakers ?? []) {
    const previous = (next ?? breakers).get(change.id);
    if (!previous && !isWhole(change)) return null;
    // Only what differs from the row is taken, so the cast adds no field that is not a view's.
    const row = previous ? mergeRow(previous, change as Partial<BreakerView>) : change;
    if (row === previous) continue;
    next ??= new Map(breakers);
    next.set(row.id, row as BreakerView);
  }
  for (const id of patch.removedBreakers ?? []) {
    if (!(next ?? breakers).has(id)) continue;
    next ??= new Map(breakers);
    next.delete(id);
  }
  return next ?? breakers;
}

function endedLongAgo(overrides: Fleet['overrides'], now: number): string[] {
  return [...overrides.values()]
    .filter(({ endedAt }) => endedAt !== null && endedAt < now - ENDED_KEPT_MS)
    .map(({ id }) => id);
}

/** Overrides of services that are gone. */
function orphans(overrides: Fleet['overrides'], { services }: Fleet, patch: LivePatch): string[] {
  const gone = (patch.removedServices ?? []).flatMap((id) => services.get(id) ?? []);
  if (gone.length === 0) return [];
  return [...overrides.values()]
    .filter((one) =>
      gone.some(({ environment, name }) => environment === one.environment && name === one.service),
    )
    .map(({ id }) => id);
}

/** Names come with the snapshot; a service that came or went since may bring or take one. */
function environmentsOf(before: Fleet, services: Fleet['services']): readonly string[] {
  if (services.size === before.services.size) return before.environmentNames;
  const names = [...new Set([...services.values()].map((one) => one.environment))].sort();
  return names.join('\n') === before.environmentNames.join('\n') ? before.environmentNames : names;
}

export function foldPatch(fleet: Fleet, patch: LivePatch): Folded {
  if (patch.fromRevision > fleet.revision + 1) return { kind: 'gap' };
  if (patch.toRevision <= fleet.revision) return { kind: 'old' };
  const breakers = foldBreakers(fleet.breakers, patch);
  if (breakers === null) return { kind: 'gap' };
  const overrides = upsertRows(fleet.overrides, patch.overrides);
  const services = upsertRows(fleet.services, patch.services, patch.removedServices);
  const gone = [...endedLongAgo(overrides, patch.now), ...orphans(overrides, fleet, patch)];
  return {
    kind: 'applied',
    fleet: {
      serverEpoch: fleet.serverEpoch,
      revision: patch.toRevision,
      environmentNames: environmentsOf(fleet, services),
      breakers,
      services,
      overrides: upsertRows(overrides, [], gone),
      instances: upsertRows(fleet.instances, patch.instances, patch.removedInstances),
    },
  };
}

/** A heartbeat vouches that everything up to its revision has been sent. */
export function foldHeartbeat(fleet: Fleet, revision: number): Fleet {
  return revision > fleet.revision && fleet.serverEpoch !== '' ? { ...fleet, revision } : fleet;
}
