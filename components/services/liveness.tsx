import type { InstanceView, ServiceView } from '@/lib/protocol/views';
import styles from './services.module.css';

const WORDS: Record<InstanceView['liveness'], string> = {
  live: 'Live',
  stale: 'Stale',
  offline: 'Offline',
};

/** A dot, a dashed dot, an empty dashed square: the shapes of the state grammar for a process. */
export function Liveness({ liveness }: { liveness: InstanceView['liveness'] }) {
  return (
    <span className={styles.liveness} data-liveness={liveness}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        {liveness === 'live' && <circle cx="5" cy="5" r="3.5" fill="currentColor" />}
        {liveness === 'stale' && (
          <circle
            cx="5"
            cy="5"
            r="4"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.4"
            strokeDasharray="2 1.4"
          />
        )}
        {liveness === 'offline' && (
          <rect
            x="1"
            y="1"
            width="8"
            height="8"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.3"
            strokeDasharray="2 1.4"
          />
        )}
      </svg>
      {WORDS[liveness]}
    </span>
  );
}

/** "3 live", "2 live, 1 stale, 1 offline of 4". */
export function instancesText({ live, stale, offline, total }: ServiceView['instances']): string {
  const parts = [`${live} live`];
  if (stale > 0) parts.push(`${stale} stale`);
  if (offline > 0) parts.push(`${offline} offline`);
  return parts.length === 1 ? (parts[0] ?? '') : `${parts.join(', ')} of ${total}`;
}
