'use client';

import { Menu as Base } from '@base-ui/react/menu';
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
  /** The menu stays open, for what is pressed more than once. */
  stays?: boolean;
  children: ReactNode;
};

export function MenuItem({ icon, onSelect, disabled, stays = false, children }: ItemProps) {
  return (
    <Base.Item
      className={styles.item}
      onClick={onSelect}
      disabled={disabled ?? false}
      closeOnClick={!stays}
    >
      <span className={styles.itemIcon}>{icon}</span>
      {children}
    </Base.Item>
  );
}
