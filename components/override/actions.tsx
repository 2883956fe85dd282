'use client';

import { Ellipsis, LockOpen, Lock, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem } from '@/components/ui/menu';
import { useShortcut } from '@/components/shortcuts/use-shortcut';
import { useMe } from '@/lib/client/people-queries';
import type { BreakerView } from '@/lib/protocol/views';
import { allowsPerson } from './allowed';
import type { Kind } from './kinds';
import { OverrideDialog } from './override-dialog';
import styles from './override.module.css';

/** The handles of one breaker. Each opens a dialog; none does anything by itself. */
export function OverrideActions({ row }: { row: BreakerView }) {
  const [kind, setKind] = useState<Kind | null>(null);
  const me = useMe().data;
  const may = me === undefined || allowsPerson(me, 'override.issue', row);
  useShortcut('override', () => setKind('force_open'), may && kind === null);
  if (!may) {
    return (
      <span className={styles.hint}>
        Acting here needs an operator for {row.service} in {row.environment}
      </span>
    );
  }
  return (
    <>
      <Button icon={<Lock />} onClick={() => setKind('force_open')}>
        Force open
      </Button>
      <Button icon={<LockOpen />} onClick={() => setKind('force_closed')}>
        Force closed
      </Button>
      <Menu
        trigger={
          <IconButton label="More actions" kind="secondary">
            <Ellipsis size={15} />
          </IconButton>
        }
      >
        <MenuItem icon={<RotateCcw size={14} />} onSelect={() => setKind('reset')}>
          Reset to closed
        </MenuItem>
      </Menu>
      {kind !== null && (
        <OverrideDialog key={kind} row={row} kind={kind} onClose={() => setKind(null)} />
      )}
    </>
  );
}
