import type { BreakerView } from '@/lib/protocol/views';
import { SimulatedMark } from '../simulator/simulated-mark';
import { countsText, rollUpFreshness, StateText } from '../state';
import { formatRate } from '../ui/format';
import { AsOf } from './as-of';
import { Cell } from './grid';
import { FailureBar, LatencyAgainst } from './meters';
import { FindingMark } from '../diagnosis/finding-mark';
import { RowLink } from '../ui/row-link';
import { OverrideChip } from './override-chip';
import { breakerPath, targetPath } from './paths';
import { Recovery } from './recovery';
import styles from './row.module.css';
import { Sparkline } from './sparkline';

export const COLUMNS = [
  { key: 'state', label: 'State' },
  { key: 'breaker', label: 'Breaker' },
  { key: 'counts', label: 'Instances' },
  { key: 'recovery', label: 'Recovery' },
  { key: 'refused', label: 'Refused/s', numeric: true },
  { key: 'calls', label: 'Calls/s', numeric: true },
  { key: 'failures', label: 'Failures' },
  { key: 'latency', label: 'p95 / baseline' },
  { key: 'spark', label: 'Last 5 min' },
  { key: 'asOf', label: 'As of', numeric: true },
] as const;

export function BreakerName({ row }: { row: BreakerView }) {
  const target = row.target === row.name ? '' : ` → ${row.target}`;
  return (
    <span className={styles.who}>
      <span className={styles.nameLine}>
        <RowLink href={breakerPath(row.id)} className={styles.name} tabIndex={-1} title={row.name}>
          {row.name}
        </RowLink>
        <SimulatedMark environment={row.environment} />
        {row.override && <OverrideChip override={row.override} />}
        <FindingMark findings={row.findings} />
      </span>
      <span className={styles.where} title={`${row.environment} / ${row.service}${target}`}>
        {row.service}
        {target !== '' && (
          <>
            {' → '}
            <RowLink
              href={targetPath(row.target, row.environment)}
              className={styles.target}
              tabIndex={-1}
              title={`All breakers to ${row.target}`}
            >
              {row.target}
            </RowLink>
          </>
        )}
        <span className={styles.environment}> · {row.environment}</span>
      </span>
    </span>
  );
}

/** The cells of one row, from props alone. */
export function RowCells({ row }: { row: BreakerView }) {
  const freshness = rollUpFreshness(row.instances);
  const refusing = row.refusedPerSecond > 0;
  return (
    <>
      <Cell col="state">
        <StateText state={row.state} freshness={freshness} />
      </Cell>
      <Cell col="breaker">
        <BreakerName row={row} />
      </Cell>
      <Cell col="counts" className={styles.quiet}>
        <span className={styles.clip} title={countsText(row)}>
          {countsText(row)}
        </span>
      </Cell>
      <Cell col="recovery">
        <Recovery row={row} />
      </Cell>
      <Cell col="refused" className={refusing ? styles.refusing : styles.zero}>
        {formatRate(row.refusedPerSecond)}
      </Cell>
      <Cell col="calls">{formatRate(row.callsPerSecond)}</Cell>
      <Cell col="failures">
        <FailureBar share={row.failureShare} threshold={row.failureThreshold} />
      </Cell>
      <Cell col="latency">
        <LatencyAgainst p95={row.latencyP95Ms} baseline={row.baselineP95Ms} />
      </Cell>
      <Cell col="spark">
        <Sparkline values={row.spark} />
      </Cell>
      <Cell col="asOf" className={styles.quiet}>
        <AsOf at={row.asOf} />
      </Cell>
    </>
  );
}
