'use client';

import { Search } from 'lucide-react';
import { useState } from 'react';
import { Input } from '../ui/field';
import styles from './toolbar.module.css';
import { useSearchKey } from './use-search-key';

type Props = { value: string; onText: (text: string) => void };

/** The address follows a moment behind the keys, so while somebody types the field has its own text. */
export function SearchBox({ value, onText }: Props) {
  const input = useSearchKey();
  const [typed, setTyped] = useState<string | null>(null);
  const type = (text: string) => {
    setTyped(text);
    onText(text);
  };
  return (
    <div className={styles.search}>
      <Search size={14} aria-hidden="true" />
      <Input
        ref={input}
        type="search"
        value={typed ?? value}
        placeholder="Breaker, service or target"
        aria-label="Search breakers"
        onBlur={() => setTyped(null)}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') type('');
        }}
      />
      <kbd className={styles.key} aria-hidden="true">
        /
      </kbd>
    </div>
  );
}
