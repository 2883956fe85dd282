import { diffBreaker, sameValue } from '@/lib/live/diff';
import type { LivePatch, LiveSnapshot } from '@/lib/protocol/live-frames';
import type { BreakerView, InstanceView, OverrideView, ServiceView } from '@/lib/protocol/views';
import type { FleetChanges } from '../../bus/port';
import type { Fleet } from '../fleet/fleet';
import { breakerViewOf, instanceViewOf, overrideViewOf, serviceViewOf } from './views';

export type DirtyIds = {
  readonly breakers: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
  readonly overrides: ReadonlySet<string>;
  readonly instances: ReadonlySet<string>;
};

const SHOW_ENDED_MS = 3_600_000;

/** The views as of the last revision, and what turns them into those of the next. */
export class Published {
  readonly breakers = new Map<string, BreakerView>();
  readonly #services = new Map<string, ServiceView>();
  readonly #overrides = new Map<string, OverrideView>();
  readonly #instances = new Map<string, InstanceView>();
  readonly #fleet: Fleet;
  readonly #tokenName: (id: string) => string | null;

  constructor(fleet: Fleet, tokenName: (id: string) => string | null) {
    this.#fleet = fleet;
    this.#tokenName = tokenName;
  }

  /**
   * Brings the views of these ids up to date; only real changes are returned, and the services whose
   * counts a breaker has changed.
   */
  advance(dirty: DirtyIds, now: number): { changes: FleetChanges; touchedServices: Set<string> } {
    const breakers: NonNullable<LivePatch['breakers']> = [];
    const removedBreakers: string[] = [];
    const touchedServices = new Set<string>();
    for (const id of dirty.breakers) {
      const before = this.breakers.get(id);
      const entry = this.#fleet.breakers.get(id);
      const after = entry ? breakerViewOf(this.#fleet, entry, before, now) : null;
      if (after === null) {
        if (this.breakers.delete(id)) removedBreakers.push(id);
      } else {
        const patch = diffBreaker(before, after);
        this.breakers.set(id, after);
        if (patch !== null) breakers.push(patch);
      }
      if (entry && before?.state !== after?.state) touchedServices.add(entry.record.serviceId);
    }
    const { instances, removedInstances } = this.#instanceChanges(dirty.instances);
    const { services, removedServices } = this.#serviceChanges(dirty.services);
    const changes = withoutEmpty({
      breakers,
      removedBreakers,
      services,
      removedServices,
      overrides: this.#overrideChanges(dirty.overrides, now),
      instances,
      removedInstances,
    });
    return { changes, touchedServices };
  }

  snapshot(): Pick<LiveSnapshot, 'breakers' | 'services' | 'overrides' | 'environmentNames'> & {
    instances: InstanceView[];
  } {
    const services = [...this.#services.values()];
    return {
      breakers: [...this.breakers.values()],
      services,
      overrides: [...this.#overrides.values()],
      instances: [...this.#instances.values()],
      environmentNames: [...new Set(services.map((service) => service.environment))].sort(),
    };
  }

  #serviceChanges(ids: ReadonlySet<string>): {
    services: ServiceView[];
    removedServices: string[];
  } {
    const removedServices: string[] = [];
    const services = [...ids].flatMap((id) => {
      const entry = this.#fleet.services.get(id);
      if (!entry) {
        if (this.#services.delete(id)) removedServices.push(id);
        return [];
      }
      const view = serviceViewOf(this.#fleet, entry, (one) => this.breakers.get(one)?.state);
      return this.#replace(this.#services, view);
    });
    return { services, removedServices };
  }

  #overrideChanges(ids: ReadonlySet<string>, now: number): OverrideView[] {
    const changed = [...ids].flatMap((id) => {
      const entry = this.#fleet.overrides.get(id);
      if (!entry) {
        // Its service is gone: readers drop it with that.
        this.#overrides.delete(id);
        return [];
      }
      return this.#replace(this.#overrides, overrideViewOf(this.#fleet, entry.record));
    });
    for (const view of this.#overrides.values()) {
      if (!isShown(view, now)) this.#overrides.delete(view.id);
    }
    return changed.filter((view) => isShown(view, now));
  }

  #instanceChanges(ids: ReadonlySet<string>): {
    instances: InstanceView[];
    removedInstances: string[];
  } {
    const removedInstances: string[] = [];
    const instances = [...ids].flatMap((id) => {
      const entry = this.#fleet.instances.get(id);
      if (entry) return this.#replace(this.#instances, instanceViewOf(entry, this.#tokenName));
      if (this.#instances.delete(id)) removedInstances.push(id);
      return [];
    });
    return { instances, removedInstances };
  }

  #replace<T extends { readonly id: string }>(views: Map<string, T>, view: T): T[] {
    if (sameValue(views.get(view.id), view)) return [];
    views.set(view.id, view);
    return [view];
  }
}

function isShown(override: OverrideView, now: number): boolean {
  return override.endedAt === null || override.endedAt > now - SHOW_ENDED_MS;
}

function withoutEmpty(changes: FleetChanges): FleetChanges {
  return Object.fromEntries(
    Object.entries(changes).filter(([, list]) => Array.isArray(list) && list.length > 0),
  );
}
