'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { errorText } from '@/lib/client/api-error';
import { useMe } from '@/lib/client/people-queries';
import { useReleaseOverride } from '@/lib/client/queries';
import type { BreakerView } from '@/lib/protocol/views';
import type { Kind } from '../override/kinds';
import { runShortcut } from '../shortcuts/use-shortcut';
import type { Item } from './items';
import { keepRecent } from './recent';
import { useTypeAhead } from './use-type-ahead';

type Asked = { kind: Kind; row: BreakerView };

/** Whether the palette is open, and what becomes of a choice. */
export function useChosen() {
  const router = useRouter();
  const { data: me } = useMe();
  const release = useReleaseOverride();
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [asked, setAsked] = useState<Asked | null>(null);

  const close = () => {
    setOpen(false);
    release.reset();
  };
  useTypeAhead(isOpen, { type: (letter) => setQuery((text) => text + letter), close });
  const run = (item: Item) => {
    if (item.lacks !== undefined) return;
    if (me) keepRecent(me.person.id, item.id);
    const { act } = item;
    if (act.type === 'return') {
      // It stays open until the server has taken it, so that a refusal is read.
      release.mutate({ id: act.override.id, body: {} }, { onSuccess: close });
      return;
    }
    close();
    if (act.type === 'open') router.push(act.path);
    else if (act.type === 'override') setAsked({ kind: act.kind, row: act.row });
    else if (act.type === 'copy-link') void navigator.clipboard.writeText(window.location.href);
    // After the dialog has gone: what the key opens may be one itself.
    else if (act.type === 'key') window.setTimeout(() => runShortcut(act.id), 0);
  };
  return {
    isOpen,
    query,
    setQuery,
    open: () => {
      setQuery('');
      setOpen(true);
    },
    close,
    run,
    error: release.error === null ? null : errorText(release.error),
    asked,
    forget: () => setAsked(null),
  };
}
export type Chosen = ReturnType<typeof useChosen>;
