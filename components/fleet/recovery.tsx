'use client';

import { useServerNow } from '@/lib/client/use-live';
import type { BreakerView } from '@/lib/protocol/views';
import { formatAge, formatInstant } from '../ui/format';
import { Countdown } from '../ui/time';
import { useZone } from '../ui/zone-context';
import { RampMeter } from './meters';
import styles from './row.module.css';

/** "Probe in 12 s"; once that moment has passed the breaker is eligible and waits for a call. */
export function probeText(retryAt: number, now: number): string {
  const leftMs = retryAt - now;
  if (leftMs > 0) return `Probe in ${formatAge(leftMs + 999)}`;
  return `Due ${formatAge(-leftMs)}, no call`;
}

function NextProbe({ retryAt }: { retryAt: number }) {
  const now = useServerNow();
  const zone = useZone();
  if (now === null) return null;
  const past = retryAt <= now;
  return (
    <span
      className={past ? styles.eligible : styles.clip}
      title={
        past
          ? `Eligible since ${formatInstant(retryAt, zone)}: the next call will be the probe, nobody has called`
          : `Next probe ${formatInstant(retryAt, zone)}`
      }
    >
      {probeText(retryAt, now)}
    </span>
  );
}

export function TimeLeft({ until }: { until: number }) {
  return (
    <span className={styles.clip}>
      <Countdown to={until} /> left
    </span>
  );
}

/**
 * What a breaker does to come back: its ramp, the wait for the next probe, or for the end of what
 * its own service forced. An operator's override is said with its operator, elsewhere.
 */
export function Recovery({ row }: { row: BreakerView }) {
  if (row.instances.live === 0) return null;
  if (row.ramp !== null) return <RampMeter {...row.ramp} hold={row.hold} />;
  if (row.state === 'open' && row.retryAt !== null) return <NextProbe retryAt={row.retryAt} />;
  const until = row.override === null ? row.forcedUntil : null;
  return until === null ? null : <TimeLeft until={until} />;
}
