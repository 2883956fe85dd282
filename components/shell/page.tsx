'use client';

import type { ReactNode } from 'react';
import { usePageTitle } from './page-title';
import styles from './page.module.css';

type Props = {
  title: string;
  /** Beside the title: a count, a badge. */
  aside?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  back?: ReactNode;
  children: ReactNode;
};

/** Title row and content of a page that reads like a document; the fleet lays itself out. */
export function Page({ title, aside, description, actions, back, children }: Props) {
  usePageTitle(title);
  return (
    <div className={styles.page}>
      {back !== undefined && <div className={styles.back}>{back}</div>}
      <header className={styles.header}>
        <div>
          <div className={styles.titleRow}>
            <h1>{title}</h1>
            {aside}
          </div>
          {description !== undefined && <p className={styles.description}>{description}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

type SectionProps = { title: string; aside?: ReactNode; actions?: ReactNode; children: ReactNode };

export function Section({ title, aside, actions, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <header className={styles.sectionHeader}>
        <h2>{title}</h2>
        {aside}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
