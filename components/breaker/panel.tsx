import type { ReactNode } from 'react';
import styles from './panel.module.css';

type Props = { title: string; aside?: ReactNode; children: ReactNode };

/** A titled box; the pages of this console are made of few of them. */
export function Panel({ title, aside, children }: Props) {
  return (
    <section className={styles.panel} aria-label={title}>
      <header className={styles.header}>
        <h2 className={styles.title}>{title}</h2>
        {aside !== undefined && <div className={styles.aside}>{aside}</div>}
      </header>
      {children}
    </section>
  );
}

type FactProps = { label: ReactNode; children: ReactNode; tone?: 'open' | 'half' | 'muted' };

/** One line of a panel: what it is on the left, what it is worth on the right. */
export function Fact({ label, children, tone }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd data-tone={tone}>{children}</dd>
    </div>
  );
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}
