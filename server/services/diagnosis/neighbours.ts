import type { Core } from '../core';
import type { BreakerEntry } from '../fleet/entries';

const FRESH_MS = 1_000;

export type Probing = {
  readonly breakerId: string;
  readonly service: string;
  readonly breaker: string;
  readonly halfOpen: number;
};

/** Which breakers probe one target now; counted over the fleet at most once a second. */
export class Neighbours {
  readonly #core: Core;
  #byTarget = new Map<string, Probing[]>();
  #countedMono = -Infinity;

  constructor(core: Core) {
    this.#core = core;
  }

  of(entry: BreakerEntry): readonly Probing[] {
    const now = this.#core.clock.mono();
    if (now - this.#countedMono >= FRESH_MS) {
      this.#byTarget = this.#count();
      this.#countedMono = now;
    }
    return this.#byTarget.get(this.#keyOf(entry)) ?? [];
  }

  #keyOf({ record }: BreakerEntry): string {
    const environment = this.#core.fleet.services.get(record.serviceId)?.record.environment ?? '';
    return JSON.stringify([environment, record.target]);
  }

  #count(): Map<string, Probing[]> {
    const { breakers, instances, services } = this.#core.fleet;
    const found = new Map<string, Probing[]>();
    for (const entry of breakers.values()) {
      let halfOpen = 0;
      for (const { word, instanceId } of entry.cells.values()) {
        const isLive = instances.get(instanceId)?.record.liveness === 'live';
        if (isLive && word.state.state === 'half_open') halfOpen++;
      }
      if (halfOpen === 0) continue;
      const { id, name, serviceId } = entry.record;
      const service = services.get(serviceId)?.record.name ?? '';
      const key = this.#keyOf(entry);
      const list = found.get(key) ?? [];
      list.push({ breakerId: id, service, breaker: name, halfOpen });
      found.set(key, list);
    }
    return found;
  }
}
