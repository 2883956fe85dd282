'use client';

import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

type Tab<T extends string> = { value: T; label: ReactNode; count?: number; panel: ReactNode };
type Props<T extends string> = {
  tabs: readonly Tab<T>[];
  value: T;
  onValue: (value: T) => void;
  label: string;
};

export function Tabs<T extends string>({ tabs, value, onValue, label }: Props<T>) {
  return (
    <Base.Root value={value} onValueChange={(next: T) => onValue(next)}>
      <Base.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className={styles.panel}>
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
