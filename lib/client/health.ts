import { useQuery } from '@tanstack/react-query';
import { queryKeys } from './query-keys';

/** What `/healthz` says: `degraded` comes with the reason for which nothing can be changed. */
export type ServerHealth = { status: 'ready' | 'starting' | 'degraded'; reason: string | null };

/** Any answer that is not ours says nothing about the store. */
export function readHealth(body: unknown): ServerHealth | null {
  if (typeof body !== 'object' || body === null || !('status' in body)) return null;
  const { status } = body;
  if (status !== 'ready' && status !== 'starting' && status !== 'degraded') return null;
  const reason = 'reason' in body && typeof body.reason === 'string' ? body.reason : null;
  return { status, reason };
}

const EVERY_MS = 15_000;

/** Null while it is not known. A server that does not answer at all has a banner of its own. */
export function useHealth(): ServerHealth | null {
  const { data } = useQuery({
    queryKey: queryKeys.health,
    queryFn: async ({ signal }) => {
      const response = await fetch('/healthz', { signal, cache: 'no-store' });
      return readHealth(await response.json());
    },
    refetchInterval: EVERY_MS,
    retry: false,
  });
  return data ?? null;
}
