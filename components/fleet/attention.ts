import { isSimulated } from '@/lib/protocol/simulated';
import type { BreakerView } from '@/lib/protocol/views';

/** A calm state younger than this is news: somebody may still be watching the recovery. */
const NEW_MS = 60_000;
/** Fewer failed calls a second than this are the noise of a healthy service. */
const NOTABLE_FAILURES_PER_SECOND = 0.2;
const NOTABLE_SHARE = 0.05;

const RANK = { forcedClosed: 0, open: 1, halfOpen: 2, news: 3, failing: 4, stale: 5, normal: 6 };

const failuresPerSecond = (row: BreakerView) => row.callsPerSecond * (row.failureShare ?? 0);

export function attentionRank(row: BreakerView, now: number): number {
  if (row.state === 'forced_closed') return RANK.forcedClosed;
  if (row.instances.live === 0) return RANK.stale;
  if (row.state === 'open' || row.state === 'forced_open') return RANK.open;
  if (row.state === 'half_open') return RANK.halfOpen;
  if (row.since !== null && now - row.since < NEW_MS) return RANK.news;
  const failing =
    (row.failureShare ?? 0) >= NOTABLE_SHARE &&
    failuresPerSecond(row) >= NOTABLE_FAILURES_PER_SECOND;
  return failing ? RANK.failing : RANK.normal;
}

/** Not quiet: a person should know about it. */
export const needsAttention = (row: BreakerView, now: number): boolean =>
  attentionRank(row, now) !== RANK.normal;

/** Doublings, not digits: two rows of about the same weight must not trade places all the time. */
const weight = (value: number) => Math.floor(Math.log2(1 + Math.max(0, value)));

/** Higher comes first within a rank. */
function urgency(row: BreakerView, rank: number): number {
  if (rank === RANK.open || rank === RANK.forcedClosed) return weight(row.refusedPerSecond);
  return rank === RANK.failing ? weight(failuresPerSecond(row) * 4) : 0;
}

const collator = new Intl.Collator('en');

function byName(a: BreakerView, b: BreakerView): number {
  return (
    collator.compare(a.environment, b.environment) ||
    collator.compare(a.service, b.service) ||
    collator.compare(a.name, b.name) ||
    collator.compare(a.id, b.id)
  );
}

const sameName = (a: BreakerView, b: BreakerView) =>
  a === b || (a.environment === b.environment && a.service === b.service && a.name === b.name);

/**
 * The place of every breaker by name. Names hardly ever change and comparing them is what costs:
 * five thousand rows are sorted by name once, and put in order by numbers ten times a second.
 */
class NameOrder {
  #places = new Map<string, number>();
  #sorted: BreakerView[] = [];

  /** The place of each of the rows, in their order. */
  placesOf(rows: readonly BreakerView[]): Int32Array {
    const places = new Int32Array(rows.length);
    for (const [index, row] of rows.entries()) {
      const place = this.#places.get(row.id);
      const named = place === undefined ? undefined : this.#sorted[place];
      if (place === undefined || named === undefined || !sameName(named, row)) {
        this.#sort(rows);
        return this.placesOf(rows);
      }
      places[index] = place;
    }
    if (rows.length === this.#sorted.length) return places;
    this.#sort(rows);
    return this.placesOf(rows);
  }

  idAt(place: number): string | undefined {
    return this.#sorted[place]?.id;
  }

  #sort(rows: readonly BreakerView[]): void {
    this.#sorted = [...rows].sort(byName);
    this.#places = new Map(this.#sorted.map(({ id }, place) => [id, place]));
  }
}

const names = new NameOrder();

type Loud = { id: string; rank: number; urgency: number; since: number; place: number };

const byAttention = (a: Loud, b: Loud) =>
  a.rank - b.rank || b.urgency - a.urgency || b.since - a.since || a.place - b.place;

/**
 * The order in which a person should look: forced closed, open, recovering, just changed,
 * failing by traffic × error, stale, then the quiet rest by name; what is simulated comes after all of
 * them. Only those that match.
 */
export function attentionOrder(
  rows: readonly BreakerView[],
  now: number,
  matches: (row: BreakerView) => boolean = () => true,
): string[] {
  const places = names.placesOf(rows);
  const loud: Loud[] = [];
  const madeUp: Loud[] = [];
  // One mark a place: what is left of the rows comes by name without being sorted.
  const quiet = new Uint8Array(rows.length);
  for (const [index, row] of rows.entries()) {
    if (!matches(row)) continue;
    const rank = attentionRank(row, now);
    const place = places[index] ?? 0;
    const isMadeUp = isSimulated(row);
    if (rank === RANK.normal && !isMadeUp) {
      quiet[place] = 1;
      continue;
    }
    const { id, since } = row;
    const one = { id, rank, urgency: urgency(row, rank), since: since ?? 0, place };
    (isMadeUp ? madeUp : loud).push(one);
  }
  const ids = loud.sort(byAttention).map(({ id }) => id);
  for (const [place, isQuiet] of quiet.entries()) {
    const id = isQuiet === 1 ? names.idAt(place) : undefined;
    if (id !== undefined) ids.push(id);
  }
  for (const { id } of madeUp.sort(byAttention)) ids.push(id);
  return ids;
}
