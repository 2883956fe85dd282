'use client';

import { memo, useMemo, useState } from 'react';
import type { TimeDomain } from '@/lib/series/types';
import { CursorContext, CursorStore } from './cursor-store';
import { geometryFor } from './geometry';
import { MarkLane } from './mark-lane';
import { chartModel, type ChartInput } from './model';
import { OpenBackoffChart } from './open-backoff-chart';
import { ProbeLatencyChart } from './probe-latency-chart';
import { RampChart } from './ramp-chart';
import { Ribbon } from './ribbon';
import { StackProvider } from './stack-context';
import { ReadoutLine } from './time-cursor';
import { useHeights } from './use-heights';
import { useWidth } from './use-width';
import styles from './chart-stack.module.css';

export type ChartStackProps = {
  input: ChartInput;
  /** The values are not current: the connection is lost or a new range is on its way. */
  stale?: boolean;
  onZoom: (domain: TimeDomain) => void;
  onReset: () => void;
};

/** Three charts, one time axis, one cursor, one zoom. */
export const ChartStack = memo(function ChartStack(props: ChartStackProps) {
  const { input, stale = false, onZoom, onReset } = props;
  const [ref, width] = useWidth<HTMLDivElement>();
  const [cursor] = useState(() => new CursorStore());
  const heights = useHeights();
  const model = useMemo(() => chartModel(input), [input]);
  const geometry = useMemo(() => geometryFor(width), [width]);
  const stack = useMemo(
    () => ({ model, geometry, onZoom, onReset }),
    [model, geometry, onZoom, onReset],
  );
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
            </>
          )}
        </div>
      </CursorContext>
    </StackProvider>
  );
});
