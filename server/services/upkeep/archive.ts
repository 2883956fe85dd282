import type { Core } from '../core';
import { dropInstance } from '../instances/instances';

const ARCHIVE_AFTER_MS = 24 * 3_600_000;

/** A process that has been gone for a day leaves the lists; its history stays. */
export function createArchive(core: Core): () => Promise<void> {
  const { fleet, feed, clock } = core;
  return async () => {
    const now = clock.wall();
    const ids = await core.store.archiveInstances(now - ARCHIVE_AFTER_MS, now);
    for (const id of ids) {
      const entry = fleet.instances.get(id);
      // The stored time of the last frame may be minutes old.
      if (!entry || entry.record.liveness !== 'offline') continue;
      dropInstance(core, id);
    }
    feed.flushUrgent();
  };
}
