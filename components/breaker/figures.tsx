'use client';

import type { ReactNode } from 'react';
import { countsText } from '@/components/state';
import {
  formatDuration,
  formatLatency,
  formatRate,
  formatShare,
  NONE,
} from '@/components/ui/format';
import { Countdown } from '@/components/ui/time';
import type { BreakerView } from '@/lib/protocol/views';
import { latencyTone } from './tones';
import styles from './figures.module.css';

type FigureProps = { label: string; value: ReactNode; note?: ReactNode; tone?: 'open' | 'half' };

function Figure({ label, value, note, tone }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.value} data-tone={tone}>
          {value}
        </span>
        {note && <span className={styles.note}>{note}</span>}
      </dd>
    </div>
  );
}

const eligible = (since: number) => `Eligible ${formatDuration(since)}`;

function NextProbe({ row }: { row: BreakerView }) {
  if (row.state === 'half_open' && row.ramp !== null) {
    const { step, steps, share } = row.ramp;
    const note = `${formatShare(share)} of calls${row.hold ? ', held' : ''}`;
    return <Figure label="Ramp" value={`Step ${step + 1}/${steps}`} note={note} tone="half" />;
  }
  if (row.state !== 'open' || row.retryAt === null) {
    return <Figure label="Next probe" value={NONE} />;
  }
  return (
    <Figure
      label="Next probe"
      value={<Countdown to={row.retryAt} past={eligible} />}
      note={
        row.openTimeoutMs === null
          ? null
          : `of ${formatDuration(row.openTimeoutMs)}, level ${row.level}`
      }
      tone="open"
    />
  );
}

/** The numbers one asks for first, in one line. */
export function Figures({ row }: { row: BreakerView }) {
  const over =
    row.failureShare !== null &&
    row.failureThreshold !== null &&
    row.failureShare >= row.failureThreshold;
  const slow = latencyTone(row.latencyP95Ms, row.baselineP95Ms);
  return (
    <dl className={styles.figures}>
      <NextProbe row={row} />
      <Figure label="Calls" value={`${formatRate(row.callsPerSecond)} /s`} />
      <Figure
        label="Failures"
        value={formatShare(row.failureShare)}
        note={
          row.failureThreshold === null ? null : `trips at ${formatShare(row.failureThreshold)}`
        }
        {...(over ? { tone: 'open' as const } : {})}
      />
      <Figure
        label="Refused"
        value={`${formatRate(row.refusedPerSecond)} /s`}
        {...(row.refusedPerSecond > 0 ? { tone: 'open' as const } : {})}
      />
      <Figure
        label="Latency P95"
        value={formatLatency(row.latencyP95Ms)}
        note={row.baselineP95Ms === null ? null : `baseline ${formatLatency(row.baselineP95Ms)}`}
        {...(slow ? { tone: slow } : {})}
      />
      <Figure label="Instances" value={countsText(row)} />
    </dl>
  );
}
