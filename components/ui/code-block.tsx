import type { ReactNode } from 'react';
import styles from './code-block.module.css';

type Props = { label: string; code: string; action?: ReactNode };

export function CodeBlock({ label, code, action }: Props) {
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        {label}
        {action}
      </figcaption>
      <pre className={styles.code}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
