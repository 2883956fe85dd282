import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { searchNow, writeSearch, type Step } from '@/lib/client/address';
import { isChartId, type ChartId } from '@/components/charts/stack-context';
import type { LatencyAxis } from '@/lib/series/probes';
import type { TimeDomain } from '@/lib/series/types';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const SPANS = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
} as const;
export type Span = keyof typeof SPANS;

const isSpan = (value: string | null): value is Span =>
  value !== null && Object.hasOwn(SPANS, value);

export type View = {
  readonly span: Span;
  /** A fixed range, or null for live. */
  readonly past: TimeDomain | null;
  readonly instance: string | null;
  /** Where the cursor is pinned. */
  readonly at: number | null;
  readonly scale: LatencyAxis['kind'];
  /** The charts that are shown as tables. */
  readonly tables: readonly ChartId[];
};

function instantIn(params: Pick<URLSearchParams, 'get'>, key: string): number | null {
  const text = params.get(key);
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

/** What the URL says; nonsense in it falls back to the last 15 minutes, live. */
export function readView(params: Pick<URLSearchParams, 'get'>): View {
  const span = params.get('range');
  const from = instantIn(params, 'from');
  const to = instantIn(params, 'to');
  return {
    span: isSpan(span) ? span : '15m',
    past: from !== null && to !== null && to > from ? { from, to } : null,
    instance: params.get('instance'),
    at: instantIn(params, 'at'),
    scale: params.get('scale') === 'linear' ? 'linear' : 'log',
    tables: (params.get('tables') ?? '').split(',').filter(isChartId),
  };
}

export type Change = {
  readonly range?: Span;
  readonly past?: TimeDomain | null;
  readonly instance?: string | null;
  readonly at?: number | null;
  readonly scale?: LatencyAxis['kind'];
  readonly tables?: readonly ChartId[];
};

const instantText = (at: number | null) => at && String(Math.round(at));

export function changeQuery(query: string, change: Change): string {
  const next = new URLSearchParams(query);
  const put = (key: string, value: string | number | null | undefined) => {
    if (value === undefined) return;
    if (value === null || value === '') next.delete(key);
    else next.set(key, String(value));
  };
  put('range', change.range);
  put('instance', change.instance);
  put('at', change.at === undefined ? undefined : instantText(change.at));
  put('scale', change.scale === 'log' ? null : change.scale);
  put('tables', change.tables?.join(','));
  if (change.past !== undefined) {
    put('from', change.past && instantText(change.past.from));
    put('to', change.past && instantText(change.past.to));
  }
  return next.toString();
}

/** The view is in the address, so that a link shows the same instants to somebody else. */
export function useView() {
  const params = useSearchParams();
  const query = params.toString();
  const view = useMemo(() => readView(new URLSearchParams(query)), [query]);
  const change = useCallback(
    (next: Change, step?: Step) => writeSearch(changeQuery(searchNow(), next), step),
    [],
  );
  return { view, change };
}
