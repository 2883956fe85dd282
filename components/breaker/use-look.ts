import { useCallback, useMemo } from 'react';
import { CHART_IDS, type ChartId } from '@/components/charts/stack-context';
import { useShortcut } from '@/components/shortcuts/use-shortcut';
import { searchNow } from '@/lib/client/address';
import { moveView, type Move } from '@/lib/series/moves';
import type { LatencyAxis } from '@/lib/series/probes';
import type { TimeDomain } from '@/lib/series/types';
import { chartDomain, viewLimits } from './chart-domain';
import { changeQuery, useView, type Span } from './use-range';

/** What is looked at, and the ways to look at something else. */
export function useLook(now: number) {
  const { view, change } = useView();
  const domain = chartDomain(view, now);
  const { from, to } = viewLimits(domain, now);
  const limits = useMemo(() => ({ from, to }), [from, to]);
  useShortcut('chartTable', () => change({ tables: view.tables.length > 0 ? [] : CHART_IDS }));
  return {
    view,
    now,
    domain,
    limits,
    zoom: useCallback((past: TimeDomain) => change({ past }, 'push'), [change]),
    moved: useCallback((past: TimeDomain) => change({ past }), [change]),
    reset: useCallback(() => change({ past: null }), [change]),
    pin: useCallback((at: number | null) => change({ at }), [change]),
    show: useCallback((tables: readonly ChartId[]) => change({ tables }), [change]),
    choose: useCallback((instance: string | null) => change({ instance }, 'push'), [change]),
    move: (move: Move) => change({ past: moveView(limits, domain, move, view.at ?? undefined) }),
    scale: (scale: LatencyAxis['kind']) => change({ scale }),
    live: (range: Span) => change({ range, past: null }),
  };
}
export type Look = ReturnType<typeof useLook>;

/** The address with the range as instants: a live range would be another one when it is opened. */
export function linkTo({ domain }: Pick<Look, 'domain'>): string {
  const query = changeQuery(searchNow(), { past: domain });
  return `${window.location.origin}${window.location.pathname}?${query}`;
}
