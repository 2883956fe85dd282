import type { BreakerView } from '@/lib/protocol/views';

/** One breaker whose callers do not get what they asked for. */
export type Hurt = {
  readonly row: BreakerView;
  readonly refusedPerSecond: number;
  readonly failingPerSecond: number;
  /** Of all calls that are refused or fail at this target. */
  readonly share: number;
};

/** One breaker that is asking the target how it is. */
export type Probing = { readonly row: BreakerView; readonly instances: number };

export type Picture = {
  readonly hurting: readonly Hurt[];
  readonly probing: readonly Probing[];
  /** Open, the soonest probe first; without a known moment last. */
  readonly waiting: readonly BreakerView[];
  readonly probingInstances: number;
  readonly lostPerSecond: number;
};

/** Fewer than this a second are the noise of a healthy target. */
const NOTABLE_PER_SECOND = 0.05;

const isLive = (row: BreakerView) => row.instances.live > 0;
const failing = (row: BreakerView) => row.callsPerSecond * (row.failureShare ?? 0);
const lost = (row: BreakerView) => row.refusedPerSecond + failing(row);

/** All breakers to one target together: who is hurting, who is probing, who waits to. */
export function pictureOf(rows: readonly BreakerView[]): Picture {
  const live = rows.filter(isLive);
  const lostPerSecond = live.reduce((sum, row) => sum + lost(row), 0);
  const hurting = live
    .filter((row) => lost(row) >= NOTABLE_PER_SECOND)
    .sort((a, b) => lost(b) - lost(a) || a.id.localeCompare(b.id))
    .map((row) => ({
      row,
      refusedPerSecond: row.refusedPerSecond,
      failingPerSecond: failing(row),
      share: lost(row) / lostPerSecond,
    }));
  const probing = live
    .filter((row) => (row.states.half_open ?? 0) > 0)
    .map((row) => ({ row, instances: row.states.half_open ?? 0 }))
    .sort((a, b) => b.instances - a.instances || a.row.id.localeCompare(b.row.id));
  const waiting = live
    .filter((row) => (row.states.open ?? 0) > 0 && row.retryAt !== null)
    .sort((a, b) => (a.retryAt ?? 0) - (b.retryAt ?? 0));
  return {
    hurting,
    probing,
    waiting,
    probingInstances: probing.reduce((sum, { instances }) => sum + instances, 0),
    lostPerSecond,
  };
}

/** "3 services of 2 environments guard it": where it is called from. */
export function callersText(rows: readonly BreakerView[]): string {
  const services = new Set(rows.map(({ serviceId }) => serviceId)).size;
  const environments = new Set(rows.map(({ environment }) => environment)).size;
  const breakers = `${rows.length} ${rows.length === 1 ? 'breaker' : 'breakers'}`;
  const of = `${services} ${services === 1 ? 'service' : 'services'}`;
  return environments > 1
    ? `${breakers} of ${of} in ${environments} environments`
    : `${breakers} of ${of}`;
}
