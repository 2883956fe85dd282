'use client';

import Link from 'next/link';
import { useCallback, useMemo } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ApiError, errorText } from '@/lib/client/api-error';
import { useBreakerQuery } from '@/lib/client/queries';
import { useBreaker, useOverrides } from '@/lib/client/use-live';
import type { BreakerBody } from '@/lib/protocol/api';
import { upsert } from '@/lib/series/merge';
import { BreakerPage } from './breaker-page';
import type { LiveDetail } from './live-detail';
import { useLiveDetail } from './use-live-detail';

/**
 * The fetched body with everything that the live side knows better. Each part changes only when it
 * has to: the charts are drawn from them.
 */
function useJoined(body: BreakerBody, id: string, detail: LiveDetail): BreakerBody {
  const row = useBreaker(id);
  const live = useOverrides();
  const instances = useMemo(
    () =>
      upsert(
        body.instances,
        detail.instances,
        (one) => one.instanceId,
        () => 0,
      ).toSorted((a, b) => a.instance.localeCompare(b.instance)),
    [body.instances, detail.instances],
  );
  const overrides = useMemo(
    () => [
      ...upsert(
        body.overrides,
        live.filter((one) => one.breakerId === id),
        (one) => one.id,
        (one) => one.createdAt,
      ),
    ],
    [body.overrides, live, id],
  );
  return { ...body, breaker: row ?? body.breaker, instances, overrides };
}

type LoadedProps = { body: BreakerBody; detail: LiveDetail };

function Loaded({ body, detail }: LoadedProps) {
  return <BreakerPage body={useJoined(body, body.breaker.id, detail)} detail={detail} />;
}

function Problem({ error, retry }: { error: Error; retry: () => void }) {
  if (error instanceof ApiError && error.code === 'not_found') {
    return (
      <EmptyState
        title="This breaker is not known"
        action={<Link href="/">Back to the fleet</Link>}
      >
        No instance has ever registered it here, or it was archived.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="The breaker could not be read"
      action={
        <Button kind="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      {errorText(error)}
    </EmptyState>
  );
}

export function BreakerView({ id }: { id: string }) {
  const query = useBreakerQuery(id);
  const { refetch } = query;
  const onResync = useCallback(() => void refetch(), [refetch]);
  const detail = useLiveDetail(id, onResync);
  if (query.data === undefined) {
    if (query.error !== null) return <Problem error={query.error} retry={onResync} />;
    return <SkeletonRows rows={10} />;
  }
  return <Loaded body={query.data} detail={detail} />;
}
