import { windowMsOf } from '@/lib/diagnosis/settings';
import type { ConfigFact, History, InstanceFact, Neighbour } from '@/lib/diagnosis/types';
import type { LookedAt } from '@/lib/protocol/findings';
import type { HistoryEvent, ProbePoint } from '@/lib/protocol/views';
import type { Core } from '../core';
import type { BreakerEntry, Cell } from '../fleet/entries';
import type { Neighbours } from './neighbours';

const HOUR_MS = 3_600_000;
const EVENTS_MS = 24 * HOUR_MS;
const PROBES_MS = 6 * HOUR_MS;
const MAX_EVENTS = 1_000;
const MAX_PROBES = 5_000;
const MAX_OVERRIDES = 50;
const TYPES = ['transition', 'step', 'hold', 'starved'] as const;
/** What samples of before this start are read back, once. */
const SEED_MS = HOUR_MS / 2;
const MAX_SEED = 20_000;

export type Gathered = { readonly history: History; readonly lookedAt: LookedAt };

function instanceFact(core: Core, cell: Cell): InstanceFact {
  const record = core.fleet.instances.get(cell.instanceId)?.record;
  const { state, since, retryAt, baseline } = cell.word;
  return {
    instanceId: cell.instanceId,
    instance: record?.instance ?? cell.instanceId,
    live: record?.liveness === 'live',
    state: state.state,
    step: state.step,
    hold: state.hold ?? false,
    since,
    retryAt,
    inFlight: state.inFlight,
    configHash: state.configHash,
    baseline:
      baseline === null || baseline === undefined
        ? null
        : { p50: baseline.p50, p99: baseline.p99, samples: baseline.samples },
  };
}

function configsOf(entry: BreakerEntry): ConfigFact[] {
  const byHash = new Map<string, { hash: string; config: ConfigFact['config']; ids: string[] }>();
  for (const { config, instanceId } of entry.cells.values()) {
    if (config === null) continue;
    const known = byHash.get(config.hash);
    if (known) known.ids.push(instanceId);
    else byHash.set(config.hash, { hash: config.hash, config: config.body, ids: [instanceId] });
  }
  return [...byHash.values()].map(({ hash, config, ids }) => ({ hash, config, instanceIds: ids }));
}

/** The newest probes since `from`: the store reads the oldest first, so a full page means later. */
async function probesSince(
  core: Core,
  breakerId: string,
  from: number,
  now: number,
): Promise<{ probes: readonly ProbePoint[]; cut: boolean }> {
  let start = from;
  let cut = false;
  let probes: readonly ProbePoint[] = [];
  for (let reads = 0; reads < 6; reads++) {
    // eslint-disable-next-line no-await-in-loop -- where to begin depends on what was found
    probes = await core.store.readProbes({ breakerId, from: start, to: now, limit: MAX_PROBES });
    if (probes.length < MAX_PROBES) break;
    cut = true;
    start = now - (now - start) / 4;
  }
  return { probes, cut };
}

async function overridesOf(core: Core, breakerId: string): Promise<History['overrides']> {
  // Those that have ended say something only beside one in force.
  if (core.fleet.overrides.activeOfBreaker(breakerId).length === 0) return [];
  return core.store.listOverrides({ breakerId, limit: MAX_OVERRIDES });
}

/** Half-open at any time in the range, or now. */
function hasProbed(entry: BreakerEntry, events: readonly HistoryEvent[]): boolean {
  return (
    events.some(({ data }) => data['to'] === 'half_open') ||
    [...entry.cells.values()].some(({ word }) => word.state.state === 'half_open')
  );
}

function neighboursOf(entry: BreakerEntry, neighbours: Neighbours): Neighbour[] {
  return neighbours
    .of(entry)
    .filter(({ breakerId }) => breakerId !== entry.record.id)
    .map(({ service, breaker, halfOpen }) => ({ service, breaker, halfOpen }));
}

/** Everything that a diagnosis of one breaker rests on; bounded, whatever its history. */
export async function gather(
  core: Core,
  entry: BreakerEntry,
  neighbours: Neighbours,
): Promise<Gathered> {
  const now = core.clock.wall();
  const from = now - EVENTS_MS;
  const { id: breakerId } = entry.record;
  const events = await core.store.listHistory({
    breakerId,
    from,
    to: now,
    types: TYPES,
    limit: MAX_EVENTS,
  });
  const { probes, cut } = hasProbed(entry, events)
    ? await probesSince(core, breakerId, now - PROBES_MS, now)
    : { probes: [], cut: false };
  const spans = entry.tally.spans(now);
  return {
    history: {
      now,
      from,
      events,
      probes,
      spans,
      instances: [...entry.cells.values()].map((cell) => instanceFact(core, cell)),
      configs: configsOf(entry),
      overrides: await overridesOf(core, breakerId),
      neighbours: neighboursOf(entry, neighbours),
    },
    lookedAt: {
      from,
      to: now,
      events: events.length,
      probes: probes.length,
      calls: spans.reduce((sum, { calls }) => sum + calls, 0),
      cut: cut || events.length === MAX_EVENTS,
    },
  };
}

export function windowOf(cell: Cell): number {
  return (cell.config === null ? null : windowMsOf(cell.config.body)) ?? 10_000;
}

/** Samples of before the console started, so that a page opened after a restart is not blind. */
export async function seedTally(core: Core, entry: BreakerEntry): Promise<void> {
  const { tallyFrom } = entry;
  if (tallyFrom === null || entry.isSeeded) return;
  entry.isSeeded = true;
  const { id: breakerId } = entry.record;
  const range = { breakerId, from: tallyFrom - SEED_MS, to: tallyFrom - 1, limit: MAX_SEED };
  for (const { instanceId, at, sample } of await core.store.readSamples(range)) {
    const cell = entry.cells.get(instanceId);
    entry.tally.add(instanceId, at, sample, cell === undefined ? 10_000 : windowOf(cell));
  }
}
