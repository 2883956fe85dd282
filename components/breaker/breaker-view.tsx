'use client';

import { useCallback, useMemo } from 'react';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { QueryState } from '@/components/ui/query-state';
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

const UNKNOWN = (
  <EmptyState
    title="This breaker is not known"
    action={
      <ButtonLink kind="primary" href="/">
        Open the fleet
      </ButtonLink>
    }
  >
    No instance has ever registered it here, or it was archived.
  </EmptyState>
);

export function BreakerView({ id }: { id: string }) {
  const query = useBreakerQuery(id);
  const { refetch } = query;
  const onResync = useCallback(() => void refetch(), [refetch]);
  const detail = useLiveDetail(id, onResync);
  return (
    <QueryState query={query} what="The breaker" rows={10} missing={UNKNOWN}>
      {(body) => <Loaded body={body} detail={detail} />}
    </QueryState>
  );
}
