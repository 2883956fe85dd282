import { clip } from './domain';
import { byInstance, groupBy, inOrder, transitionsOf, type Transition } from './events';
import type { EventLike, GapLike, InstanceLike, TimeDomain } from './types';

export const UNKNOWN = 'unknown';

export type Band = TimeDomain & { readonly state: string };

/** Worst first. Unknown is last: one silent instance does not hide what the others say. */
const WORST_FIRST = [
  'forced_closed',
  'forced_open',
  'open',
  'half_open',
  'metrics_only',
  'disabled',
  'closed',
];

export function worstState(states: readonly string[]): string {
  return WORST_FIRST.find((state) => states.includes(state)) ?? states[0] ?? UNKNOWN;
}

/** What one start of an instance says, up to the moment at which it was last known. */
type Run = {
  readonly changes: readonly Transition[];
  /** When it is known to have begun; null when that is before the events at hand. */
  readonly startAt: number | null;
  readonly end: number;
  /** What it is in now; null for a run that is over. */
  readonly current: InstanceLike | null;
};

/**
 * What one instance was in, over the whole domain, without holes: where its history says nothing
 * the band is `unknown`. A transition names the state before it, so that state reaches back to the
 * instance's registration or to the last loss of events. A run that was followed by another is
 * known until the silence in which it ended.
 */
export function instanceBands(
  domain: TimeDomain,
  events: readonly EventLike[],
  gaps: readonly GapLike[],
  current: InstanceLike | null,
): Band[] {
  const lost = gaps.filter((gap) => gap.events > 0).sort((a, b) => a.from - b.from);
  const spans = runsOf(domain, events, gaps, current).flatMap((run) =>
    // Two starts speak at once when one identity is used twice: the later one counts.
    runSpans(run, lost).map((span) => ({ ...span, to: Math.min(span.to, run.end) })),
  );
  return fill(domain, spans);
}

function runsOf(
  domain: TimeDomain,
  events: readonly EventLike[],
  gaps: readonly GapLike[],
  current: InstanceLike | null,
): Run[] {
  const groups = [...groupBy(inOrder(events), (event) => event.run ?? '').values()];
  if (groups.length === 0) groups.push([]);
  const silences = gaps.filter((gap) => gap.events === 0).map((gap) => gap.from);
  return groups.map((group, index) => {
    const next = groups[index + 1]?.[0];
    const registered = group.find((event) => event.type === 'registered')?.at ?? null;
    const startAt = index === 0 ? registered : (registered ?? group[0]?.at ?? null);
    const changes = transitionsOf(group);
    if (next === undefined) {
      const silent = current !== null && current.liveness !== 'live';
      return { changes, startAt, end: silent ? current.asOf : domain.to, current };
    }
    const last = group.at(-1)?.at ?? -Infinity;
    const silence = silences.filter((from) => from >= last && from < next.at);
    return { changes, startAt, end: Math.min(next.at, ...silence), current: null };
  });
}

function runSpans({ changes, startAt, end, current }: Run, lost: readonly GapLike[]): Band[] {
  const start = startAt ?? -Infinity;
  const first = changes[0];
  if (first === undefined) {
    // A run that registered and is over without a transition was closed all along.
    if (current === null)
      return startAt === null ? [] : between(start, 'closed', end, 'closed', lost);
    const from = startAt ?? Math.max(start, current.since ?? -Infinity);
    return between(from, current.state, end, current.state, lost);
  }
  const before = Math.min(start, first.at);
  const spans = between(before, first.from, first.at, first.from, lost);
  changes.forEach((change, index) => {
    const next = changes[index + 1];
    const after = next?.from ?? current?.state ?? change.to;
    spans.push(...between(change.at, change.to, next?.at ?? end, after, lost));
  });
  return spans;
}

/**
 * The state between two known instants. When events were lost in between, the earlier word holds
 * up to the loss, the later one from its end, and nothing is known inside.
 */
function between(
  from: number,
  state: string,
  to: number,
  after: string,
  lost: readonly GapLike[],
): Band[] {
  const inside = lost.filter((gap) => gap.from < to && gap.to > from);
  const first = inside[0];
  if (first === undefined) return [{ from, to, state }];
  const lastEnd = inside.reduce((end, gap) => Math.max(end, gap.to), first.to);
  return [
    { from, to: first.from, state },
    { from: lastEnd, to, state: after },
  ].filter((band) => band.to > band.from);
}

