import { SPARK_BUCKET_MS } from '@/lib/live/spark';
import type { Core } from '../core';

/** Rates fall and sparklines move on when nothing is reported any more. */
export function createFadeRates(core: Core): () => void {
  const { fleet, feed, clock } = core;
  let bucket = -1;
  return () => {
    const now = clock.wall();
    for (const cell of fleet.busyCells) {
      if (cell.window.prune(now)) {
        feed.mark('breakers', cell.breakerId, false);
        feed.watched(cell.breakerId)?.addRow(cell.instanceId);
      }
      if (cell.window.isEmpty) fleet.busyCells.delete(cell);
    }
    const current = Math.floor(now / SPARK_BUCKET_MS);
    if (current === bucket) return;
    bucket = current;
    for (const breaker of fleet.busySparks) {
      feed.mark('breakers', breaker.record.id, false);
      if (!breaker.spark.hasData(now)) fleet.busySparks.delete(breaker);
    }
  };
}
