import type { BreakerDetailPatch, BreakerPatch, LivePatch } from '../protocol/live-frames';

/**
 * Joins neighbouring patches, oldest first: the latest value of each key, every history event.
 * Applying the result is the same as applying them one by one.
 */
export function mergePatches(patches: readonly [LivePatch, ...LivePatch[]]): LivePatch {
  const [first] = patches;
  if (patches.length === 1) return first;
  const last = patches[patches.length - 1] ?? first;
  const breakers = new Keyed<BreakerPatch>(
    (item) => item.id,
    (a, b) => ({ ...a, ...b }),
  );
  const instances = new Keyed<NonNullable<LivePatch['instances']>[number]>((item) => item.id);
  const services = new Keyed<NonNullable<LivePatch['services']>[number]>((item) => item.id);
  const overrides = new Keyed<NonNullable<LivePatch['overrides']>[number]>((item) => item.id);
  const details = new Map<string, Detail>();
  for (const patch of patches) {
    breakers.apply(patch.removedBreakers, patch.breakers);
    instances.apply(patch.removedInstances, patch.instances);
    services.apply(patch.removedServices, patch.services);
    overrides.apply(undefined, patch.overrides);
    for (const [id, detail] of Object.entries(patch.detail ?? {})) {
      const joined = details.get(id) ?? new Detail();
      joined.apply(detail);
      details.set(id, joined);
    }
  }
  return compact({
    type: 'patch',
    fromRevision: first.fromRevision,
    toRevision: last.toRevision,
    now: last.now,
    breakers: breakers.values(),
    removedBreakers: breakers.removed(),
    services: services.values(),
    removedServices: services.removed(),
    overrides: overrides.values(),
    instances: instances.values(),
    removedInstances: instances.removed(),
    detail: Object.fromEntries([...details].map(([id, detail]) => [id, detail.value()])),
  });
}

/** Latest value per key; a key that was removed and came back is a value, not a removal. */
class Keyed<T> {
  readonly #items = new Map<string | number, T>();
  readonly #removed = new Set<string | number>();
  readonly #keyOf: (item: T) => string | number;
  readonly #join: (before: T, after: T) => T;

  constructor(keyOf: (item: T) => string | number, join?: (before: T, after: T) => T) {
    this.#keyOf = keyOf;
    this.#join = join ?? ((_before, after) => after);
  }

  apply(removed: readonly string[] | undefined, items: readonly T[] | undefined): void {
    for (const key of removed ?? []) {
      this.#items.delete(key);
      this.#removed.add(key);
    }
    for (const item of items ?? []) {
      const key = this.#keyOf(item);
      const before = this.#items.get(key);
      this.#items.set(key, before === undefined ? item : this.#join(before, item));
      this.#removed.delete(key);
    }
  }

  values(): T[] {
    return [...this.#items.values()];
  }

  removed(): string[] {
    return [...this.#removed].map(String);
  }
}

class Detail {
  readonly #instances = new Keyed<NonNullable<BreakerDetailPatch['instances']>[number]>(
    (item) => item.instanceId,
  );
  readonly #events = new Keyed<NonNullable<BreakerDetailPatch['events']>[number]>(
    (item) => item.id,
  );
  readonly #points = new Keyed<NonNullable<BreakerDetailPatch['points']>[number]>(
    (item) => item.at,
  );
  readonly #probes = new Keyed<NonNullable<BreakerDetailPatch['probes']>[number]>(
    (item) => item.id,
  );

  apply(detail: BreakerDetailPatch): void {
    this.#instances.apply(undefined, detail.instances);
    this.#events.apply(undefined, detail.events);
    this.#points.apply(undefined, detail.points);
    this.#probes.apply(undefined, detail.probes);
  }

  value(): BreakerDetailPatch {
    return compact({
      instances: this.#instances.values(),
      events: this.#events.values(),
      points: this.#points.values(),
      probes: this.#probes.values(),
    });
  }
}

/** Leaves out empty lists and records. */
function compact<T extends object>(value: T): T {
  const full = Object.entries(value).filter(
    ([, item]) =>
      typeof item !== 'object' || item === null || Object.keys(item as object).length > 0,
  );
  // Only optional members are ever empty lists or records.
  return Object.fromEntries(full) as T;
}
