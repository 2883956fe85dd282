'use client';

import type { ReactNode } from 'react';
import type { BreakerView } from '@/lib/protocol/views';
import { breakerPath } from '../fleet/paths';
import { Recovery } from '../fleet/recovery';
import { SimulatedMark } from '../simulator/simulated-mark';
import { rollUpFreshness, StateText } from '../state';
import { formatRate, formatShare } from '../ui/format';
import { RowLink } from '../ui/row-link';
import type { Picture } from './picture';
import styles from './target.module.css';

const MOST = 6;

function Name({ row }: { row: BreakerView }) {
  return (
    <span className={styles.named}>
      <NameLink row={row} />
      <SimulatedMark environment={row.environment} />
    </span>
  );
}

function NameLink({ row }: { row: BreakerView }) {
  return (
    <RowLink
      href={breakerPath(row.id)}
      className={styles.who}
      title={`${row.service} / ${row.name}`}
    >
      <bdi>{row.service}</bdi>
      {row.name !== row.target && <span className={styles.breaker}>{row.name}</span>}
    </RowLink>
  );
}

type ListProps = { title: string; aside: string; none: string; count: number; children: ReactNode };

function List({ title, aside, none, count, children }: ListProps) {
  return (
    <section className={styles.list} aria-label={title}>
      <header className={styles.listHead}>
        <h2>{title}</h2>
        <span className={styles.aside}>{aside}</span>
      </header>
      {count === 0 ? <p className={styles.none}>{none}</p> : <ul>{children}</ul>}
      {count > MOST && <p className={styles.none}>and {count - MOST} more, in the list below</p>}
    </section>
  );
}

/** Whose calls are refused or fail, and how much of the whole that is. */
export function Hurting({ picture }: { picture: Picture }) {
  const { hurting, lostPerSecond } = picture;
  return (
    <List
      title="Who is hurting"
      aside={hurting.length === 0 ? '' : `${formatRate(lostPerSecond)} calls lost a second`}
      none="Nobody: no calls to it are refused or fail."
      count={hurting.length}
    >
      {hurting.slice(0, MOST).map(({ row, refusedPerSecond, failingPerSecond, share }) => (
        <li key={row.id} className={styles.item}>
          <Name row={row} />
          <StateText state={row.state} freshness={rollUpFreshness(row.instances)} />
          <span className={styles.figures}>
            {refusedPerSecond > 0 && <b>{formatRate(refusedPerSecond)} refused/s</b>}
            {failingPerSecond >= 0.05 && <span>{formatRate(failingPerSecond)} failing/s</span>}
          </span>
          <svg
            className={styles.bar}
            viewBox="0 0 100 4"
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <rect width="100" height="4" className={styles.ground} />
            <rect width={Math.max(1, share * 100)} height="4" className={styles.fill} />
          </svg>
          <span className={styles.share}>{formatShare(share)}</span>
        </li>
      ))}
    </List>
  );
}

/** Who asks the target how it is, and who will next. */
export function ProbingNow({ picture }: { picture: Picture }) {
  const { probing, waiting, probingInstances } = picture;
  const rows = [...probing.map(({ row }) => row), ...waiting.filter(({ ramp }) => ramp === null)];
  const aside = probing.length === 0 ? '' : instancesText(probingInstances);
  return (
    <List
      title="Who is probing"
      aside={aside}
      none="Nobody: no breaker to it is open or recovering."
      count={rows.length}
    >
      {rows.slice(0, MOST).map((row) => (
        <li key={row.id} className={styles.item}>
          <Name row={row} />
          <StateText state={row.state} freshness={rollUpFreshness(row.instances)} />
          <span className={styles.recovery}>
            <Recovery row={row} />
          </span>
          <span className={styles.share}>
            {(row.states.half_open ?? 0) > 0 && `${row.states.half_open} of ${row.instances.live}`}
          </span>
        </li>
      ))}
    </List>
  );
}

const instancesText = (count: number): string =>
  count === 1 ? '1 instance probes now' : `${count} instances probe now`;
