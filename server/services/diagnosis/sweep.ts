import type { Core } from '../core';
import type { BreakerEntry } from '../fleet/entries';
import type { Examine } from './diagnosis';

export const SWEEP_EVERY_MS = 500;
/** With a turn each half second: a fiftieth of one core, and no stall that anybody feels. */
const BUDGET_MS = 10;
const MOST = 200;
/** A breaker that does nothing is looked at this often, one that changed state sooner. */
const QUIET_MS = 60_000;
const CHANGED_MS = 10_000;

const isDue = (entry: BreakerEntry, now: number, afterMs: number): boolean =>
  entry.cells.size > 0 && (entry.examined === null || now - entry.examined.mono >= afterMs);

/** Examines the fleet in small portions: those that changed state first, then round and round. */
export function createSweep(core: Core, examine: Examine): () => Promise<void> {
  const { fleet, clock } = core;
  let round = fleet.breakers.values();

  function nextChanged(now: number): BreakerEntry | null {
    for (const id of fleet.changed) {
      const entry = fleet.breakers.get(id);
      if (entry !== undefined && !isDue(entry, now, CHANGED_MS)) continue;
      fleet.changed.delete(id);
      if (entry !== undefined) return entry;
    }
    return null;
  }

  /** Null when a whole round finds nobody whose time has come. */
  function nextQuiet(now: number): BreakerEntry | null {
    for (let seen = 0; seen <= fleet.breakers.size; seen++) {
      const { value } = round.next();
      if (value === undefined) round = fleet.breakers.values();
      else if (isDue(value, now, QUIET_MS)) return value;
    }
    return null;
  }

  return async () => {
    const startMono = clock.mono();
    for (let done = 0; done < MOST && clock.mono() - startMono < BUDGET_MS; done++) {
      const entry = nextChanged(startMono) ?? nextQuiet(startMono);
      if (entry === null) return;
      // eslint-disable-next-line no-await-in-loop -- one after the other is the point
      await examine(entry);
    }
  };
}
