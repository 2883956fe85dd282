'use client';

import { useServerNow } from '@/lib/client/use-live';
import { formatInstant, formatLocal } from '../ui/format';
import styles from './top-bar.module.css';

/** The server's time; it stands still when the server is not heard. */
export function ServerClock() {
  const now = useServerNow();
  if (now === null) return <span className={styles.clock}>--:--:-- UTC</span>;
  return (
    <time
      className={styles.clock}
      dateTime={new Date(now).toISOString()}
      title={`Server time ${formatInstant(now)}\nHere ${formatLocal(now)}`}
    >
      {formatInstant(now).slice(11, 19)} UTC
    </time>
  );
}
