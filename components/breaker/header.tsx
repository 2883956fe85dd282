'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { FindingsLink } from '@/components/diagnosis/finding-mark';
import { targetPath } from '@/components/fleet/paths';
import { PresentHere } from '@/components/presence/presence';
import { SimulatedMark } from '@/components/simulator/simulated-mark';
import { EnvironmentChip } from '@/components/shell/environments';
import { rollUpFreshness, StateBadge } from '@/components/state';
import { Countdown, Time } from '@/components/ui/time';
import { useServices } from '@/lib/client/use-live';
import type { BreakerView } from '@/lib/protocol/views';
import { Figures } from './figures';
import styles from './header.module.css';

/** How far a ramp is, or how long the service itself holds it; of an override there is a strip. */
function detailOf({ state, ramp, override, forcedUntil }: BreakerView): ReactNode {
  if (state === 'half_open' && ramp !== null) return `${ramp.step + 1}/${ramp.steps}`;
  if (override !== null || forcedUntil === null) return null;
  return (
    <>
      <Countdown to={forcedUntil} /> left
    </>
  );
}

/** Whom to call about it; nothing where its agents do not say. */
function Owner({ serviceId }: { serviceId: string }) {
  const owner = useServices().find(({ id }) => id === serviceId)?.owner ?? null;
  if (owner === null) return null;
  return (
    <span title={`Who answers for the service: ${owner}`}>
      Owner <bdi className={styles.owner}>{owner}</bdi>
    </span>
  );
}

/** Which breaker, in what state and since when; actions are on the right. */
export function Header({ row, actions }: { row: BreakerView; actions: ReactNode }) {
  return (
    <header className={styles.header}>
      <div className={styles.top}>
        <div className={styles.identity}>
          <h1 className={styles.name}>{row.name}</h1>
          <SimulatedMark environment={row.environment} />
          <StateBadge
            state={row.state}
            freshness={rollUpFreshness(row.instances)}
            detail={detailOf(row)}
          />
          <span className={styles.since}>
            {row.since === null ? (
              'since it was first seen'
            ) : (
              <>
                since <Time at={row.since} />
              </>
            )}
          </span>
          <FindingsLink findings={row.findings} />
          <PresentHere breakerId={row.id} />
        </div>
        <div className={styles.actions}>{actions}</div>
      </div>
      <div className={styles.bottom}>
        <Figures row={row} />
        <p className={styles.where}>
          <Link href={`/services/${encodeURIComponent(row.serviceId)}`}>{row.service}</Link>
          <span aria-hidden="true">→</span>
          <Link
            href={targetPath(row.target, row.environment)}
            title="The target that it guards: all breakers to it"
          >
            {row.target}
          </Link>
          <EnvironmentChip name={row.environment} />
          <Owner serviceId={row.serviceId} />
        </p>
      </div>
    </header>
  );
}
