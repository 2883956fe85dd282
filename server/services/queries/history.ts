import type { HistoryQuery } from '@/lib/protocol/api';
import type { HistoryEvent } from '@/lib/protocol/views';
import type { HistoryPage } from '../../store/port';
import type { Queries } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';

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

export function createHistory(core: Core): Queries['history'] {
  return async (breakerId, query) => {
    if (!core.fleet.breakers.has(breakerId)) {
      throw new RecloserError('not_found', 'the breaker is not known');
    }
    const events = [...(await core.store.listHistory(pageOf(breakerId, query)))];
    const last = events.length === query.limit ? events.at(-1) : undefined;
    return { events, next: last === undefined ? null : cursorOf(last) };
  };
}
