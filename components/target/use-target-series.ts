import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getTargetSeries } from '@/lib/client/api';
import { liveClient } from '@/lib/client/live';
import { queryKeys } from '@/lib/client/query-keys';

const EVERY_MS = 5_000;

/** The last `spanMs` of a target, asked for again every few seconds; null is every environment. */
export const useTargetSeries = (target: string, environment: string | null, spanMs: number) =>
  useQuery({
    queryKey: queryKeys.targetSeries(target, environment, spanMs),
    queryFn: ({ signal }) => {
      const to = liveClient().serverNow();
      const range = { from: to - spanMs, to, points: 300 };
      return getTargetSeries(
        { target, ...(environment === null ? {} : { environment }), ...range },
        signal,
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
