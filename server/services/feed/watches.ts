import { instanceDetailId } from '@/lib/protocol/detail-id';
import type { Clock } from '../contract';
import { WatchedBreaker } from './detail';

/** A browser that reconnects within this time finds the detail whole. */
const LINGER_MS = 60_000;

type Watch = { readonly detail: WatchedBreaker; watchers: number; end: { cancel(): void } | null };

/** Which breakers somebody looks at, and of which of them at one instance alone. */
export class Watches {
  readonly #clock: Clock;
  readonly #revision: () => number;
  readonly #watches = new Map<string, Watch>();

  constructor(clock: Clock, revision: () => number) {
    this.#clock = clock;
    this.#revision = revision;
  }

  get(breakerId: string): WatchedBreaker | undefined {
    return this.#watches.get(breakerId)?.detail;
  }

  /** Those that count a sample of this instance. */
  counting(breakerId: string, instanceId: string): WatchedBreaker[] {
    if (this.#watches.size === 0) return [];
    const ids = [breakerId, instanceDetailId(breakerId, instanceId)];
    return ids.flatMap((id) => this.get(id) ?? []);
  }

  entries(): [string, WatchedBreaker][] {
    return [...this.#watches].map(([id, watch]) => [id, watch.detail]);
  }

  /** True when the detail of every one of them has been kept since that revision. */
  cover(breakerIds: Iterable<string>, revision: number): boolean {
    return [...breakerIds].every((id) => {
      const watch = this.#watches.get(id);
      return watch !== undefined && watch.detail.sinceRevision <= revision;
    });
  }

  watch(breakerId: string): () => void {
    const known = this.#watches.get(breakerId);
    const watch = known ?? {
      detail: new WatchedBreaker(breakerId, this.#revision()),
      watchers: 0,
      end: null,
    };
    watch.end?.cancel();
    watch.end = null;
    watch.watchers++;
    this.#watches.set(breakerId, watch);
    let watching = true;
    return () => {
      if (!watching) return;
      watching = false;
      watch.watchers--;
      if (watch.watchers > 0) return;
      watch.end = this.#clock.after(LINGER_MS, () => this.#watches.delete(breakerId));
    };
  }

  stop(): void {
    for (const watch of this.#watches.values()) watch.end?.cancel();
    this.#watches.clear();
  }
}
