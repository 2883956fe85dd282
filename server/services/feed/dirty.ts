import type { DirtyIds } from './published';

class Lane implements DirtyIds {
  readonly breakers = new Set<string>();
  readonly services = new Set<string>();
  readonly overrides = new Set<string>();
  readonly instances = new Set<string>();
}

const KINDS = ['breakers', 'services', 'overrides', 'instances'] as const;
type Kind = (typeof KINDS)[number];

/** Ids whose views may have changed, in two lanes: at once, or with the next coalesced flush. */
export class Dirty {
  #urgent = new Lane();
  #lazy = new Lane();

  mark(kind: Kind, id: string, urgent: boolean): void {
    if (urgent) {
      this.#lazy[kind].delete(id);
      this.#urgent[kind].add(id);
    } else if (!this.#urgent[kind].has(id)) {
      this.#lazy[kind].add(id);
    }
  }

  takeUrgent(): DirtyIds {
    const taken = this.#urgent;
    this.#urgent = new Lane();
    return taken;
  }

  takeAll(): DirtyIds {
    const taken = this.takeUrgent();
    for (const kind of KINDS) for (const id of this.#lazy[kind]) (taken as Lane)[kind].add(id);
    this.#lazy = new Lane();
    return taken;
  }
}
