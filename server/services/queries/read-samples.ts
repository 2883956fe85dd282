import { Aggregator } from '@/lib/live/aggregate';
import type { GapSpan } from '@/lib/protocol/views';
import type { SampleRange } from '../../store/port';
import type { Core } from '../core';

const PAGE = 20_000;
/** Beyond this a chart is cut, and says so. */
const MAX_SAMPLES = 400_000;

/** Reads a range page by page, so that a long one does not hold everything in memory at once. */
export async function aggregateRange(
  core: Core,
  range: Omit<SampleRange, 'limit'>,
  resolutionMs: number,
): Promise<{ aggregator: Aggregator; cut: GapSpan | null }> {
  const aggregator = new Aggregator(resolutionMs);
  let { from } = range;
  for (let read = 0; read < MAX_SAMPLES;) {
    // eslint-disable-next-line no-await-in-loop -- each page begins where the last one ended
    const page = await core.store.readSamples({ ...range, from, limit: PAGE });
    const last = page.at(-1);
    const full = page.length === PAGE && last !== undefined && last.at > from;
    for (const row of page) if (!full || row.at < last.at) aggregator.add(row);
    if (!full) return { aggregator, cut: null };
    read += page.length;
    // Rows of this instant may go on in the next page, which brings all of them.
    from = last.at;
  }
  const reason = 'too many samples in the range to show; choose a shorter one';
  return { aggregator, cut: { from, to: range.to, instanceId: '', reason, events: 0 } };
}
