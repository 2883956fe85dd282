'use client';

import { useServerNow } from '@/lib/client/use-live';
import type { BreakerView } from '@/lib/protocol/views';
import { formatAge } from '../ui/format';
import { RampMeter } from './meters';
import styles from './row.module.css';

/** "in 12 s", or what it means when that moment has passed without a call. */
export function probeText(retryAt: number, now: number): string {
  const leftMs = retryAt - now;
  if (leftMs > 0) return `Probe in ${formatAge(leftMs + 999)}`;
  return `Eligible ${formatAge(-leftMs)}, no call`;
}

function NextProbe({ retryAt }: { retryAt: number }) {
  const now = useServerNow();
  if (now === null) return null;
  const past = retryAt <= now;
  return (
    <span
      className={past ? styles.eligible : undefined}
      title={
        past ? 'The wait is over; the next call will be the probe, and none has come' : undefined
      }
    >
      {probeText(retryAt, now)}
    </span>
  );
}

/** What a breaker does to come back: its ramp, or the wait for the next probe. */
export function Recovery({ row }: { row: BreakerView }) {
  if (row.instances.live === 0) return null;
  if (row.ramp !== null) return <RampMeter {...row.ramp} hold={row.hold} />;
  return row.state === 'open' && row.retryAt !== null ? <NextProbe retryAt={row.retryAt} /> : null;
}
