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

/** Doublings, not digits: two rows of about the same weight must not trade places all the time. */
const weight = (value: number) => Math.floor(Math.log2(1 + Math.max(0, value)));

/** Higher comes first within a rank. */
function urgency(row: BreakerView, rank: number): number {
  if (rank === RANK.open || rank === RANK.forcedClosed) return weight(row.refusedPerSecond);
  return rank === RANK.failing ? weight(failuresPerSecond(row) * 4) : 0;
}

function byName(a: BreakerView, b: BreakerView): number {
  return (
    a.environment.localeCompare(b.environment) ||
    a.service.localeCompare(b.service) ||
    a.name.localeCompare(b.name) ||
    a.id.localeCompare(b.id)
  );
}

/**
 * The order in which a person should look: forced closed, open, recovering, just changed,
 * failing by traffic × error, stale, then the quiet rest by name.
 */
export function attentionOrder(rows: readonly BreakerView[], now: number): string[] {
  return rows
    .map((row) => {
      const rank = attentionRank(row, now);
      return { row, rank, urgency: urgency(row, rank) };
    })
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        b.urgency - a.urgency ||
        (a.rank === RANK.normal ? 0 : (b.row.since ?? 0) - (a.row.since ?? 0)) ||
        byName(a.row, b.row),
    )
    .map(({ row }) => row.id);
}
