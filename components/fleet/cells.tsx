import type { BreakerView } from '@/lib/protocol/views';
import { memo } from 'react';
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

type Identity = Pick<
  BreakerView,
  'id' | 'name' | 'service' | 'target' | 'environment' | 'override' | 'findings'
>;

/** What of a row is its name and the marks beside it; the figures in it change far more often. */
export const identityOf = (row: BreakerView): Identity => {
  const { id, name, service, target, environment, override, findings } = row;
  return { id, name, service, target, environment, override, findings };
};

export const BreakerName = memo(function BreakerName(props: Identity) {
  const { id, name, service, target, environment, override, findings } = props;
  const toTarget = target === name ? '' : ` → ${target}`;
  return (
    <span className={styles.who}>
      <span className={styles.nameLine}>
        <RowLink href={breakerPath(id)} className={styles.name} tabIndex={-1} title={name}>
          {name}
        </RowLink>
        <SimulatedMark environment={environment} />
        {override && <OverrideChip override={override} />}
        <FindingMark findings={findings} />
      </span>
      <span className={styles.where} title={`${environment} / ${service}${toTarget}`}>
        {service}
        {toTarget !== '' && (
          <>
            {' → '}
            <RowLink
              href={targetPath(target, environment)}
              className={styles.target}
              tabIndex={-1}
              title={`All breakers to ${target}`}
            >
              {target}
            </RowLink>
          </>
        )}
        <span className={styles.environment}> · {environment}</span>
      </span>
    </span>
  );
});

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
        <BreakerName {...identityOf(row)} />
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
