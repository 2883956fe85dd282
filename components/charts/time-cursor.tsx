import { useDeferredValue } from 'react';
import { isState, stateWord } from '@/components/state';
import {
  formatClock,
  formatInstant,
  formatLatency,
  formatRate,
  formatShare,
} from '@/components/ui/format';
import type { Reading } from '@/lib/series/cursor';
import { useCursorStore } from './cursor-store';
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
  const words = sayReading(reading);
  const said = useDeferredValue(reading.resting ? '' : words);
  return (
    <div className={styles.row}>
      <time className={styles.clock} title={formatInstant(reading.at)}>
        {formatClock(reading.at)}
      </time>
      <span className={styles.words} data-resting={reading.resting || undefined}>
        {reading.resting ? `Latest: ${words}` : words}
      </span>
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
    </div>
  );
}

/** One focus stop for all three charts: arrows move the shared cursor, Escape lets it go. */
export function Scrubber() {
  const { model } = useStack();
  const store = useCursorStore();
  const reading = useReading();
  const { domain, resolutionMs } = model;
  return (
    <input
      type="range"
      className={styles.scrubber}
      aria-label="Time cursor of the charts"
      aria-valuetext={formatInstant(reading.at)}
      min={domain.from}
      max={Math.min(domain.to, Math.max(model.now, domain.from + resolutionMs))}
      step={resolutionMs}
      value={reading.at}
      onChange={(event) => store.move(Number(event.target.value) + resolutionMs / 2)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') store.move(null);
      }}
    />
  );
}
