import type { ArgsDef } from 'citty';
import { historyBody } from '@/lib/protocol/api';
import type { HistoryEvent } from '@/lib/protocol/views';
import { createApi, type Api } from '../api';
import { parseDuration } from '../duration';
import { findBreaker, loadFleet } from '../find';
import type { CliIo } from '../io';
import { EXIT, usageProblem, type ExitCode } from '../problem';
import { json, table, utc } from '../text';

const PAGE = 500;

export const historyArgs = {
  breaker: {
    type: 'positional',
    required: true,
    description: 'environment/service/breaker, or its end',
  },
  since: { type: 'string', description: 'how far back, like 2h or 7d', default: '24h' },
  limit: { type: 'string', description: 'at most so many events, newest first', default: '100' },
  types: { type: 'string', description: 'only these, with commas: transition,step,hold' },
  json: { type: 'boolean', description: 'print JSON', default: false },
} as const satisfies ArgsDef;

type Args = {
  readonly breaker: string;
  readonly since: string;
  readonly limit: string;
  readonly types?: string | undefined;
  readonly json: boolean;
};

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100_000) return limit;
  throw usageProblem('--limit must be a whole number from 1 to 100000.');
}

async function readAll(
  api: Api,
  breakerId: string,
  from: number,
  limit: number,
  types: string | undefined,
): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = [];
  let before: string | null = null;
  do {
    const query = new URLSearchParams({
      from: String(from),
      limit: String(Math.min(PAGE, limit - events.length)),
    });
    if (types !== undefined) query.set('types', types);
    if (before !== null) query.set('before', before);
    const path = `/api/breakers/${encodeURIComponent(breakerId)}/history?${query.toString()}`;
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const page = await api.get(path, historyBody);
    events.push(...page.events);
    before = page.next;
  } while (before !== null && events.length < limit);
  return events;
}

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

function rowOf(event: HistoryEvent): string[] {
  const { from, to, cause, reason } = event.data;
  const change = text(to) === '' ? '' : `${text(from)} > ${text(to)}`;
  return [utc(event.at), event.type, change, [text(cause), text(reason)].join(' ').trim()];
}

export async function history(args: Args, io: CliIo): Promise<ExitCode> {
  const limit = limitOf(args.limit);
  const from = io.now() - parseDuration(args.since, '--since');
  const api = createApi(io);
  const breaker = findBreaker(await loadFleet(api), args.breaker);
  const events = await readAll(api, breaker.id, from, limit, args.types);
  if (args.json) io.out(json({ breaker, events }));
  else if (events.length === 0) io.out('No events in that time.');
  else {
    const head = ['AT (UTC)', 'EVENT', 'CHANGE', 'WHY'];
    for (const line of table([head, ...events.map(rowOf)])) io.out(line);
  }
  return EXIT.done;
}
