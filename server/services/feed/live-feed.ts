import { detailTopics, filterPatch } from '@/lib/live/filter-patch';
import { mergePatches } from '@/lib/live/merge-patches';
import type { LivePatch, LiveSnapshot } from '@/lib/protocol/live-frames';
import type { BreakerView } from '@/lib/protocol/views';
import type { Bus, FleetChanges } from '../../bus/port';
import type { Clock, LiveFeed, Logger } from '../contract';
import type { Fleet } from '../fleet/fleet';
import type { WatchedBreaker } from './detail';
import { Dirty } from './dirty';
import { Published } from './published';
import { PatchRing, type RingLimits } from './ring';
import { Watches } from './watches';

/** At most ten coalesced flushes a second. */
const FLUSH_EVERY_MS = 100;
const RING: RingLimits = { revisions: 50_000, ageMs: 600_000, bytes: 64 * 1024 * 1024 };

type FeedDeps = {
  readonly fleet: Fleet;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  readonly serverEpoch: string;
  readonly tokenName: (id: string) => string | null;
  readonly ring?: RingLimits;
};

type MarkKind = Parameters<Dirty['mark']>[0];

/**
 * The revisioned view of the fleet. Services mark what may have changed; a flush compares the views
 * with those of the last revision and publishes the difference. A snapshot is always the state at
 * the last revision, so nothing lies between it and the next patch.
 */
export class Feed implements LiveFeed {
  readonly serverEpoch: string;
  readonly #deps: FeedDeps;
  readonly #published: Published;
  readonly #dirty = new Dirty();
  readonly #ring: PatchRing;
  readonly #watches: Watches;
  readonly #listeners = new Set<(patch: LivePatch) => void>();
  #revision = 0;
  #flushedMono = -Infinity;
  #timer: { cancel(): void } | null = null;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.serverEpoch = deps.serverEpoch;
    this.#published = new Published(deps.fleet, deps.tokenName);
    this.#ring = new PatchRing(deps.ring ?? RING);
    this.#watches = new Watches(deps.clock, () => this.#revision);
  }

  revision(): number {
    return this.#revision;
  }

  snapshot(topics: ReadonlySet<string>): LiveSnapshot {
    const { instances, ...fleet } = this.#published.snapshot();
    const whole = topics.has('fleet');
    const wanted = detailTopics(topics);
    return {
      type: 'snapshot',
      serverEpoch: this.serverEpoch,
      revision: this.#revision,
      now: this.#deps.clock.wall(),
      environmentNames: fleet.environmentNames,
      breakers: whole ? fleet.breakers : fleet.breakers.filter((one) => wanted.has(one.id)),
      services: whole ? fleet.services : [],
      overrides: whole
        ? fleet.overrides
        : fleet.overrides.filter((one) => wanted.has(one.breakerId)),
      ...(topics.has('instances') ? { instances } : {}),
    };
  }

  since(revision: number, topics: ReadonlySet<string>): LivePatch | null | 'lost' {
    if (!Number.isInteger(revision) || revision < 0 || revision > this.#revision) return 'lost';
    if (!this.#watches.cover(detailTopics(topics), revision)) return 'lost';
    if (revision === this.#revision) return null;
    const [first, ...rest] = this.#ring.after(revision) ?? [];
    if (first === undefined) return 'lost';
    return filterPatch(mergePatches([first, ...rest]), topics);
  }

  subscribe(listener: (patch: LivePatch) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  watch(detailId: string): () => void {
    return this.#watches.watch(detailId);
  }

  /** The detail of a breaker when somebody watches it. */
  watched(breakerId: string): WatchedBreaker | undefined {
    return this.#watches.get(breakerId);
  }

  /** The details of a breaker to which a sample of that instance belongs. */
  counting(breakerId: string, instanceId: string): WatchedBreaker[] {
    return this.#watches.counting(breakerId, instanceId);
  }

  /** The view at the last revision; what a fresh view is compared with. */
  published(breakerId: string): BreakerView | undefined {
    return this.#published.breakers.get(breakerId);
  }

  /** Urgent ones wait for the next `flushUrgent`, the others for their neighbours. */
  mark(kind: MarkKind, id: string, urgent: boolean): void {
    this.#dirty.mark(kind, id, urgent);
    if (urgent || this.#timer !== null) return;
    const { clock } = this.#deps;
    const wait = Math.max(0, this.#flushedMono + FLUSH_EVERY_MS - clock.mono());
    this.#timer = clock.after(wait, () => {
      this.#timer = null;
      this.#flushedMono = clock.mono();
      this.#flush(this.#dirty.takeAll(), false);
    });
  }

  /** Publishes what was marked as urgent. */
  flushUrgent(): void {
    this.#flush(this.#dirty.takeUrgent(), true);
  }

  /** Takes over what was loaded at the start, without a revision of its own. */
  prime(): void {
    const now = this.#deps.clock.wall();
    const { touchedServices } = this.#published.advance(this.#dirty.takeAll(), now);
    const services = new Set(touchedServices);
    const none: ReadonlySet<string> = new Set();
    const rest = { breakers: none, overrides: none, instances: none, services };
    this.#published.advance(rest, now);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#watches.stop();
  }

  #flush(dirty: ReturnType<Dirty['takeAll']>, urgent: boolean): void {
    const now = this.#deps.clock.wall();
    const detail = this.#takeDetail(now);
    const { changes: changed, touchedServices } = this.#published.advance(dirty, now);
    // A service is counted over all that it has; that can wait for the next coalesced flush.
    for (const id of touchedServices) this.mark('services', id, false);
    const changes: FleetChanges = { ...changed, ...(detail === null ? {} : { detail }) };
    if (Object.keys(changes).length === 0) return;
    this.#revision++;
    const patch: LivePatch = {
      type: 'patch',
      fromRevision: this.#revision,
      toRevision: this.#revision,
      now,
      ...changes,
    };
    this.#ring.push(patch, this.#deps.clock.mono());
    this.#tell(patch);
    this.#deps.bus.publish({ type: 'fleet', urgent, changes });
  }

  #takeDetail(now: number): NonNullable<LivePatch['detail']> | null {
    const taken = this.#watches.entries().flatMap(([id, watched]) => {
      const detail = watched.take(this.#deps.fleet, now);
      return detail === null ? [] : [[id, detail] as const];
    });
    return taken.length > 0 ? Object.fromEntries(taken) : null;
  }

  #tell(patch: LivePatch): void {
    for (const listener of this.#listeners) {
      try {
        listener(patch);
      } catch (error) {
        this.#deps.log.error({ err: error }, 'a live listener failed');
      }
    }
  }
}
