import type { ComponentProps } from 'react';
import { cx } from './cx';
import styles from './table.module.css';

/** A plain table for short lists. Wide content scrolls inside, never the page. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return (
    // Scrolls by keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.scroll} tabIndex={0} aria-label={rest['aria-label']}>
      <table {...rest} className={cx(styles.table, className)} />
    </section>
  );
}

type CellProps = { numeric?: boolean };

export function Th({ numeric, className, ...rest }: ComponentProps<'th'> & CellProps) {
  return <th scope="col" {...rest} className={cx(numeric && styles.numeric, className)} />;
}

export function Td({ numeric, className, ...rest }: ComponentProps<'td'> & CellProps) {
  return <td {...rest} className={cx(numeric && styles.numeric, className)} />;
}
