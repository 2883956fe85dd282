'use client';

import { useBreaker } from '@/lib/client/use-live';
import type { BreakerView } from '@/lib/protocol/views';
import { Check } from 'lucide-react';
import { memo } from 'react';
import { SimulatedMark } from '../simulator/simulated-mark';
import { rollUpFreshness, StateText } from '../state';
import { formatRate, formatShare } from '../ui/format';
import { RowLink } from '../ui/row-link';
import { Cell } from './grid';
import { breakerPath } from './paths';
import { Recovery, TimeLeft } from './recovery';
import { clickRow, rowId, type RowHands } from './row';
import styles from './tile.module.css';

type Props = { id: string; active: boolean; selected: boolean; hands: RowHands };

const RECOVERING: ReadonlySet<BreakerView['state']> = new Set(['open', 'half_open']);
const FORCED: ReadonlySet<BreakerView['state']> = new Set(['forced_open', 'forced_closed']);

/** Its way out of the state it is in; of one that is well, what fails. */
function How({ row }: { row: BreakerView }) {
  const isForced = FORCED.has(row.state);
  if (isForced && row.override !== null) return <TimeLeft until={row.override.endsAt} />;
  const leaves = isForced || RECOVERING.has(row.state);
  return leaves ? <Recovery row={row} /> : formatShare(row.failureShare);
}

/** The least that says which breaker, what state, and what it does to get out of it. */
export const Tile = memo(function Tile({ id, active, selected, hands }: Props) {
  const row = useBreaker(id);
  if (row === null) return null;
  return (
    <Cell
      id={rowId(id)}
      className={styles.tile}
      aria-selected={selected}
      data-active={active || undefined}
      data-state={row.state}
      data-fresh={rollUpFreshness(row.instances)}
      onClick={(event) => clickRow(event, id, hands)}
    >
      <span className={styles.top}>
        <StateText state={row.state} freshness={rollUpFreshness(row.instances)} />
        {selected && <Check size={13} aria-hidden="true" className={styles.check} />}
        {row.refusedPerSecond > 0 && (
          <span className={styles.refused} title={`${formatRate(row.refusedPerSecond)} refused/s`}>
            {formatRate(row.refusedPerSecond)} refused/s
          </span>
        )}
      </span>
      <span className={styles.named}>
        <RowLink
          href={breakerPath(id)}
          className={styles.name}
          tabIndex={-1}
          title={`${row.environment} / ${row.service} / ${row.name} → ${row.target}`}
        >
          <bdi>{row.name}</bdi>
        </RowLink>
        <SimulatedMark environment={row.environment} />
      </span>
      <span className={styles.foot}>
        <span className={styles.where}>{row.service}</span>
        <span className={styles.how}>
          <How row={row} />
        </span>
      </span>
    </Cell>
  );
});
