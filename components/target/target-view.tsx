'use client';

import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { changeAddress } from '@/lib/client/address';
import { errorText } from '@/lib/client/api-error';
import { useBreakerList, useConnection } from '@/lib/client/use-live';
import { readAddress } from '../fleet/address';
import { Fleet } from '../fleet/fleet-view';
import { usePageTitle } from '../shell/page-title';
import { ButtonLink } from '../ui/button';
import { Callout } from '../ui/callout';
import { EmptyState } from '../ui/empty-state';
import { Segmented } from '../ui/segmented';
import { SkeletonRows } from '../ui/skeleton';
import { Hurting, ProbingNow } from './lists';
import { callersText, pictureOf } from './picture';
import styles from './target.module.css';
import { useTargetSeries } from './use-target-series';

const MINUTE_MS = 60_000;
const SPANS = [
  { value: '5m', label: '5 min', ms: 5 * MINUTE_MS },
  { value: '15m', label: '15 min', ms: 15 * MINUTE_MS },
  { value: '1h', label: '1 h', ms: 60 * MINUTE_MS },
];

/** Recharts comes with the first chart, not with the fleet. */
const LazyChart = dynamic(() => import('./admitted-chart').then((module) => module.AdmittedChart), {
  ssr: false,
  loading: () => <SkeletonRows rows={4} />,
});

function Admitted({ name, environment }: { name: string; environment: string | null }) {
  const asked = useSearchParams().get('range');
  const span = SPANS.find(({ value }) => value === asked) ?? SPANS[1];
  const { data, isError, error } = useTargetSeries(name, environment, span?.ms ?? 15 * MINUTE_MS);
  return (
    <section className={styles.chart}>
      <span className={styles.spans}>
        <Segmented
          label="Range"
          value={span?.value ?? '15m'}
          options={SPANS}
          onValue={(range) => changeAddress({ range })}
        />
      </span>
      {data !== undefined && <LazyChart body={data} />}
      {data === undefined && !isError && <SkeletonRows rows={4} />}
      {isError && (
        <Callout tone="warning" title="The chart is not up to date">
          {errorText(error)} It is asked for again by itself.
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
