'use client';

import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import {
  useBreakerList,
  useConnection,
  useFleetSummary,
  useServices,
  useWallNow,
} from '@/lib/client/use-live';
import type { BreakerView } from '@/lib/protocol/views';
import { SkeletonRows } from '../ui/skeleton';
import { attentionOrder } from './attention';
import { breakerPath } from './cells';
import { NoAgents, NoBreakers, NothingMatches, Unreachable } from './empty';
import { matcher, type FleetFilter } from './filter';
import { FleetTable } from './fleet-table';
import styles from './fleet-view.module.css';
import { SummaryStrip } from './summary-strip';
import { Toolbar } from './toolbar';
import { useFilter } from './use-filter';
import { useHeldOrder } from './use-held-order';

const NO_FILTER: FleetFilter = { text: '', state: null, environment: null, service: null };
/** News grow old in steps of this, so that time alone does not sort five thousand rows a second. */
const ORDER_EVERY_MS = 5_000;

const distinct = (names: Iterable<string>) => [...new Set(names)].sort();

function useWantedOrder(list: readonly BreakerView[], filter: FleetFilter, query: string) {
  const now = useWallNow() ?? 0;
  const step = Math.floor(now / ORDER_EVERY_MS) * ORDER_EVERY_MS;
  return useMemo(
    () => attentionOrder(list.filter(matcher(filter)), step),
    // `query` is the filter as one value; the object itself is new on every render.
    // oxlint-disable-next-line react/exhaustive-deps
    [list, query, step],
  );
}

function WhyEmpty() {
  const { status } = useConnection();
  const services = useServices();
  if (status === 'connecting') return <SkeletonRows rows={12} />;
  if (status === 'offline') return <Unreachable />;
  const instances = services.reduce((sum, service) => sum + service.instances.total, 0);
  return instances > 0 ? <NoBreakers instances={instances} /> : <NoAgents />;
}

export function FleetView() {
  const router = useRouter();
  const list = useBreakerList();
  const summary = useFleetSummary();
  const { filter, query, change } = useFilter();
  const wanted = useWantedOrder(list, filter, query);
  const order = useHeldOrder(wanted, query);
  const environments = useMemo(() => distinct(list.map((row) => row.environment)), [list]);
  const services = useMemo(() => distinct(list.map((row) => row.service)), [list]);

  if (list.length === 0) {
    return (
      <div className={styles.view}>
        <h1 className="visually-hidden">Fleet</h1>
        <WhyEmpty />
      </div>
    );
  }
  return (
    <div className={styles.view}>
      <h1 className="visually-hidden">Fleet</h1>
      <SummaryStrip
        summary={summary}
        chosen={filter.state}
        onChoose={(state) => change({ state })}
      />
      <Toolbar
        filter={filter}
        onFilter={change}
        environments={environments}
        services={services}
        shown={order.shown.length}
        total={list.length}
        orderWaits={order.waiting}
        onApplyOrder={order.applyOrder}
      />
      {order.shown.length === 0 ? (
        <NothingMatches total={list.length} onClear={() => change(NO_FILTER)} />
      ) : (
        <FleetTable
          ids={order.shown}
          hand={order.handlers}
          onOpen={(id) => router.push(breakerPath(id))}
        />
      )}
    </div>
  );
}
