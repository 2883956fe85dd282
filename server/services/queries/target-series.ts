import { pickResolution } from '@/lib/live/resolution';
import { TargetAggregator } from '@/lib/live/target-series';
import type { TargetSeriesQuery } from '@/lib/protocol/api';
import type { Queries } from '../contract';
import type { Core } from '../core';
import { readRange } from './read-samples';
import { timesOf } from './times';

/** Over all breakers of a target together. */
const MAX_SAMPLES = 400_000;

/** Those with the most to tell first, in case that there is too much to read. */
function breakersTo(core: Core, { target, environment }: TargetSeriesQuery): string[] {
  const { breakers, services } = core.fleet;
  return [...breakers.values()]
    .filter(({ record, cells }) => {
      const where = services.get(record.serviceId)?.record.environment;
      const wanted = environment === undefined || where === environment;
      return wanted && record.target === target && cells.size > 0;
    })
    .sort((a, b) => b.cells.size - a.cells.size)
    .map(({ record }) => record.id);
}

/** Sums over every breaker to one target; a target that nobody guards has no points. */
export function createTargetSeries(core: Core): Queries['targetSeries'] {
  return async (query) => {
    const range = timesOf(core, query);
    const resolutionMs = pickResolution(range.to - range.from, query.points);
    const aggregator = new TargetAggregator(resolutionMs);
    const ids = breakersTo(core, query);
    let left = MAX_SAMPLES;
    let breakers = 0;
    for (const breakerId of ids) {
      if (left <= 0) break;
      // One after the other: each reads page by page, and other requests come in between.
      // eslint-disable-next-line no-await-in-loop
      const { read, cutAt } = await readRange(core, { breakerId, ...range }, aggregator, left);
      left -= read;
      // Read in part only: its sums are not whole, and that is said.
      if (cutAt !== null) break;
      breakers += 1;
    }
    return {
      now: core.clock.wall(),
      ...range,
      resolutionMs,
      points: aggregator.points(),
      breakers,
      breakersLeftOut: ids.length - breakers,
    };
  };
}
