import type { ReactNode } from 'react';
import styles from './check.module.css';

type Props = {
  checked: boolean;
  onChecked: (checked: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
};

/** The platform's own box with its words beside it. */
export function Check({ checked, onChecked, disabled, children }: Props) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChecked(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
