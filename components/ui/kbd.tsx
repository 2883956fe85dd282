import { Fragment } from 'react';
import styles from './kbd.module.css';

/** Keycaps, one after the other; as words they are apart. */
export function Kbd({ caps }: { caps: readonly string[] }) {
  return (
    <span className={styles.caps}>
      {caps.map((cap, index) => (
        // The same key twice is the same cap twice.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={`${cap}${index}`}>
          {index > 0 && ' '}
          <kbd className={styles.cap}>{cap}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
