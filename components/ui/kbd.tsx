import styles from './kbd.module.css';

/** Keycaps, one after the other. */
export function Kbd({ caps }: { caps: readonly string[] }) {
  return (
    <span className={styles.caps}>
      {caps.map((cap, index) => (
        // The same key twice is the same cap twice.
        // oxlint-disable-next-line react/no-array-index-key
        <kbd key={`${cap}${index}`} className={styles.cap}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
