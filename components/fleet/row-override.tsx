'use client';

import { useState } from 'react';
import { useMe } from '@/lib/client/people-queries';
import { useBreaker } from '@/lib/client/use-live';
import { allowsPerson } from '../override/allowed';
import { OverrideDialog } from '../override/override-dialog';
import { useShortcut } from '../shortcuts/use-shortcut';

function Dialog({ id, onClose }: { id: string; onClose: () => void }) {
  const row = useBreaker(id);
  return row === null ? null : <OverrideDialog row={row} kind="force_open" onClose={onClose} />;
}

/** [U-33] The key of the override, for the row under the cursor: it opens the dialog of that row. */
export function RowOverride({ id }: { id: string }) {
  const [opened, setOpened] = useState<string | null>(null);
  const row = useBreaker(id);
  const { data: me } = useMe();
  const may = row !== null && me !== undefined && allowsPerson(me, 'override.issue', row);
  useShortcut('override', () => setOpened(id), may && opened === null);
  // The cursor may move on behind the dialog: it stays that of the row it was opened for.
  return opened === null ? null : <Dialog id={opened} onClose={() => setOpened(null)} />;
}
