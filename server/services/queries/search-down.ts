/**
 * [S-23] A search from the newest to the oldest, in parts and with a time limit. SQLite cannot be
 * stopped inside a statement by the thread that runs it, so no statement may look at much: each
 * looks at one part, and between two parts others get their turn and the clock is read.
 */
import { setImmediate as letOthers } from 'node:timers/promises';
import type { Clock } from '../contract';
import { RecloserError } from '../errors';

export const SEARCH_LIMIT_MS = 2_000;
/** A part that takes longer is followed by a smaller one; one that is quicker by a larger one. */
const PART_MS = 20;

export type Search<T> = {
  /** Where it begins and where nothing is left, in the key that is searched by; from high to low. */
  readonly top: number;
  readonly bottom: number;
  /** Width of the first part, and of the smallest. */
  readonly width: number;
  readonly limit: number;
  /** Newest first, what is found in [from, upTo). */
  read(from: number, upTo: number, limit: number): Promise<readonly T[]>;
  /** What makes it look at less, as the end of a sentence. */
  readonly narrow: string;
};

export async function searchDown<T>(clock: Pick<Clock, 'mono'>, search: Search<T>): Promise<T[]> {
  const { top, bottom, limit, narrow } = search;
  const began = clock.mono();
  const found: T[] = [];
  let { width } = search;
  for (let upTo = top; upTo > bottom && found.length < limit;) {
    const started = clock.mono();
    if (started - began > SEARCH_LIMIT_MS) {
      throw new RecloserError(
        'invalid_input',
        `The search was stopped after ${SEARCH_LIMIT_MS / 1_000} s. Narrow it: ${narrow}.`,
        { details: { limitMs: SEARCH_LIMIT_MS } },
      );
    }
    const from = Math.max(bottom, upTo - width);
    // eslint-disable-next-line no-await-in-loop -- a part at a time, for as long as is needed
    found.push(...(await search.read(from, upTo, limit - found.length)));
    const took = clock.mono() - started;
    width = took > PART_MS ? Math.max(search.width, width / 2) : width * 2;
    upTo = from;
    // eslint-disable-next-line no-await-in-loop
    if (took > PART_MS / 4) await letOthers();
  }
  return found;
}
