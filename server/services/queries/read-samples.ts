import { Aggregator, type InstanceSample } from '@/lib/live/aggregate';
import type { GapSpan } from '@/lib/protocol/views';
import type { SampleRange } from '../../store/port';
import type { Core } from '../core';

const PAGE = 20_000;
/** Beyond this a chart is cut, and says so. */
const MAX_SAMPLES = 400_000;

type Into = { add(row: InstanceSample): unknown };

/**
 * Reads a range page by page, so that a long one does not hold everything in memory at once. Tells
 * how many were read, and from where on none was because there are more than `most`.
 */
export async function readRange(
  core: Core,
  range: Omit<SampleRange, 'limit'>,
  into: Into,
  most = MAX_SAMPLES,
): Promise<{ read: number; cutAt: number | null }> {
  let { from } = range;
  let read = 0;
  while (read < most) {
    // eslint-disable-next-line no-await-in-loop -- each page begins where the last one ended
    const page = await core.store.readSamples({ ...range, from, limit: PAGE });
    const last = page.at(-1);
    const full = page.length === PAGE && last !== undefined && last.at > from;
    for (const row of page) if (!full || row.at < last.at) into.add(row);
    read += page.length;
    if (!full) return { read, cutAt: null };
    // Rows of this instant may go on in the next page, which brings all of them.
    from = last.at;
  }
  return { read, cutAt: from };
}

export async function aggregateRange(
  core: Core,
  range: Omit<SampleRange, 'limit'>,
  resolutionMs: number,
): Promise<{ aggregator: Aggregator; cut: GapSpan | null }> {
  const aggregator = new Aggregator(resolutionMs);
  const { cutAt } = await readRange(core, range, aggregator);
  if (cutAt === null) return { aggregator, cut: null };
  const reason = 'too many samples in the range to show; choose a shorter one';
  return { aggregator, cut: { from: cutAt, to: range.to, instanceId: '', reason, events: 0 } };
}
