import { memo } from 'react';
import { areaPath, gapsOf } from './spark-path';
import styles from './sparkline.module.css';

const WIDTH = 108;
const HEIGHT = 20;

/** Put once on a page that draws sparklines; the pattern that marks missing data. */
export function SparkDefs() {
  return (
    <svg width="0" height="0" aria-hidden="true" className={styles.defs}>
      <defs>
        <pattern id="spark-gap" width="4" height="4" patternUnits="userSpaceOnUse">
          <path d="M0 4 4 0" className={styles.hatch} />
        </pattern>
      </defs>
    </svg>
  );
}

/** Below this a line is the noise of a healthy service and stays neutral. */
const HOT_SHARE = 0.1;

/** Five minutes of failed and refused calls as a share of all, 0 to 100 %. */
export const Sparkline = memo(function Sparkline({
  values,
}: {
  values: readonly (number | null)[];
}) {
  const { area, line } = areaPath(values, WIDTH, HEIGHT - 2);
  const hot = values.some((value) => value !== null && value >= HOT_SHARE);
  const unit = values.length === 0 ? 0 : WIDTH / values.length;
  return (
    <svg
      className={styles.spark}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <path d={`M0 ${HEIGHT - 1.5}H${WIDTH}`} className={styles.base} />
      <g transform="translate(0 1)">
        {gapsOf(values).map(({ from, to }) => (
          <rect
            key={from}
            x={from * unit}
            width={(to - from) * unit}
            height={HEIGHT - 2}
            fill="url(#spark-gap)"
          />
        ))}
        <path d={area} className={styles.area} />
        <path d={line} className={styles.line} data-hot={hot || undefined} />
      </g>
    </svg>
  );
});
