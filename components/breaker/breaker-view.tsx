'use client';

import Link from 'next/link';
import { useCallback } from 'react';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ApiError, errorText } from '@/lib/client/api-error';
import { useBreakerQuery } from '@/lib/client/queries';
import { useBreaker, useOverrides } from '@/lib/client/use-live';
import type { BreakerBody } from '@/lib/protocol/api';
import type { BreakerView as Row, OverrideView } from '@/lib/protocol/views';
import { upsert } from '@/lib/series/merge';
import { BreakerPage } from './breaker-page';
import type { LiveDetail } from './live-detail';
import { useLiveDetail } from './use-live-detail';

/** The fetched body with everything that the live side knows better. */
function joined(
  body: BreakerBody,
  row: Row | null,
  detail: LiveDetail,
  overrides: readonly OverrideView[],
): BreakerBody {
  return {
    ...body,
    breaker: row ?? body.breaker,
    instances: [
      ...upsert(
        body.instances,
        detail.instances,
        (one) => one.instanceId,
        () => 0,
      ),
    ].sort((a, b) => a.instance.localeCompare(b.instance)),
    overrides: [
      ...upsert(
        body.overrides,
        overrides.filter((one) => one.breakerId === body.breaker.id),
        (one) => one.id,
        (one) => one.createdAt,
      ),
    ],
  };
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
  const row = useBreaker(id);
  const overrides = useOverrides();
  if (query.data === undefined) {
    if (query.error !== null) return <Problem error={query.error} retry={onResync} />;
    return <SkeletonRows rows={10} />;
  }
  return <BreakerPage body={joined(query.data, row, detail, overrides)} detail={detail} />;
}
