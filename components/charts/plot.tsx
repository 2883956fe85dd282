import type { ReactNode } from 'react';
import { Backdrop } from './backdrop';
import { AXIS_HEIGHT, FOOT, PLOT_TOP } from './geometry';
import { Overlay } from './overlay';
import { useStack } from './stack-context';
import styles from './plot.module.css';

type Props = {
  height: number;
  /** With the time axis under it. */
  withAxis?: boolean;
  /** Said in the middle of an empty plot. */
  empty?: string | null;
  children: ReactNode;
};

/** Three layers of one chart: bands behind, Recharts in the middle, pointer and cursor on top. */
export function Plot({ height, withAxis = false, empty, children }: Props) {
  const { geometry } = useStack();
  const box = {
    top: PLOT_TOP,
    bottom: withAxis ? AXIS_HEIGHT : FOOT,
    left: geometry.left,
    right: geometry.right,
  };
  return (
    <div className={styles.plot} style={{ height }}>
      <div className={styles.layer} style={box}>
        <Backdrop />
      </div>
      {children}
      {empty && (
        <div className={styles.empty} style={box}>
          <span data-export="text">{empty}</span>
        </div>
      )}
      <div className={styles.layer} style={box}>
        <Overlay />
      </div>
    </div>
  );
}
