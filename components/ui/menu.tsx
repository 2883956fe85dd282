'use client';

import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import styles from './overlay.module.css';

/** `trigger` is a Button or IconButton; its label names the menu. */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className={styles.positioner}>
          <Base.Popup className={styles.menu}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type ItemProps = {
  icon?: ReactNode;
  onSelect: () => void;
  disabled?: boolean;
  children: ReactNode;
};

export function MenuItem({ icon, onSelect, disabled, children }: ItemProps) {
  return (
    <Base.Item className={styles.item} onClick={onSelect} disabled={disabled ?? false}>
      <span className={styles.itemIcon}>{icon}</span>
      {children}
    </Base.Item>
  );
}

type ChoiceProps<T extends string> = {
  value: T;
  onValue: (value: T) => void;
  options: readonly { value: T; label: string; icon?: ReactNode }[];
};

export function MenuChoice<T extends string>({ value, onValue, options }: ChoiceProps<T>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next: T) => onValue(next)}>
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          className={styles.item}
          closeOnClick
        >
          <span className={styles.itemIcon}>{option.icon}</span>
          {option.label}
          <Base.RadioItemIndicator className={styles.check}>
            <Check size={14} aria-hidden="true" />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
