'use client';

import { useServerNow } from '@/lib/client/use-live';
import {
  formatAge,
  formatBoth,
  formatClock,
  formatCountdown,
  formatDay,
  formatInstant,
} from './format';
import styles from './time.module.css';
import { useZone } from './zone-context';

type Props = {
  at: number;
  /** `clock` leaves out the date of today; `both` puts the age beside it. */
  show?: 'clock' | 'instant' | 'both' | 'age';
};

/** An instant in the chosen zone; hover gives it with its date in UTC and in the browser's own. */
export function Time({ at, show = 'both' }: Props) {
  const now = useServerNow();
  const zone = useZone();
  const today = now !== null && formatDay(now, zone) === formatDay(at, zone);
  const absolute = show === 'instant' || !today ? formatInstant(at, zone) : formatClock(at, zone);
  const age = now === null ? '' : `${formatAge(now - at)} ago`;
  const title = now === null ? undefined : formatBoth(at);
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
  const zone = useZone();
  const leftMs = now === null ? null : to - now;
  const text =
    leftMs === null
      ? ''
      : leftMs < 0 && past
        ? past(-leftMs)
        : formatCountdown(Math.max(0, leftMs));
  return (
    <span className={styles.time} title={leftMs === null ? undefined : formatInstant(to, zone)}>
      {text}
    </span>
  );
}
