import type { BreakerView } from '@/lib/protocol/views';
import { countsText, rollUpFreshness, StateBadge } from '../state';
import { formatRate, formatShare } from '../ui/format';
import { AsOf } from './as-of';
import { Cell } from './grid';
import { BreakerName, identityOf } from './cells';
import { Recovery } from './recovery';
import styles from './card.module.css';

/** The essentials of a row on a phone. */
export function BreakerCard({ row }: { row: BreakerView }) {
  return (
    <Cell className={styles.card}>
      <div className={styles.top}>
        <StateBadge state={row.state} freshness={rollUpFreshness(row.instances)} />
        <span className={styles.counts}>{countsText(row)}</span>
      </div>
      <div className={styles.middle}>
        <BreakerName {...identityOf(row)} />
        <span className={styles.recovery}>
          <Recovery row={row} />
        </span>
      </div>
      <div className={styles.facts}>
        <span>
          <b>{formatRate(row.callsPerSecond)}</b> calls/s
        </span>
        <span>
          <b>{formatShare(row.failureShare)}</b> failing
        </span>
        {row.refusedPerSecond > 0 && (
          <span className={styles.refused}>
            <b>{formatRate(row.refusedPerSecond)}</b> refused/s
          </span>
        )}
        <span className={styles.age}>
          <AsOf at={row.asOf} />
        </span>
      </div>
    </Cell>
  );
}
