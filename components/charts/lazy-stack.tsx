'use client';

import dynamic from 'next/dynamic';
import styles from './chart-stack.module.css';

/** Recharts is loaded with the first breaker page, not with the fleet. */
export const LazyChartStack = dynamic(
  () => import('./chart-stack').then((module) => module.ChartStack),
  {
    ssr: false,
    loading: () => (
      <div className={`${styles.stack} ${styles.placeholder}`} aria-busy="true">
        Loading charts
      </div>
    ),
  },
);
