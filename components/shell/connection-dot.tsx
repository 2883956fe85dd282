'use client';

import { useConnection } from '@/lib/client/use-live';
import styles from './top-bar.module.css';

const WORDS = {
  connecting: 'Connecting',
  live: 'Live',
  stale: 'Stale',
  offline: 'Offline',
} as const;

/** Filled when live, dashed when late, crossed when gone; the word says it too. */
export function ConnectionDot() {
  const { status } = useConnection();
  return (
    <span className={styles.connection} data-status={status}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {status === 'live' ? (
          <circle cx="5" cy="5" r="4" fill="currentColor" />
        ) : (
          <circle
            cx="5"
            cy="5"
            r="4"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeDasharray={status === 'offline' ? undefined : '2.2 1.4'}
          />
        )}
        {status === 'offline' && (
          <path d="M2.3 7.7l5.4-5.4" stroke="currentColor" strokeWidth="1.5" />
        )}
      </svg>
      {WORDS[status]}
    </span>
  );
}
