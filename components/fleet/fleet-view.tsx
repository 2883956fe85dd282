'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { useBreakerList, useConnection, useServices, useWallNow } from '@/lib/client/use-live';
import { liveClient } from '@/lib/client/live';
import { useTokensQuery } from '@/lib/client/queries';
import { summarize } from '@/lib/client/summary';
import type { BreakerView } from '@/lib/protocol/views';
import { StartSimulator, useMaySimulate } from '../simulator/simulator-actions';
import { SimulatorBar } from '../simulator/simulator-bar';
import { usePagePlace } from '../shell/page-place';
import { SkeletonRows } from '../ui/skeleton';
import { flip, listKey, type FleetAddress } from './address';
import { attentionOrder } from './attention';
import { BulkBar } from './bulk-bar';
import { NoAgents, NoBreakers, NothingMatches, Unreachable } from './empty';
import { matcher, NO_FILTER, toggleState, type StateFilter } from './filter';
import { FleetTable } from './fleet-table';
import styles from './fleet-view.module.css';
import { linesOf } from './groups';
import { breakerPath } from './paths';
import { SummaryStrip } from './summary-strip';
import { Toolbar } from './toolbar';
import { useAddress } from './use-address';
import { useDistinct } from './use-distinct';
import { useHeldOrder } from './use-held-order';
import { useSelection } from './use-selection';
import { useShape } from './use-shape';

/** News grow old in steps of this, so that time alone does not sort five thousand rows a second. */
const ORDER_EVERY_MS = 5_000;
/** The address follows the cursor once it rests. */
const CURSOR_RESTS_MS = 400;

function useWantedOrder(list: readonly BreakerView[], address: FleetAddress) {
  const now = useWallNow() ?? 0;
  const step = Math.floor(now / ORDER_EVERY_MS) * ORDER_EVERY_MS;
  const { filter } = address;
  return useMemo(() => attentionOrder(list, step, matcher(filter)), [list, filter, step]);
}

function WhyEmpty() {
  const { status } = useConnection();
  const services = useServices();
  if (status === 'connecting') return <SkeletonRows rows={12} />;
  if (status === 'offline') return <Unreachable />;
  const instances = services.reduce((sum, service) => sum + service.instances.total, 0);
  return instances > 0 ? <NoBreakers instances={instances} /> : <FirstRun />;
}

function FirstRun() {
  const { data } = useTokensQuery();
  const simulator = useMaySimulate() ? <StartSimulator /> : null;
  return <NoAgents hasToken={(data?.tokens.length ?? 0) > 0} simulator={simulator} />;
}

/** Writes the cursor into the address, but not with every key. */
function useCursorInAddress(change: (part: Partial<FleetAddress>) => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const leave = useCallback(() => clearTimeout(timer.current), []);
  useEffect(() => leave, [leave]);
  const rest = useCallback(
    (key: string) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => change({ at: key }), CURSOR_RESTS_MS);
    },
    [change],
  );
  return { rest, leave };
}

const rowOf = (id: string) => liveClient().store.breaker(id);

function useList(list: readonly BreakerView[], address: FleetAddress) {
  const wanted = useWantedOrder(list, address);
  const order = useHeldOrder(wanted, listKey(address), address.group === null);
  const { frame, setFrame, shape } = useShape(address.layout);
  const { shown } = order;
  const { columns } = shape;
  // Ungrouped lines hang on the order alone; the heads of groups count what is in the rows.
  const counted = address.group === null ? null : list;
  const lines = useMemo(
    () => linesOf(shown, rowOf, { address, columns }),
    // oxlint-disable-next-line react/exhaustive-deps
    [shown, counted, address, columns],
  );
  return { order, frame, setFrame, shape, lines };
}

type Props = { list: readonly BreakerView[]; children?: ReactNode };

/** Figures, choices, and the list that they leave; `children` stand between figures and choices. */
export function Fleet({ list, children }: Props) {
  const router = useRouter();
  const summary = useMemo(() => summarize(list), [list]);
  const { address, change, filterBy } = useAddress();
  const { order, frame, setFrame, shape, lines } = useList(list, address);
  const { selected, selecting } = useSelection(order.shown);
  const cursor = useCursorInAddress(change);
  const { states, environment, service } = address.filter;
  usePagePlace(environment, service);
  const onChoose = useCallback(
    (state: StateFilter) => filterBy({ states: toggleState(states, state) }),
    [filterBy, states],
  );
  return (
    <>
      <SummaryStrip summary={summary} chosen={states} onChoose={onChoose} />
      {children}
      <SimulatorBar list={list} />
      <Toolbar
        address={address}
        onAddress={change}
        onFilter={filterBy}
        environments={useDistinct(list, 'environment')}
        services={useDistinct(list, 'service')}
        shown={order.shown.length}
        total={list.length}
        orderWaits={order.waiting}
        onApplyOrder={order.applyOrder}
      />
      {selected.size > 0 && (
        <BulkBar
          ids={[...selected]}
          onClear={selecting.none}
          onNarrow={() => change({ filter: { ...NO_FILTER, only: [...selected] } })}
        />
      )}
      {order.shown.length === 0 ? (
        <NothingMatches total={list.length} onClear={() => change({ filter: NO_FILTER })} />
      ) : (
        <FleetTable
          lines={lines}
          total={order.shown.length}
          shape={shape}
          frame={frame}
          onFrame={setFrame}
          hand={order.handlers}
          selected={selected}
          selecting={selecting}
          startAt={address.at}
          onCursor={cursor.rest}
          onOpen={(id) => {
            // On a slow line the next page is still coming: writing the address would call it off.
            cursor.leave();
            router.push(breakerPath(id));
          }}
          onFold={(key) => change({ flipped: flip(address.flipped, key) })}
        />
      )}
    </>
  );
}

export function FleetView() {
  const list = useBreakerList();
  return (
    <div className={styles.view}>
      <h1 className="visually-hidden">Fleet</h1>
      {list.length === 0 ? <WhyEmpty /> : <Fleet list={list} />}
    </div>
  );
}
