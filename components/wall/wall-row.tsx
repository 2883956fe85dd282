'use client';

import { useBreaker } from '@/lib/client/use-live';
import type { BreakerView } from '@/lib/protocol/views';
import { isSimulated } from '@/lib/protocol/simulated';
import { Recovery, TimeLeft } from '../fleet/recovery';
import { rollUpFreshness, StateText } from '../state';
import { formatRate, formatShare } from '../ui/format';
import { Time } from '../ui/time';
import styles from './wall.module.css';

/** What it does to come back; of one that is back, since when it has been. */
function How({ row }: { row: BreakerView }) {
  if (row.override !== null) return <TimeLeft until={row.override.endsAt} />;
  if (row.state !== 'closed') return <Recovery row={row} />;
  if (row.since === null) return null;
  return (
    <>
      since <Time at={row.since} show="clock" />
    </>
  );
}

/** One breaker for eyes that are four metres away: state, name, what it does about it, what it costs. */
export function WallRow({ id }: { id: string }) {
  const row = useBreaker(id);
  if (row === null) return null;
  const freshness = rollUpFreshness(row.instances);
  return (
    <li className={styles.row} data-state={row.state} data-fresh={freshness}>
      <span className={styles.state}>
        <StateText state={row.state} freshness={freshness} />
      </span>
      <span className={styles.who}>
        <bdi className={styles.name}>{row.name}</bdi>
        <bdi className={styles.where}>
          {isSimulated(row) && <b>simulated: </b>}
          {row.service} · {row.environment}
        </bdi>
      </span>
      <span className={styles.how}>
        <How row={row} />
      </span>
      <span className={styles.cost}>
        {row.refusedPerSecond > 0
          ? `${formatRate(row.refusedPerSecond)} refused/s`
          : row.failureShare !== null && row.failureShare > 0
            ? `${formatShare(row.failureShare)} failing`
            : ''}
      </span>
    </li>
  );
}
