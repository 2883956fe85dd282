import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './chip.module.css';

export type ChipTone = 'neutral' | 'accent' | 'half' | 'open' | 'forced' | 'off';

type Props = { tone?: ChipTone; icon?: ReactNode; children: ReactNode; title?: string };

export function Chip({ tone = 'neutral', icon, children, title }: Props) {
  return (
    <span className={styles.chip} data-tone={tone} title={title}>
      {icon}
      <span className={styles.text}>{children}</span>
    </span>
  );
}

type ActionProps = { onClick: () => void; children: ReactNode; icon?: ReactNode };

/** A chip that does something: "New order", say. */
export function ActionChip({ onClick, icon, children }: ActionProps) {
  return (
    <button type="button" className={styles.chip} data-tone="accent" onClick={onClick}>
      {icon}
      <span className={styles.text}>{children}</span>
    </button>
  );
}

/** A filter in force; the whole chip takes it away. */
export function RemovableChip({
  onRemove,
  children,
}: {
  onRemove: () => void;
  children: ReactNode;
}) {
  return (
    <button type="button" className={styles.chip} data-tone="neutral" onClick={onRemove}>
      <span className={styles.text}>{children}</span>
      <X size={12} aria-hidden="true" />
      <span className="visually-hidden">remove filter</span>
    </button>
  );
}
