import type { OverrideRecord } from '../../store/port';
import type { OverrideEntry, OverrideLimits } from './entries';

/** Overrides that are wanted now and those that ended not long ago, by breaker and by instance. */
export class OverrideBook {
  desiredRevision = 0;
  readonly #entries = new Map<string, OverrideEntry>();
  readonly #byBreaker = new Map<string, Set<string>>();
  readonly #activeByBreaker = new Map<string, Set<string>>();
  readonly #activeByInstance = new Map<string, Set<string>>();

  get(id: string): OverrideEntry | undefined {
    return this.#entries.get(id);
  }

  /** A copy: entries may be forgotten while it is read. */
  all(): OverrideEntry[] {
    return [...this.#entries.values()];
  }

  put(record: OverrideRecord, limits: OverrideLimits): OverrideEntry {
    const entry = { record, ...limits };
    this.#entries.set(record.id, entry);
    add(this.#byBreaker, record.breakerId, record.id);
    const index = record.endedAt === null ? add : remove;
    index(this.#activeByBreaker, record.breakerId, record.id);
    for (const { instanceId, releasedAt } of record.targets) {
      const wanted = record.endedAt === null && releasedAt === null;
      if (wanted) add(this.#activeByInstance, instanceId, record.id);
      else remove(this.#activeByInstance, instanceId, record.id);
    }
    return entry;
  }

  forget(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    remove(this.#byBreaker, entry.record.breakerId, id);
    remove(this.#activeByBreaker, entry.record.breakerId, id);
    for (const { instanceId } of entry.record.targets) {
      remove(this.#activeByInstance, instanceId, id);
    }
  }

  /** Newest first. */
  ofBreaker(breakerId: string): OverrideEntry[] {
    return this.#sorted(this.#byBreaker.get(breakerId)).toReversed();
  }

  activeOfBreaker(breakerId: string): OverrideEntry[] {
    return this.#sorted(this.#activeByBreaker.get(breakerId)).toReversed();
  }

  /** In the order of their generations. */
  activeOfInstance(instanceId: string): OverrideEntry[] {
    return this.#sorted(this.#activeByInstance.get(instanceId));
  }

  #sorted(ids: ReadonlySet<string> | undefined): OverrideEntry[] {
    return [...(ids ?? [])]
      .flatMap((id) => this.#entries.get(id) ?? [])
      .sort((a, b) => a.record.generation - b.record.generation);
  }
}

function add(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  if (ids) ids.add(id);
  else index.set(key, new Set([id]));
}

function remove(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(key);
}
