'use client';

import { Filter, Lock, LockOpen, X } from 'lucide-react';
import { useState } from 'react';
import { useBreaker } from '@/lib/client/use-live';
import { KINDS, type Kind } from '../override/kinds';
import { OverrideDialog } from '../override/override-dialog';
import { Button, IconButton } from '../ui/button';
import styles from './bulk-bar.module.css';
import { MAX_ONLY } from './filter';

type Run = { readonly kind: Kind; readonly ids: readonly string[]; readonly done: number };

/** One breaker's dialog at a time: each has a preview and facts of its own, which have to be seen. */
function DialogOf({ id, kind, onClose }: { id: string; kind: Kind; onClose: () => void }) {
  const row = useBreaker(id);
  return row === null ? null : <OverrideDialog row={row} kind={kind} onClose={onClose} />;
}

function NextName({ id }: { id: string }) {
  const row = useBreaker(id);
  return <bdi className={styles.name}>{row?.name ?? id}</bdi>;
}

function Running({ run, onGo, onStop }: { run: Run; onGo: () => void; onStop: () => void }) {
  const next = run.ids[run.done];
  if (next === undefined) return null;
  return (
    <span className={styles.run}>
      {run.done} of {run.ids.length} looked at, next <NextName id={next} />
      <Button size="small" kind="primary" onClick={onGo}>
        {KINDS[run.kind].name} the next
      </Button>
      <Button size="small" kind="quiet" onClick={onStop}>
        Stop
      </Button>
    </span>
  );
}

type Props = { ids: readonly string[]; onClear: () => void; onNarrow: () => void };

/** What can be done with the selected breakers. Nothing happens here: every way leads to a dialog. */
export function BulkBar({ ids, onClear, onNarrow }: Props) {
  const [run, setRun] = useState<Run | null>(null);
  const [open, setOpen] = useState(false);
  const start = (kind: Kind) => {
    setRun({ kind, ids, done: 0 });
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    setRun((now) =>
      now === null || now.done + 1 >= now.ids.length ? null : { ...now, done: now.done + 1 },
    );
  };
  const at = run?.ids[run.done];
  return (
    <section className={styles.bar} aria-label="Selected breakers">
      <output className={styles.count}>
        {ids.length} {ids.length === 1 ? 'breaker' : 'breakers'} selected
      </output>
      {run !== null && !open ? (
        <Running run={run} onGo={() => setOpen(true)} onStop={() => setRun(null)} />
      ) : (
        <>
          <Button size="small" icon={<Lock />} onClick={() => start('force_open')}>
            Force open…
          </Button>
          <Button size="small" icon={<LockOpen />} onClick={() => start('force_closed')}>
            Force closed…
          </Button>
          {ids.length <= MAX_ONLY && (
            <Button size="small" kind="quiet" icon={<Filter />} onClick={onNarrow}>
              Show only these
            </Button>
          )}
        </>
      )}
      <span className={styles.end}>
        <IconButton label="Clear the selection (Escape)" size="small" onClick={onClear}>
          <X size={14} />
        </IconButton>
      </span>
      {run !== null && open && at !== undefined && (
        <DialogOf key={`${run.kind} ${at}`} id={at} kind={run.kind} onClose={close} />
      )}
    </section>
  );
}
