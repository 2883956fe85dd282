'use client';

import { useState } from 'react';
import { isState, StateText } from '@/components/state';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { formatBoth } from '@/components/ui/format';
import { Segmented } from '@/components/ui/segmented';
import { SkeletonRows } from '@/components/ui/skeleton';
import { Time } from '@/components/ui/time';
import { errorText } from '@/lib/client/api-error';
import { useHistory } from '@/lib/client/queries';
import type { HistoryEvent } from '@/lib/protocol/views';
import { readTransition } from '@/lib/series/events';
import { upsert } from '@/lib/series/merge';
import { Panel } from './panel';
import { stateName, tellEvent } from './words';
import styles from './transitions.module.css';

const FILTERS = [
  { value: 'transitions', label: 'Transitions' },
  { value: 'all', label: 'All events' },
] as const;
type Filter = (typeof FILTERS)[number]['value'];
const TYPES: Record<Filter, { types?: string }> = {
  transitions: { types: 'transition' },
  all: {},
};

/** A report that took longer than this is worth saying. */
const LATE_MS = 5_000;

function Change({ event }: { event: HistoryEvent }) {
  const change = readTransition(event);
  if (change === null)
    return <span className={styles.kind}>{event.type.replaceAll('_', ' ')}</span>;
  return (
    <span className={styles.change}>
      {isState(change.to) ? <StateText state={change.to} /> : stateName(change.to)}
    </span>
  );
}

function Row({ event }: { event: HistoryEvent }) {
  const told = tellEvent(event);
  const late = event.receivedAt - event.at > LATE_MS;
  return (
    <li className={styles.row}>
      <span className={styles.when} title={formatBoth(event.at)}>
        <Time at={event.at} show="clock" />
      </span>
      <Change event={event} />
      <span className={styles.told}>
        {told.head}
        {told.facts.map((fact) => (
          <span key={fact} className={styles.fact}>
            {fact}
          </span>
        ))}
        {late && (
          <span className={styles.fact}>
            reported late, at <Time at={event.receivedAt} show="clock" />
          </span>
        )}
      </span>
      <span className={styles.instance} title={event.instance}>
        {event.instance}
      </span>
    </li>
  );
}

function Unread({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <div className={styles.note}>
      <Callout
        tone="warning"
        title="The history could not be read"
        action={
          <Button size="small" onClick={retry}>
            Try again
          </Button>
        }
      >
        {errorText(error)}
      </Callout>
    </div>
  );
}

type Props = {
  breakerId: string;
  instance: string | null;
  live: readonly HistoryEvent[];
};

/** Newest first, page by page; what happens meanwhile joins on top. */
export function Transitions({ breakerId, instance, live }: Props) {
  const [filter, setFilter] = useState<Filter>('transitions');
  const query = useHistory(breakerId, {
    limit: 50,
    ...TYPES[filter],
    ...(instance === null ? {} : { instance }),
  });
  const fresh = live.filter(
    (event) =>
      (instance === null || event.instanceId === instance) &&
      (filter === 'all' || event.type === 'transition'),
  );
  const fetched = query.data?.pages.flatMap((page) => page.events) ?? [];
  const events = upsert(
    fetched,
    fresh,
    (event) => event.id,
    (event) => -event.at,
  );
  return (
    <Panel
      title="History"
      aside={<Segmented label="Events" value={filter} options={FILTERS} onValue={setFilter} />}
    >
      {query.isPending && <SkeletonRows rows={4} />}
      {query.isError && <Unread error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && events.length === 0 && (
        <p className={styles.note}>Nothing yet: it has not changed since it was first seen.</p>
      )}
      <ol className={styles.list}>
        {events.map((event) => (
          <Row key={event.id} event={event} />
        ))}
      </ol>
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button
            size="small"
            busy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show older
          </Button>
        </div>
      )}
    </Panel>
  );
}
