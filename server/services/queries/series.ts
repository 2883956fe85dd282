import { pickProbes } from '@/lib/live/pick-probes';
import { pickResolution } from '@/lib/live/resolution';
import type { SeriesQuery } from '@/lib/protocol/api';
import type { GapSpan, HistoryEvent } from '@/lib/protocol/views';
import type { Queries } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { lostSpans, silentSpans } from './gap-spans';
import { aggregateRange } from './read-samples';
import { timesOf } from './times';

const MAX_PROBES = 1_000;
const READ_PROBES = 50_000;
const MAX_EVENTS = 1_000;
const READ_EVENTS = 10_000;
const CHARTED = ['registered', 'transition', 'step', 'hold', 'release', 'override_ended'] as const;
/** Without these the bands behind the charts would be wrong. */
const BANDS: ReadonlySet<string> = new Set(['registered', 'transition', 'override_ended']);

type Range = { readonly breakerId: string; readonly instanceId?: string; from: number; to: number };

function rangeOf(core: Core, breakerId: string, query: SeriesQuery): Range {
  const { instance } = query;
  return {
    breakerId,
    ...(instance === undefined ? {} : { instanceId: instance }),
    ...timesOf(core, query),
  };
}

/** Transitions before steps, newest before older; whatever does not fit is counted. */
async function eventsOf(
  core: Core,
  range: Range,
): Promise<{ events: HistoryEvent[]; eventsLeftOut: number }> {
  const { breakerId, instanceId, from, to } = range;
  const found = await core.store.listHistory({
    breakerId,
    from,
    to,
    types: CHARTED,
    limit: READ_EVENTS,
    ...(instanceId === undefined ? {} : { instanceId }),
  });
  const bands = found.filter((event) => BANDS.has(event.type));
  const others = found.filter((event) => !BANDS.has(event.type));
  const kept = [...bands, ...others].slice(0, MAX_EVENTS);
  const before = (await core.store.lastTransitions(breakerId, from)).filter(
    (event) => instanceId === undefined || event.instanceId === instanceId,
  );
  const events = [...kept, ...before].sort((a, b) => b.at - a.at || b.id - a.id);
  return { events, eventsLeftOut: found.length - kept.length };
}

async function gapsOf(core: Core, range: Range): Promise<GapSpan[]> {
  const { from, to } = range;
  const cells = core.fleet.breakers.get(range.breakerId)?.cells.keys() ?? [];
  const instanceIds = range.instanceId === undefined ? [...cells] : [range.instanceId];
  if (instanceIds.length === 0) return [];
  const now = Math.max(to, core.clock.wall());
  // Up to now: a change after the range tells what was so in it.
  const changes = await core.store.listLiveness(instanceIds, from, now);
  const changed = new Set(changes.map((change) => change.instanceId));
  const silentAllAlong = instanceIds.flatMap((instanceId): GapSpan[] => {
    const record = core.fleet.instances.get(instanceId)?.record;
    if (record === undefined || changed.has(instanceId) || record.liveness === 'live') return [];
    const start = Math.max(from, record.lastSeenAt);
    return start < to ? [{ from: start, to, instanceId, reason: 'not heard', events: 0 }] : [];
  });
  const gaps = await core.store.listGaps(instanceIds, from, to);
  return [...silentSpans(changes, range), ...silentAllAlong, ...lostSpans(gaps)];
}

/** One breaker over a range: points, probes, events, and where something is missing. */
export function createSeries(core: Core): Queries['series'] {
  return async (breakerId, query) => {
    if (!core.fleet.breakers.has(breakerId)) {
      throw new RecloserError('not_found', 'the breaker is not known');
    }
    const range = rangeOf(core, breakerId, query);
    const resolutionMs = pickResolution(range.to - range.from, query.points);
    const { aggregator, cut } = await aggregateRange(core, range, resolutionMs);
    const probes = await core.store.readProbes({ ...range, limit: READ_PROBES });
    const { picked, leftOut } = pickProbes(probes, MAX_PROBES);
    const gaps = await gapsOf(core, range);
    return {
      now: core.clock.wall(),
      from: range.from,
      to: range.to,
      resolutionMs,
      points: aggregator.points(),
      probes: picked,
      probesLeftOut: leftOut,
      ...(await eventsOf(core, range)),
      gaps: cut === null ? gaps : [...gaps, cut],
    };
  };
}
