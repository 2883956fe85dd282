import { useMemo } from 'react';
import type { ChartInput } from '@/components/charts/model';
import { useSeries } from '@/lib/client/queries';
import type { BreakerBody, SeriesBody } from '@/lib/protocol/api';
import { joinBuckets, upsert } from '@/lib/series/merge';
import { regrid } from '@/lib/series/regrid';
import { chartDomain, fetchRange, reachesNow } from './chart-domain';
import type { LiveDetail } from './live-detail';
import { useInstanceDetail } from './use-live-detail';
import type { View } from './use-range';

const byAt = (item: { readonly at: number }) => item.at;
const byId = (item: { readonly id: number }) => item.id;

type Source = {
  body: BreakerBody;
  detail: LiveDetail;
  view: View;
  now: number;
};

/** `points` are the live ones, of all instances together or of the chosen one. */
function joined(
  series: SeriesBody,
  detail: LiveDetail,
  points: LiveDetail['points'],
  live: boolean,
) {
  return {
    points: joinBuckets(series, live ? points : [], regrid),
    probes: upsert(series.probes, live ? detail.probes : [], byId, byAt),
    events: upsert(series.events, live ? detail.events : [], byId, byAt),
  };
}

/** Fetched and live halves as one input for the charts; null until the first answer. */
export function useChartInput({ body, detail, view, now: current }: Source) {
  // A range that is over does not change with the clock, and is not drawn again with it.
  const now = view.past === null ? current : Math.min(current, view.past.to);
  const range = fetchRange(view, now);
  const instance = view.instance ?? undefined;
  const query = useSeries(body.breaker.id, {
    ...range,
    points: 600,
    ...(instance === undefined ? {} : { instance }),
  });
  const own = useInstanceDetail(body.breaker.id, view.instance);
  const points = instance === undefined ? detail.points : own.points;
  const series = query.data;
  const { configs, instances, overrides } = body;
  const input = useMemo((): ChartInput | null => {
    if (series === undefined) return null;
    const config = configs.find((one) => !instance || one.instanceIds.includes(instance));
    return {
      now,
      domain: chartDomain(view, now),
      resolutionMs: series.resolutionMs,
      ...joined(series, detail, points, reachesNow(view, now)),
      probesLeftOut: series.probesLeftOut,
      gaps: series.gaps,
      instances,
      overrides,
      ...(instance === undefined ? {} : { instanceId: instance }),
      config: config?.config ?? null,
      latencyScale: view.scale,
    };
  }, [series, configs, instances, overrides, detail, points, view, now, instance]);
  return { input, query };
}
