import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import type { TimeDomain } from '@/lib/series/types';

const MINUTE_MS = 60_000;
export const SPANS = { '5m': 5 * MINUTE_MS, '15m': 15 * MINUTE_MS, '1h': 60 * MINUTE_MS } as const;
export type Span = keyof typeof SPANS;

const isSpan = (value: string | null): value is Span =>
  value !== null && Object.hasOwn(SPANS, value);

export type View = {
  readonly span: Span;
  /** A fixed range, or null for live. */
  readonly past: TimeDomain | null;
  readonly instance: string | null;
};

/** What the URL says; nonsense in it falls back to the last 15 minutes, live. */
export function readView(params: Pick<URLSearchParams, 'get'>): View {
  const span = params.get('range');
  const from = Number(params.get('from') ?? Number.NaN);
  const to = Number(params.get('to') ?? Number.NaN);
  const past = Number.isFinite(from) && Number.isFinite(to) && to > from && from >= 0;
  return {
    span: isSpan(span) ? span : '15m',
    past: past ? { from, to } : null,
    instance: params.get('instance'),
  };
}

type Change = {
  readonly range?: Span;
  readonly past?: TimeDomain | null;
  readonly instance?: string | null;
};

export function changeQuery(query: string, change: Change): string {
  const next = new URLSearchParams(query);
  const put = (key: string, value: string | null) =>
    value === null ? next.delete(key) : next.set(key, value);
  if (change.range !== undefined) put('range', change.range);
  if (change.instance !== undefined) put('instance', change.instance);
  if (change.past !== undefined) {
    put('from', change.past && String(Math.round(change.past.from)));
    put('to', change.past && String(Math.round(change.past.to)));
  }
  return next.toString();
}

/** The view is in the address, so that a link shows the same instants to somebody else. */
export function useView() {
  const params = useSearchParams();
  const query = params.toString();
  const view = useMemo(() => readView(new URLSearchParams(query)), [query]);
  const change = useCallback((next: Change) => {
    const url = changeQuery(window.location.search, next);
    // The router follows history; nothing on the server depends on these.
    window.history.replaceState(null, '', url === '' ? window.location.pathname : `?${url}`);
  }, []);
  return { view, change };
}
