'use client';

import { useServerNow } from '@/lib/client/use-live';
import { formatAge, formatClock, formatCountdown, formatInstant, formatLocal } from './format';
import styles from './time.module.css';

const DAY_MS = 86_400_000;

type Props = {
  at: number;
  /** `clock` leaves out the date of today; `both` puts the age beside it. */
  show?: 'clock' | 'instant' | 'both' | 'age';
};

/** An instant in UTC; hover gives the date, and the same instant in the browser's own zone. */
export function Time({ at, show = 'both' }: Props) {
  const now = useServerNow();
  const today = now !== null && Math.floor(now / DAY_MS) === Math.floor(at / DAY_MS);
  const absolute = show === 'instant' || !today ? formatInstant(at) : formatClock(at);
  const age = now === null ? '' : `${formatAge(now - at)} ago`;
  const title = now === null ? undefined : `${formatInstant(at)}\n${formatLocal(at)}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={title} className={styles.time}>
      {show === 'age' ? age : absolute}
      {show === 'both' && age !== '' && <span className={styles.age}>{age}</span>}
    </time>
  );
}

type CountdownProps = {
  to: number;
  /** What to say once the moment has passed; by default 00:00 stays. */
  past?: (sinceMs: number) => string;
};

/** mm:ss to an instant of the server, from the shared ticker. */
export function Countdown({ to, past }: CountdownProps) {
  const now = useServerNow();
  const leftMs = now === null ? null : to - now;
  const text =
    leftMs === null
      ? ''
      : leftMs < 0 && past
        ? past(-leftMs)
        : formatCountdown(Math.max(0, leftMs));
  return (
    <span className={styles.time} title={leftMs === null ? undefined : formatInstant(to)}>
      {text}
    </span>
  );
}
