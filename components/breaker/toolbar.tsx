'use client';

import { ChevronLeft, ChevronRight, Play, RotateCcw, ZoomIn, ZoomOut } from 'lucide-react';
import { Button, IconButton } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { Select } from '@/components/ui/field';
import { formatClock, formatDay, formatDuration, formatInstant } from '@/components/ui/format';
import { Segmented } from '@/components/ui/segmented';
import { useZone } from '@/components/ui/zone-context';
import type { Move } from '@/lib/series/moves';
import type { LatencyAxis } from '@/lib/series/probes';
import type { TimeDomain } from '@/lib/series/types';
import { RangePopover } from './range-popover';
import type { Span, View } from './use-range';
import styles from './toolbar.module.css';

export const SPAN_OPTIONS = [
  { value: '5m', label: '5 min' },
  { value: '15m', label: '15 min' },
  { value: '1h', label: '1 h' },
  { value: '6h', label: '6 h' },
  { value: '24h', label: '24 h' },
] as const;
const SCALE_OPTIONS = [
  { value: 'log', label: 'Log' },
  { value: 'linear', label: 'Linear' },
] as const;
const ALL = '';

const MOVES = [
  { move: 'earlier', label: 'Earlier', icon: <ChevronLeft size={15} /> },
  { move: 'out', label: 'Zoom out', icon: <ZoomOut size={15} /> },
  { move: 'in', label: 'Zoom in', icon: <ZoomIn size={15} /> },
  { move: 'later', label: 'Later', icon: <ChevronRight size={15} /> },
] as const satisfies readonly { move: Move; label: string; icon: unknown }[];

export type ToolbarProps = {
  view: View;
  domain: TimeDomain;
  /** The address that shows the same instants to somebody else, at any later time. */
  link: string;
  instances: readonly { readonly instanceId: string; readonly instance: string }[];
  onSpan: (span: Span) => void;
  onMove: (move: Move) => void;
  onRange: (range: TimeDomain) => void;
  onInstance: (instance: string | null) => void;
  onLive: () => void;
  /** Null while one runs. */
  onReplay: (() => void) | null;
  onScale: (scale: LatencyAxis['kind']) => void;
};

export function rangeText({ from, to }: TimeDomain, zone: string): string {
  const sameDay = formatDay(from, zone) === formatDay(to, zone);
  const end = sameDay ? formatClock(to, zone) : formatInstant(to, zone);
  return `${formatInstant(from, zone)} to ${end}, ${formatDuration(to - from)}`;
}

/** Live, or which stretch of the past. */
function Mode({ view, onLive, onReplay }: ToolbarProps) {
  const zone = useZone();
  if (view.past === null) return null;
  return (
    <>
      {onReplay !== null && (
        <Button size="small" icon={<Play />} onClick={onReplay}>
          Replay
        </Button>
      )}
      <Button size="small" icon={<RotateCcw />} onClick={onLive}>
        Back to live
      </Button>
      <span className={styles.past}>{rangeText(view.past, zone)}</span>
    </>
  );
}

/** What a drag and a wheel do, for those who have neither. */
function Moves({ onMove }: Pick<ToolbarProps, 'onMove'>) {
  return (
    <fieldset className={styles.moves} aria-label="Move through time">
      {MOVES.map(({ move, label, icon }) => (
        <IconButton key={move} size="small" label={label} onClick={() => onMove(move)}>
          {icon}
        </IconButton>
      ))}
    </fieldset>
  );
}

/** What the charts show: how long, of whom, and whether they move. */
export function Toolbar(props: ToolbarProps) {
  const { view, domain, link, instances, onSpan, onMove, onRange, onInstance, onScale } = props;
  return (
    <div className={styles.toolbar}>
      <Segmented label="Live range" value={view.span} options={SPAN_OPTIONS} onValue={onSpan} />
      <Moves onMove={onMove} />
      <RangePopover domain={domain} onRange={onRange} />
      <Mode {...props} />
      <span className={styles.spring} />
      <span className={styles.scale}>
        <span className={styles.label}>Latency</span>
        <Segmented
          label="Latency scale"
          value={view.scale}
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
      <CopyButton text={link} label="Copy link" />
    </div>
  );
}
