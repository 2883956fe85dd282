import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

type Props = { title: string; children?: ReactNode; action?: ReactNode; icon?: ReactNode };

/** Says what is missing, why, and the next step. */
export function EmptyState({ title, children, action, icon }: Props) {
  return (
    <div className={styles.empty}>
      {icon !== undefined && <div className={styles.icon}>{icon}</div>}
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <div className={styles.body}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
