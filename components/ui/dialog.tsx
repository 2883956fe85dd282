'use client';

import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from './button';
import styles from './dialog.module.css';

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, the way out first. */
  footer?: ReactNode;
  width?: 'narrow' | 'wide';
  /** What has the focus at first; else the first thing that can. */
  initialFocus?: RefObject<HTMLElement | null>;
};

/** Traps focus, closes on Escape, gives focus back. A click outside never loses what was typed. */
export function Dialog(props: Props) {
  const { open, onOpenChange, title, description, children, footer, width, initialFocus } = props;
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          className={styles.popup}
          data-width={width ?? 'narrow'}
          {...(initialFocus ? { initialFocus } : {})}
        >
          <header className={styles.header}>
            <div>
              <Base.Title className={styles.title}>{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className={styles.description}>{description}</Base.Description>
              )}
            </div>
            <Base.Close
              render={
                <IconButton label="Close">
                  <X size={16} />
                </IconButton>
              }
            />
          </header>
          {children !== undefined && <div className={styles.body}>{children}</div>}
          {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
