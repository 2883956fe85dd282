'use client';

import { useBreaker } from '@/lib/client/use-live';
import { isSimulated } from '@/lib/protocol/simulated';
import { Recovery, TimeLeft } from '../fleet/recovery';
import { rollUpFreshness, StateText } from '../state';
import { formatRate, formatShare } from '../ui/format';
import styles from './wall.module.css';

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
        {row.override === null ? <Recovery row={row} /> : <TimeLeft until={row.override.endsAt} />}
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
