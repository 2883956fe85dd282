import { countable } from '../protocol/simulated';
import type { BreakerView } from '../protocol/views';

export type FleetSummary = {
  readonly total: number;
  readonly open: number;
  readonly recovering: number;
  readonly forced: number;
  /** Breakers of which no instance is live. */
  readonly stale: number;
  readonly refusedPerSecond: number;
  readonly callsPerSecond: number;
};

export const EMPTY_SUMMARY: FleetSummary = {
  total: 0,
  open: 0,
  recovering: 0,
  forced: 0,
  stale: 0,
  refusedPerSecond: 0,
  callsPerSecond: 0,
};

/**
 * Each breaker counts once; one that nobody speaks for counts as stale, whatever it was. Simulated
 * ones are counted only where there is nothing else.
 */
export function summarize(breakers: readonly BreakerView[]): FleetSummary {
  const sum = { ...EMPTY_SUMMARY };
  for (const row of countable(breakers)) {
    sum.total += 1;
    if (row.instances.live === 0) {
      sum.stale += 1;
      continue;
    }
    if (row.state === 'open') sum.open += 1;
    if (row.state === 'half_open') sum.recovering += 1;
    if (row.state === 'forced_open' || row.state === 'forced_closed') sum.forced += 1;
    sum.refusedPerSecond += row.refusedPerSecond;
    sum.callsPerSecond += row.callsPerSecond;
  }
  return sum;
}
