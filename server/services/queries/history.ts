import type { HistoryQuery } from '@/lib/protocol/api';
import type { HistoryEvent } from '@/lib/protocol/views';
import type { HistoryPage } from '../../store/port';
import type { Queries } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { searchDown } from './search-down';

const DAY_MS = 86_400_000;

/** Position and not number of rows, so that what arrives while paging shifts nothing. */
const cursorOf = (event: HistoryEvent): string => `${event.at}:${event.id}`;

function parseCursor(text: string): NonNullable<HistoryPage['before']> {
  const [at, id] = text.split(':').map(Number);
  if (at === undefined || id === undefined || !Number.isFinite(at) || !Number.isInteger(id)) {
    throw new RecloserError('invalid_input', 'the cursor is not one of ours');
  }
  return { at, id };
}

function pageOf(breakerId: string, query: HistoryQuery): HistoryPage {
  const { before, limit, from, to, instance, types } = query;
  const wanted = types?.split(',').filter((type) => type !== '');
  return {
    breakerId,
    limit,
    ...(before === undefined ? {} : { before: parseCursor(before) }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(instance === undefined ? {} : { instanceId: instance }),
    ...(wanted === undefined || wanted.length === 0 ? {} : { types: wanted }),
  };
}

/** Rows have ids from 1 on, so this is before all of that instant. */
const atStartOf = (at: number) => ({ at, id: 0 });

function find({ store, clock }: Core, page: HistoryPage): Promise<HistoryEvent[]> {
  const { before, from = 0, to = Infinity, limit } = page;
  const begin = Math.min(before?.at ?? Infinity, to, clock.wall());
  return searchDown(clock, {
    top: begin,
    // Rows of that very instant belong to the range.
    bottom: Math.min(from, begin) - 1,
    width: DAY_MS,
    limit,
    // The first part has no end of its own: a clock may be ahead, and the cursor says more than a time.
    read: (start, end, most) =>
      store.listHistory({
        ...page,
        from: Math.max(start, from),
        ...(end === begin ? {} : { before: atStartOf(end) }),
        limit: most,
      }),
    narrow: 'give a shorter range, or ask for more types of event',
  });
}

export function createHistory(core: Core): Queries['history'] {
  return async (breakerId, query) => {
    if (!core.fleet.breakers.has(breakerId)) {
      throw new RecloserError('not_found', 'the breaker is not known');
    }
    const events = await find(core, pageOf(breakerId, query));
    const last = events.length === query.limit ? events.at(-1) : undefined;
    return { events, next: last === undefined ? null : cursorOf(last) };
  };
}
