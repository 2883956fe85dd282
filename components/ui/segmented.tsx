'use client';

import { Toggle } from '@base-ui/react/toggle';
import { ToggleGroup } from '@base-ui/react/toggle-group';
import type { ReactNode } from 'react';
import styles from './segmented.module.css';

type Props<T extends string> = {
  label: string;
  value: T;
  onValue: (value: T) => void;
  /** With an icon as label, `name` says what it is. */
  options: readonly { value: T; label: ReactNode; name?: string }[];
};

/** One of a few; exactly one is always pressed. */
export function Segmented<T extends string>({ label, value, onValue, options }: Props<T>) {
  return (
    <ToggleGroup
      aria-label={label}
      className={styles.group}
      value={[value]}
      onValueChange={(next) => {
        const chosen = options.find((option) => option.value === next[0]);
        if (chosen) onValue(chosen.value);
      }}
    >
      {options.map((option) => (
        <Toggle
          key={option.value}
          value={option.value}
          className={styles.segment}
          {...(option.name ? { 'aria-label': option.name, title: option.name } : {})}
        >
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  );
}
