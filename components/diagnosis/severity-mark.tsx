import type { Severity } from '@/lib/protocol/findings';
import styles from './diagnosis.module.css';

/** Told apart by shape as well as by tone: a filled triangle, an empty one, a ring. */
export function SeverityMark({ severity, size = 14 }: { severity: Severity; size?: number }) {
  const triangle = 'M7 1.6 13 12.4H1Z';
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 14 14"
      aria-hidden="true"
      className={styles.mark}
      data-severity={severity}
      fill={severity === 'harm' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinejoin="round"
    >
      {severity === 'note' ? <circle cx="7" cy="7" r="4.8" /> : <path d={triangle} />}
    </svg>
  );
}
