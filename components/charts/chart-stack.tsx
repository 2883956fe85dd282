'use client';

import { memo, useMemo } from 'react';
import { useZone } from '@/components/ui/zone-context';
import { CursorContext } from './cursor-store';
import { geometryFor } from './geometry';
import { InstanceLanes } from './instance-lanes';
import { MarkLane } from './mark-lane';
import { chartModel, type ChartInput } from './model';
import { OpenBackoffChart } from './open-backoff-chart';
import { ProbeLatencyChart } from './probe-latency-chart';
import { RampChart } from './ramp-chart';
import { Ribbon } from './ribbon';
import { StackProvider, type Stack } from './stack-context';
import { ReadoutLine } from './time-cursor';
import { useHeights } from './use-heights';
import { usePinned } from './use-pinned';
import { usePreview } from './use-preview';
import { useWheel } from './use-wheel';
import { useWidth } from './use-width';
import styles from './chart-stack.module.css';

export type ChartStackProps = {
  input: ChartInput;
  /** The values are not current: the connection is lost or a new range is on its way. */
  stale?: boolean;
  /** Where the cursor is pinned. */
  at?: number | null;
  onPin?: (at: number | null) => void;
  onInstance?: (instanceId: string | null) => void;
  /** Many small moves that have come to rest. */
  onMoved?: Stack['onMove'];
} & Pick<Stack, 'subject' | 'limits' | 'tables' | 'onZoom' | 'onReset' | 'onTables'>;

/** Draws the view while it moves; the parent hears of where it came to rest. */
function useMoving({ input, onMoved, onZoom }: ChartStackProps) {
  const { shown, move } = usePreview(input.domain, onMoved ?? onZoom);
  const model = useMemo(() => chartModel({ ...input, domain: shown }), [input, shown]);
  return { model, onMove: move };
}

/** Three charts and the instances: one time axis, one cursor, one zoom. */
export const ChartStack = memo(function ChartStack(props: ChartStackProps) {
  const { stale = false, subject, limits, tables, onZoom, onReset, onTables, onInstance } = props;
  const [ref, width] = useWidth<HTMLDivElement>();
  const cursor = usePinned(props.at ?? null, props.onPin);
  const heights = useHeights();
  const zone = useZone();
  const { model, onMove } = useMoving(props);
  const geometry = useMemo(() => geometryFor(width), [width]);
  const stack = useMemo(
    () => ({ model, geometry, zone, subject, limits, tables, onZoom, onMove, onReset, onTables }),
    [model, geometry, zone, subject, limits, tables, onZoom, onMove, onReset, onTables],
  );
  useWheel(ref, stack);
  return (
    <StackProvider value={stack}>
      <CursorContext value={cursor}>
        <div ref={ref} className={styles.stack} data-stale={stale || undefined}>
          {width > 0 && (
            <>
              <ReadoutLine />
              <Ribbon />
              <MarkLane />
              <RampChart height={heights.ramp} />
              <ProbeLatencyChart height={heights.latency} />
              <OpenBackoffChart height={heights.backoff} />
              <InstanceLanes {...(onInstance && { onInstance })} />
            </>
          )}
        </div>
      </CursorContext>
    </StackProvider>
  );
});
