'use client';

import { useServerNow } from '@/lib/client/use-live';
import type { BreakerView } from '@/lib/protocol/views';
import { formatAge, formatInstant } from '../ui/format';
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

/** What a breaker does to come back: its ramp, or the wait for the next probe. */
export function Recovery({ row }: { row: BreakerView }) {
  if (row.instances.live === 0) return null;
  if (row.ramp !== null) return <RampMeter {...row.ramp} hold={row.hold} />;
  return row.state === 'open' && row.retryAt !== null ? <NextProbe retryAt={row.retryAt} /> : null;
}
