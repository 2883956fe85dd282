import styles from './skeleton.module.css';

type Props = { width?: number | string; height?: number | string };

/** A still placeholder of the size of what comes; it does not shimmer. */
export function Skeleton({ width = '100%', height = 12 }: Props) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}

export function SkeletonRows({ rows = 6 }: { rows?: number }) {
  return (
    <div className={styles.rows} aria-busy="true">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.row}>
          <Skeleton width={`${38 - (row % 3) * 7}%`} />
          <Skeleton width={`${14 + (row % 2) * 5}%`} />
          <Skeleton width="10%" />
        </div>
      ))}
    </div>
  );
}
