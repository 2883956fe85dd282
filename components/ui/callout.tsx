import { AlertTriangle, CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './callout.module.css';

export type CalloutTone = 'info' | 'warning' | 'danger';
const ICONS = { info: Info, warning: AlertTriangle, danger: CircleAlert };

type Props = {
  tone?: CalloutTone;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** `alert` interrupts a screen reader; keep it for what a person must act on. */
  role?: 'alert' | 'note';
};

export function Callout({ tone = 'info', title, children, action, role = 'note' }: Props) {
  const Icon = ICONS[tone];
  return (
    <div className={styles.callout} data-tone={tone} role={role}>
      <Icon size={16} aria-hidden="true" className={styles.icon} />
      <div className={styles.text}>
        <strong>{title}</strong>
        {children !== undefined && <div className={styles.body}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
