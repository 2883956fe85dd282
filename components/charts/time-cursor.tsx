import { PinOff } from 'lucide-react';
import { useDeferredValue } from 'react';
import { isState, stateWord } from '@/components/state';
import { Button } from '@/components/ui/button';
import {
  formatBoth,
  formatClock,
  formatLatency,
  formatRate,
  formatShare,
} from '@/components/ui/format';
import type { Reading } from '@/lib/series/cursor';
import { useCursorStore, usePinnedAt } from './cursor-store';
import { useReading } from './legend';
import { useStack } from './stack-context';
import styles from './time-cursor.module.css';

/** The reading in words, for the line above the charts and for a screen reader. */
export function sayReading(reading: Reading): string {
  const parts = [isState(reading.state) ? stateWord(reading.state) : 'State unknown'];
  if (reading.allowed === null) parts.push('nothing reported');
  else {
    parts.push(`allowed ${formatShare(reading.allowed)}`);
    if (reading.admitted !== null) parts.push(`admitted ${formatShare(reading.admitted)}`);
    parts.push(`refused ${formatRate(reading.refusedPerSecond ?? 0)} per second`);
  }
  if (reading.p95Ms !== null) {
    parts.push(`P95 of ${reading.samples} calls ${formatLatency(reading.p95Ms)}`);
  }
  if (reading.probes > 0) parts.push(`${reading.probes} probes, ${reading.failedProbes} failed`);
  if (reading.missing.length > 0) parts.push(`data missing: ${reading.missing.join(', ')}`);
  if (reading.opening !== null) parts.push(`backoff level ${reading.opening.level}`);
  return parts.join(', ');
}

/** What the cursor stands on, in one line; said politely when a person moved it. */
export function ReadoutLine() {
  const reading = useReading();
  const cursor = useCursorStore();
  const pinned = usePinnedAt();
  const { zone } = useStack();
  const words = sayReading(reading);
  const said = useDeferredValue(reading.resting ? '' : words);
  return (
    <div className={styles.row} data-readout>
      <time
        className={styles.clock}
        dateTime={new Date(reading.at).toISOString()}
        title={formatBoth(reading.at)}
      >
        {formatClock(reading.at, zone)}
      </time>
      <span className={styles.words} data-resting={reading.resting || undefined}>
        {reading.resting ? `Latest: ${words}` : words}
      </span>
      {pinned !== null && (
        <Button size="small" kind="quiet" icon={<PinOff />} onClick={() => cursor.pin(null)}>
          Unpin
        </Button>
      )}
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
    </div>
  );
}
