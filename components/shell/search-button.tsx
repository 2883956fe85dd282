'use client';

import { Search } from 'lucide-react';
import { isApple, keycaps } from '../shortcuts/chord';
import { runShortcut, useKeys } from '../shortcuts/use-shortcut';
import { useHydrated } from '../ui/use-hydrated';
import styles from './top-bar.module.css';

/** The way into the palette for those who do not know its key, and where the key is learned. */
export function SearchButton() {
  const { keys, aria } = useKeys('palette');
  // The server does not know what is on the keyboard.
  const apple = useHydrated() && isApple();
  return (
    <button
      type="button"
      className={styles.search}
      aria-keyshortcuts={aria}
      onClick={() => runShortcut('palette')}
    >
      <Search size={14} aria-hidden="true" />
      <span className="visually-hidden">Search everything</span>
      <kbd className={styles.searchKey}>{keycaps(keys, apple).join(apple ? '' : ' ')}</kbd>
    </button>
  );
}
