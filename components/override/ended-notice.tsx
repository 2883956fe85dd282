'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { useBreaker } from '@/lib/client/use-live';
import type { OverrideView } from '@/lib/protocol/views';
import { KINDS } from './kinds';
import { OverrideDialog } from './override-dialog';
import { endText } from './progress-words';
import styles from './override-bar.module.css';

/** That one has ended, and the way back: it asks for it anew, with a fresh preview. [U-20, U-26] */
export function EndedNotice({
  override,
  onAgain,
}: {
  override: OverrideView;
  onAgain: () => void;
}) {
  return (
    <output className={styles.ended}>
      <span className={styles.text}>
        <span className={styles.link}>{override.breaker}</span>
        <span className={styles.who}>
          is no longer {KINDS[override.kind].done.toLowerCase()}: {endText(override)}
        </span>
      </span>
      <Button size="small" kind="quiet" onClick={onAgain}>
        {KINDS[override.kind].name} again…
      </Button>
    </output>
  );
}

/** Outlives the notice that opened it. */
export function useAgain() {
  const [again, setAgain] = useState<OverrideView | null>(null);
  const row = useBreaker(again?.breakerId ?? '');
  const dialog =
    again === null || row === null ? null : (
      <OverrideDialog row={row} kind={again.kind} onClose={() => setAgain(null)} />
    );
  return { ask: setAgain, dialog };
}
