import type { BreakerDetailPatch } from '@/lib/protocol/live-frames';
import type {
  BreakerInstanceView,
  HistoryEvent,
  ProbePoint,
  SeriesPoint,
} from '@/lib/protocol/views';
import { keepFrom, upsert } from '@/lib/series/merge';

/** What the live topic has told since the page was opened or resynchronised. */
export type LiveDetail = {
  readonly instances: readonly BreakerInstanceView[];
  readonly events: readonly HistoryEvent[];
  readonly points: readonly SeriesPoint[];
  readonly probes: readonly ProbePoint[];
};

export const NO_DETAIL: LiveDetail = { instances: [], events: [], points: [], probes: [] };

/** The answer of every minute repeats what is older than this. */
const KEEP_MS = 10 * 60_000;

const at = (item: { readonly at: number }) => item.at;
const id = (item: { readonly id: number }) => item.id;

function newest(detail: LiveDetail): number {
  return Math.max(detail.points.at(-1)?.at ?? 0, detail.events.at(-1)?.at ?? 0);
}

export type DetailAction =
  | { readonly type: 'patch'; readonly patch: BreakerDetailPatch }
  | { readonly type: 'resync' };

/** Keyed upserts: the same patch twice changes nothing. */
export function foldDetail(held: LiveDetail, action: DetailAction): LiveDetail {
  if (action.type === 'resync') return NO_DETAIL;
  const { instances = [], events = [], points = [], probes = [] } = action.patch;
  const next: LiveDetail = {
    instances: upsert(
      held.instances,
      instances,
      (one) => one.instanceId,
      () => 0,
    ),
    events: upsert(held.events, events, id, at),
    points: upsert(held.points, points, at, at),
    probes: upsert(held.probes, probes, id, at),
  };
  const from = newest(next) - KEEP_MS;
  return {
    ...next,
    events: keepFrom(next.events, from, at),
    points: keepFrom(next.points, from, at),
    probes: keepFrom(next.probes, from, at),
  };
}
