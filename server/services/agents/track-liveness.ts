import type { Liveness as LivenessState } from '@/lib/protocol/views';
import type { LivenessChange } from '../../store/port';
import type { Core } from '../core';
import type { InstanceEntry } from '../fleet/entries';

const LIVE_MS = 45_000;
const STALE_MS = 300_000;
/** How old the stored and the shown `lastSeenAt` may get while an instance is heard. */
const TOUCH_EVERY_MS = 600_000;
const SHOW_EVERY_MS = 30_000;

export type Liveness = {
  heard(entry: InstanceEntry, receivedAt: number): void;
  goodbye(entry: InstanceEntry): Promise<void>;
  /** After a start nobody has been heard yet, whatever the store says. */
  distrust(): Promise<void>;
  sweep(): Promise<void>;
  touch(entry: InstanceEntry): Promise<void>;
};

/** Stores changes one transaction at a time, then shows them. */
class ChangeLog {
  readonly #core: Core;
  #pending: LivenessChange[] = [];
  #writing: Promise<void> | null = null;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Resolves when it is stored and shown. */
  change(entry: InstanceEntry, to: LivenessState, reason: string): Promise<void> {
    const { id, liveness: from, lastSeenAt } = entry.record;
    if (from !== to) {
      entry.record = { ...entry.record, liveness: to };
      const at = this.#core.clock.wall();
      this.#pending.push({ instanceId: id, from, to, at, lastSeenAt, reason });
    }
    if (this.#pending.length > 0) this.#writing ??= this.#write();
    return this.#writing ?? Promise.resolve();
  }

  async #write(): Promise<void> {
    const { store, log, feed } = this.#core;
    while (this.#pending.length > 0) {
      const changes = this.#pending;
      this.#pending = [];
      try {
        // eslint-disable-next-line no-await-in-loop -- one transaction at a time
        await store.recordLiveness(changes);
      } catch (error) {
        log.error({ err: error, changes: changes.length }, 'liveness changes were not stored');
      }
      // A reconnecting fleet comes back one by one; going silent is what must not wait.
      for (const { instanceId, to } of changes) markInstance(this.#core, instanceId, to !== 'live');
      feed.flushUrgent();
    }
    this.#writing = null;
  }
}

async function touch(core: Core, entry: InstanceEntry): Promise<void> {
  entry.touchedMono = core.clock.mono();
  const { id: instanceId, lastSeenAt, clockOffsetMs } = entry.record;
  try {
    await core.store.touchInstance({ instanceId, lastSeenAt, clockOffsetMs });
  } catch (error) {
    core.log.error({ err: error, instanceId }, 'the last frame of an instance was not stored');
  }
}

function hear(core: Core, changes: ChangeLog, entry: InstanceEntry, receivedAt: number): void {
  const mono = core.clock.mono();
  entry.heardMono = mono;
  entry.record = { ...entry.record, lastSeenAt: Math.max(entry.record.lastSeenAt, receivedAt) };
  if (entry.record.liveness !== 'live') void changes.change(entry, 'live', 'heard');
  if (mono - entry.touchedMono > TOUCH_EVERY_MS) void touch(core, entry);
  if (mono - entry.shownMono > SHOW_EVERY_MS) {
    entry.shownMono = mono;
    core.feed.mark('instances', entry.record.id, false);
  }
}

async function sweep(core: Core, changes: ChangeLog): Promise<void> {
  const mono = core.clock.mono();
  let done: Promise<void> | null = null;
  for (const entry of core.fleet.instances.values()) {
    const silentMs = mono - entry.heardMono;
    const { liveness } = entry.record;
    if (liveness === 'live' && silentMs > LIVE_MS) done = changes.change(entry, 'stale', 'silent');
    if (liveness !== 'offline' && silentMs > STALE_MS) {
      done = changes.change(entry, 'offline', 'silent');
    }
  }
  await done;
}

async function distrust(core: Core, changes: ChangeLog): Promise<void> {
  const mono = core.clock.mono();
  let done: Promise<void> | null = null;
  for (const entry of core.fleet.instances.values()) {
    const { liveness, lastSeenAt } = entry.record;
    const age = Math.max(0, core.clock.wall() - lastSeenAt);
    const gone = age > (liveness === 'live' ? STALE_MS + TOUCH_EVERY_MS : STALE_MS);
    // The stored time of a live one's last frame may be minutes old: how long it is silent is not known.
    entry.heardMono = mono - (liveness === 'live' && !gone ? LIVE_MS : Math.max(LIVE_MS, age));
    if (liveness === 'offline') continue;
    done = changes.change(entry, gone ? 'offline' : 'stale', 'the console was restarted');
  }
  await done;
}

/** Every change is stored, then shown. */
export function createLiveness(core: Core): Liveness {
  const changes = new ChangeLog(core);
  return {
    heard: (entry, receivedAt) => hear(core, changes, entry, receivedAt),
    goodbye: (entry) => changes.change(entry, 'offline', 'goodbye'),
    distrust: () => distrust(core, changes),
    sweep: () => sweep(core, changes),
    touch: (entry) => touch(core, entry),
  };
}

/** An instance's liveness shows in every breaker it takes part in. */
export function markInstance(core: Core, instanceId: string, urgent: boolean): void {
  const { fleet, feed } = core;
  feed.mark('instances', instanceId, urgent);
  const entry = fleet.instances.get(instanceId);
  if (!entry) return;
  feed.mark('services', entry.record.serviceId, false);
  for (const breakerId of entry.cells.keys()) {
    feed.mark('breakers', breakerId, urgent);
    feed.watched(breakerId)?.addRow(instanceId);
  }
  for (const { record } of fleet.overrides.activeOfInstance(instanceId)) {
    feed.mark('overrides', record.id, urgent);
  }
}
