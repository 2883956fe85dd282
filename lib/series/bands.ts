import { clip } from './domain';
import { byInstance, inOrder, transitionsOf } from './events';
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

/**
 * What one instance was in, over the whole domain, without holes: where its history says nothing
 * the band is `unknown`. A transition names the state before it, so that state reaches back to the
 * instance's registration or to the last loss of events.
 */
export function instanceBands(
  domain: TimeDomain,
  events: readonly EventLike[],
  gaps: readonly GapLike[],
  current: InstanceLike | null,
): Band[] {
  const lost = gaps.filter((gap) => gap.events > 0).sort((a, b) => a.from - b.from);
  const changes = transitionsOf(events);
  const start = inOrder(events).find((event) => event.type === 'registered')?.at ?? -Infinity;
  const end = current === null || current.liveness === 'live' ? domain.to : current.asOf;
  const first = changes[0];
  if (first === undefined) {
    if (current === null) return [{ ...domain, state: UNKNOWN }];
    const from = Math.max(start, current.since ?? -Infinity);
    return fill(domain, between(from, current.state, end, current.state, lost));
  }
  const before = Math.min(start, first.at);
  const spans = between(before, first.from, first.at, first.from, lost);
  changes.forEach((change, index) => {
    const next = changes[index + 1];
    const after = next?.from ?? current?.state ?? change.to;
    spans.push(...between(change.at, change.to, next?.at ?? end, after, lost));
  });
  return fill(domain, spans);
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
    const part = clip(domain, span);
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

/** The worst state over all instances at each moment, or that of the chosen one. */
export function stateBands(domain: TimeDomain, source: BandSource, instanceId?: string): Band[] {
  const events = byInstance(source.events);
  const gaps = byInstance(source.gaps);
  const ids = new Set([
    ...source.instances.map((instance) => instance.instanceId),
    ...events.keys(),
  ]);
  const chosen = instanceId === undefined ? [...ids] : [instanceId];
  const layers = chosen.map((id) =>
    instanceBands(
      domain,
      events.get(id) ?? [],
      gaps.get(id) ?? [],
      source.instances.find((instance) => instance.instanceId === id) ?? null,
    ),
  );
  if (layers.length === 0) return [{ ...domain, state: UNKNOWN }];
  return rollUp(domain, layers);
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

export function stateAt(bands: readonly Band[], at: number): string {
  return bands.find((band) => at >= band.from && at < band.to)?.state ?? UNKNOWN;
}
