import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getTargetSeries } from '@/lib/client/api';
import { liveClient } from '@/lib/client/live';
import { queryKeys } from '@/lib/client/query-keys';
import { useEvery } from '@/lib/client/use-live';
import type { TimeDomain } from '@/lib/series/types';

const EVERY_MS = 5_000;

export type TargetRange = { readonly spanMs: number; readonly past: TimeDomain | null };

/** The last `spanMs` of a target, asked for again every few seconds, or a range that is over. */
export function useTargetSeries(target: string, environment: string | null, range: TargetRange) {
  const { spanMs, past } = range;
  const every = useEvery(EVERY_MS);
  return useQuery({
    queryKey: queryKeys.targetSeries(target, environment, past ?? spanMs),
    queryFn: ({ signal }) => {
      const now = liveClient().serverNow();
      const { from, to } = past ?? { from: now - spanMs, to: now };
      const where = environment === null ? {} : { environment };
      return getTargetSeries({ target, ...where, from, to, points: 300 }, signal);
    },
    placeholderData: keepPreviousData,
    refetchInterval: past === null ? every : false,
  });
}
