'use client';

import { Pause, Play, RotateCcw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/field';
import { formatClock, formatDuration, formatInstant } from '@/components/ui/format';
import { Segmented } from '@/components/ui/segmented';
import type { LatencyAxis } from '@/lib/series/probes';
import type { TimeDomain } from '@/lib/series/types';
import type { Span, View } from './use-range';
import styles from './toolbar.module.css';

const SPAN_OPTIONS = [
  { value: '5m', label: '5 min' },
  { value: '15m', label: '15 min' },
  { value: '1h', label: '1 h' },
] as const;
const SCALE_OPTIONS = [
  { value: 'log', label: 'Log' },
  { value: 'linear', label: 'Linear' },
] as const;
const ALL = '';

export type ToolbarProps = {
  view: View;
  instances: readonly { readonly instanceId: string; readonly instance: string }[];
  paused: number | null;
  latencyScale: LatencyAxis['kind'];
  onSpan: (span: Span) => void;
  onInstance: (instance: string | null) => void;
  onPause: () => void;
  onLive: () => void;
  onScale: (scale: LatencyAxis['kind']) => void;
};

function rangeText(range: TimeDomain): string {
  return `${formatInstant(range.from)} to ${formatClock(range.to)}, ${formatDuration(range.to - range.from)}`;
}

function Mode({ view, paused, onPause, onLive }: ToolbarProps) {
  if (view.past !== null) {
    return (
      <>
        <span className={styles.past}>{rangeText(view.past)}</span>
        <Button size="small" icon={<RotateCcw />} onClick={onLive}>
          Back to live
        </Button>
      </>
    );
  }
  return (
    <>
      <Button
        size="small"
        icon={paused === null ? <Pause /> : <Play />}
        aria-pressed={paused !== null}
        onClick={onPause}
      >
        {paused === null ? 'Pause' : 'Resume'}
      </Button>
      {paused !== null && <span className={styles.past}>Paused at {formatClock(paused)}</span>}
    </>
  );
}

/** What the charts show: how long, of whom, and whether they move. */
export function Toolbar(props: ToolbarProps) {
  const { view, instances, latencyScale, onSpan, onInstance, onScale } = props;
  return (
    <div className={styles.toolbar}>
      <Segmented label="Live range" value={view.span} options={SPAN_OPTIONS} onValue={onSpan} />
      <Mode {...props} />
      <span className={styles.spring} />
      <span className={styles.scale}>
        <span className={styles.label}>Latency</span>
        <Segmented
          label="Latency scale"
          value={latencyScale}
          options={SCALE_OPTIONS}
          onValue={onScale}
        />
      </span>
      <Select
        aria-label="Instance"
        className={styles.instance}
        value={view.instance ?? ALL}
        options={[
          { value: ALL, label: `All instances (${instances.length})` },
          ...instances.map((one) => ({ value: one.instanceId, label: one.instance })),
        ]}
        onValue={(value) => onInstance(value === ALL ? null : value)}
      />
    </div>
  );
}
