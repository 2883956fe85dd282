'use client';

import dynamic from 'next/dynamic';
import { RotateCcw } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { errorText } from '@/lib/client/api-error';
import { useBreakerList, useConnection } from '@/lib/client/use-live';
import type { TargetSeriesBody } from '@/lib/protocol/api';
import { RangePopover } from '../breaker/range-popover';
import { rangeText, SPAN_OPTIONS } from '../breaker/toolbar';
import { SPANS, useView } from '../breaker/use-range';
import { readAddress } from '../fleet/address';
import { Fleet } from '../fleet/fleet-view';
import { usePageTitle } from '../shell/page-title';
import { Button, ButtonLink } from '../ui/button';
import { Callout } from '../ui/callout';
import { EmptyState } from '../ui/empty-state';
import { Segmented } from '../ui/segmented';
import { SkeletonRows } from '../ui/skeleton';
import { useZone } from '../ui/zone-context';
import { Hurting, ProbingNow } from './lists';
import { callersText, pictureOf } from './picture';
import styles from './target.module.css';
import { useTargetSeries } from './use-target-series';

/** Recharts comes with the first chart, not with the fleet. */
const LazyChart = dynamic(() => import('./admitted-chart').then((module) => module.AdmittedChart), {
  ssr: false,
  loading: () => <SkeletonRows rows={4} />,
});

/** Live, or which stretch of the past; in the address, so that a link shows the same instants. */
function RangeChoice({ body }: { body: TargetSeriesBody | undefined }) {
  const { view, change } = useView();
  const zone = useZone();
  const { past, span } = view;
  return (
    <span className={styles.spans}>
      {past !== null && (
        <>
          <span className={styles.past}>{rangeText(past, zone)}</span>
          <Button size="small" icon={<RotateCcw />} onClick={() => change({ past: null })}>
            Back to live
          </Button>
        </>
      )}
      {body !== undefined && (
        <RangePopover
          domain={past ?? { from: body.from, to: body.to }}
          onRange={(range) => change({ past: range }, 'push')}
        />
      )}
      <Segmented
        label="Live range"
        value={past === null ? span : ''}
        options={SPAN_OPTIONS}
        onValue={(range) => change({ range: range === '' ? span : range, past: null })}
      />
    </span>
  );
}

function Admitted({ name, environment }: { name: string; environment: string | null }) {
  const { view } = useView();
  const range = { spanMs: SPANS[view.span], past: view.past };
  const { data, isError, error } = useTargetSeries(name, environment, range);
  return (
    <section className={styles.chart}>
      <RangeChoice body={data} />
      {data !== undefined && <LazyChart body={data} />}
      {data === undefined && !isError && <SkeletonRows rows={4} />}
      {isError && (
        <Callout tone="warning" title="The chart is not up to date">
          {errorText(error)}
          {view.past === null && ' It is asked for again by itself.'}
        </Callout>
      )}
    </section>
  );
}

function Unknown({ name }: { name: string }) {
  const { status } = useConnection();
  if (status === 'connecting') return <SkeletonRows rows={10} />;
  return (
    <EmptyState
      title={`No breaker guards calls to ${name}`}
      action={<ButtonLink href="/?group=target">See all targets</ButtonLink>}
    >
      It may have been spelled otherwise, or the services that call it are gone.
    </EmptyState>
  );
}

/** All breakers to one dependency, over all services that call it. */
export function TargetView({ name }: { name: string }) {
  usePageTitle(name);
  const all = useBreakerList();
  const query = useSearchParams().toString();
  const environment = useMemo(
    () => readAddress(new URLSearchParams(query)).filter.environment,
    [query],
  );
  const rows = useMemo(() => all.filter((row) => row.target === name), [all, name]);
  const here = useMemo(
    () => (environment === null ? rows : rows.filter((row) => row.environment === environment)),
    [rows, environment],
  );
  const picture = useMemo(() => pictureOf(here), [here]);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1 className={styles.title}>
          <bdi>{name}</bdi>
        </h1>
        {here.length > 0 && <p className={styles.callers}>{callersText(here)}</p>}
      </header>
      {rows.length === 0 ? (
        <Unknown name={name} />
      ) : (
        <Fleet list={rows}>
          <div className={styles.pair}>
            <Hurting picture={picture} />
            <ProbingNow picture={picture} />
          </div>
          <Admitted name={name} environment={environment} />
        </Fleet>
      )}
    </div>
  );
}
