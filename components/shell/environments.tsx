'use client';

import { useEnvironments } from '@/lib/client/use-live';
import { SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import { environmentKind } from './environment-kind';
import { usePlace } from './page-place';
import styles from './top-bar.module.css';

/**
 * Name, colour and shape: production is filled with a solid square, the rest is outlined.
 * `quiet` keeps the shape and drops the ground, for a column of them.
 */
export function EnvironmentChip({ name, quiet = false }: { name: string; quiet?: boolean }) {
  const kind = environmentKind(name);
  return (
    <span
      className={styles.environment}
      data-kind={kind}
      data-quiet={quiet || undefined}
      title={name}
    >
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        {kind === 'production' ? (
          <rect width="8" height="8" rx="1" fill="currentColor" />
        ) : (
          <circle cx="4" cy="4" r="3.2" fill="none" stroke="currentColor" strokeWidth="1.4" />
        )}
      </svg>
      <bdi className={styles.environmentName}>{name}</bdi>
    </span>
  );
}

const SHOWN = 2;

/** The one that the page is about, or all that report. */
export function Environments() {
  const known = useEnvironments();
  const { environment } = usePlace();
  const names = typeof environment === 'string' ? [environment] : known;
  const sorted = [...names].sort(
    (a, b) =>
      Number(a === SIMULATED_ENVIRONMENT) - Number(b === SIMULATED_ENVIRONMENT) ||
      Number(environmentKind(b) === 'production') - Number(environmentKind(a) === 'production') ||
      a.localeCompare(b),
  );
  return (
    <span className={styles.environments}>
      {sorted.slice(0, SHOWN).map((name) => (
        <EnvironmentChip key={name} name={name} />
      ))}
      {sorted.length > SHOWN && (
        <span className={styles.more} title={sorted.slice(SHOWN).join(', ')}>
          +{sorted.length - SHOWN}
        </span>
      )}
    </span>
  );
}
