import type { TimeDomain } from '@/lib/series/types';
import { placed } from './percent';
import styles from './backdrop.module.css';

type Props = { domain: TimeDomain; span: TimeDomain; reason: string };

/** [U-07] What is missing, hatched over its whole time, with the reason where there is room for it. */
export function Gap({ domain, span, reason }: Props) {
  const place = placed(domain, span);
  if (place === null) return null;
  return (
    <div className={styles.gap} data-export="box" style={{ left: place.left, width: place.width }}>
      {place.share > 0.09 && (
        <span className={styles.reason} data-export="text">
          {reason}
        </span>
      )}
    </div>
  );
}
