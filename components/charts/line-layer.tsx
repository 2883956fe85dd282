import { useXAxisScale, useYAxisScale, ZIndexLayer } from 'recharts';
import { clampAt } from '@/lib/series/domain';
import { areaPath, linePath, type Dot } from '@/lib/series/paths';
import { useStack } from './stack-context';
import styles from './layers.module.css';

type Row = { readonly at: number };
type Props<T extends Row> = {
  axis: string;
  rows: readonly T[];
  read: (row: T) => number | null;
  look: 'allowed' | 'admitted' | 'refused' | 'quantile';
};

function useDots<T extends Row>({ axis, rows, read }: Props<T>): readonly Dot[] | null {
  const { domain } = useStack().model;
  const toX = useXAxisScale();
  const toY = useYAxisScale(axis);
  if (!toX || !toY) return null;
  return rows.map((row) => {
    const value = read(row);
    return {
      x: toX(clampAt(domain, row.at)) ?? 0,
      y: value === null ? null : (toY(value) ?? null),
    };
  });
}

/**
 * A line as one path on the scales of Recharts. Its own `Line` measures, sorts and compares every
 * point at every update; at a thousand points that is most of a frame.
 */
export function LineLayer<T extends Row>(props: Props<T>) {
  const dots = useDots(props);
  if (dots === null) return null;
  const kind = props.look === 'quantile' ? 'straight' : 'step';
  return (
    <ZIndexLayer zIndex={400}>
      <path d={linePath(dots, kind)} className={styles[props.look]} />
    </ZIndexLayer>
  );
}

/** The same, filled down to zero. */
export function AreaLayer<T extends Row>(props: Props<T>) {
  const dots = useDots(props);
  const floor = useYAxisScale(props.axis)?.(0);
  if (dots === null || floor === undefined) return null;
  return (
    <ZIndexLayer zIndex={100}>
      <path d={areaPath(dots, floor)} className={styles.refusedArea} />
      <path d={linePath(dots, 'step')} className={styles[props.look]} />
    </ZIndexLayer>
  );
}