function fill(domain: TimeDomain, spans: readonly Band[]): Band[] {
  const bands: Band[] = [];
  let at = domain.from;
  for (const span of spans) {
    const part = at < domain.to ? clip({ from: at, to: domain.to }, span) : null;
    if (part === null) continue;
    if (part.from > at) push(bands, { from: at, to: part.from, state: UNKNOWN });
    push(bands, { ...part, state: span.state });
    at = part.to;
  }
  if (at < domain.to) push(bands, { from: at, to: domain.to, state: UNKNOWN });
  return bands;
}

/** Appends, and joins a band that goes on in the same state. */
function push(bands: Band[], band: Band): void {
  const last = bands.at(-1);
  if (last !== undefined && last.state === band.state && last.to === band.from) {
    bands[bands.length - 1] = { ...last, to: band.to };
    return;
  }
  bands.push(band);
}

export type BandSource = {
  readonly events: readonly EventLike[];
  readonly gaps: readonly GapLike[];
  readonly instances: readonly InstanceLike[];
};

/** One instance over the domain: what it was in, without holes. */
export type Lane = {
  readonly instanceId: string;
  readonly instance: string;
  readonly bands: readonly Band[];
};

/** A lane for every instance that is known or that left a word in the events, in the order of names. */
export function instanceLanes(domain: TimeDomain, source: BandSource, instanceId?: string): Lane[] {
  const events = byInstance(source.events);
  const gaps = byInstance(source.gaps);
  const known = new Map(source.instances.map((instance) => [instance.instanceId, instance]));
  const ids =
    instanceId === undefined ? new Set([...known.keys(), ...events.keys()]) : [instanceId];
  return [...ids]
    .map((id) => {
      const own = events.get(id) ?? [];
      const current = known.get(id) ?? null;
      return {
        instanceId: id,
        instance: current?.instance ?? own[0]?.instance ?? id,
        bands: instanceBands(domain, own, gaps.get(id) ?? [], current),
      };
    })
    .sort((a, b) => BY_NAME.compare(a.instance, b.instance));
}

const BY_NAME = new Intl.Collator('en', { numeric: true });

/** The worst state over all lanes at each moment. */
export function stateBands(domain: TimeDomain, lanes: readonly Lane[]): Band[] {
  if (lanes.length === 0) return [{ ...domain, state: UNKNOWN }];
  return rollUp(
    domain,
    lanes.map((lane) => lane.bands),
  );
}

/** How bad the worst state of a lane was; the first of `WORST_FIRST` weighs most. */
export function laneWeight(lane: Lane): number {
  const ranks = lane.bands.map((band) => WORST_FIRST.indexOf(band.state));
  return Math.max(0, ...ranks.map((rank) => (rank === -1 ? 0 : WORST_FIRST.length - rank)));
}

/** A sweep over the edges of all layers; each layer covers the domain without holes. */
export function rollUp(domain: TimeDomain, layers: readonly (readonly Band[])[]): Band[] {
  const edges = new Set<number>([domain.from]);
  for (const layer of layers) for (const band of layer) edges.add(band.from);
  const sorted = [...edges].sort((a, b) => a - b);
  const cursors = layers.map(() => 0);
  const bands: Band[] = [];
  sorted.forEach((from, index) => {
    const to = sorted[index + 1] ?? domain.to;
    const states = layers.map((layer, at) => stateFrom(layer, cursors, at, from));
    push(bands, { from, to, state: worstState(states) });
  });
  return bands;
}

function stateFrom(layer: readonly Band[], cursors: number[], index: number, at: number): string {
  let cursor = cursors[index] ?? 0;
  while ((layer[cursor + 1]?.from ?? Infinity) <= at) cursor += 1;
  cursors[index] = cursor;
  return layer[cursor]?.state ?? UNKNOWN;
}

/** The very end of the domain belongs to the last band: a cursor rests there. */
export function stateAt(bands: readonly Band[], at: number): string {
  const last = bands.at(-1);
  if (last !== undefined && at === last.to) return last.state;
  return bands.find((band) => at >= band.from && at < band.to)?.state ?? UNKNOWN;
}
