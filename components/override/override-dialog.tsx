'use client';

import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog } from '@/components/ui/dialog';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ApiError, errorText } from '@/lib/client/api-error';
import { useServerNow } from '@/lib/client/use-live';
import type { BreakerView } from '@/lib/protocol/views';
import { Conflict } from './conflict';
import { OverrideForm } from './form';
import { Impact } from './impact';
import { confirmText } from './impact-words';
import { KINDS, type Kind } from './kinds';
import { minutes } from './lease';
import { SentView } from './sent-view';
import { useOverrideDialog } from './use-dialog';
import styles from './override.module.css';

type Row = Pick<BreakerView, 'id' | 'name' | 'service' | 'environment' | 'target'>;
type Props = { row: Row; kind: Kind; onClose: () => void };
type Held = ReturnType<typeof useOverrideDialog>;

function Facts({ held, kind }: { held: Held; kind: Kind }) {
  const { impact, latest, changed } = held;
  if (impact.isError && latest === null) {
    return (
      <Callout
        tone="danger"
        role="alert"
        title="What it would hit could not be computed"
        action={
          <Button size="small" onClick={() => void impact.refetch()}>
            Try again
          </Button>
        }
      >
        {errorText(impact.error)} Nothing can be sent without it.
      </Callout>
    );
  }
  if (latest === null) return <SkeletonRows rows={3} />;
  return (
    <>
      {changed && (
        <Callout
          tone="warning"
          role="alert"
          title="The facts have changed while you were here"
          action={
            <Button size="small" onClick={held.lookAgain}>
              I have seen it
            </Button>
          }
        >
          Look at them again before you send.
        </Callout>
      )}
      <Impact kind={kind} impact={latest} />
    </>
  );
}

function Failure({ held, kind }: { held: Held; kind: Kind }) {
  const { error } = held.issue;
  if (error === null) return null;
  if (held.conflict && error instanceof ApiError) return <Conflict error={error} kind={kind} />;
  return (
    <Callout tone="danger" role="alert" title="It was not sent">
      {errorText(error)}
    </Callout>
  );
}

function Editing({ row, kind, onClose, held }: Props & { held: Held }) {
  const now = useServerNow();
  const { draft, latest, changed, issue, conflict } = held;
  const lease = kind === 'reset' ? null : minutes(draft.leaseMs);
  return (
    <Dialog
      open
      width="wide"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`${KINDS[kind].name} ${row.name}`}
      description={
        <span className={styles.environment}>
          {row.service} → {row.target} in <b>{row.environment}</b>
        </span>
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {conflict ? (
            <Button kind="primary" onClick={held.lookAgain}>
              Look at the new facts
            </Button>
          ) : (
            <Button
              kind={KINDS[kind].button}
              busy={issue.isPending}
              disabled={latest === null || changed}
              onClick={held.send}
            >
              {confirmText(kind, row.name, lease)}
            </Button>
          )}
        </>
      }
    >
      <Failure held={held} kind={kind} />
      <Facts held={held} kind={kind} />
      <OverrideForm
        kind={kind}
        draft={draft}
        errors={held.errors}
        now={now}
        onDraft={held.edit}
        onLeave={held.leave}
      />
    </Dialog>
  );
}

/** From the preview to the answer of every instance. */
export function OverrideDialog({ row, kind, onClose }: Props) {
  const held = useOverrideDialog(row.id, kind);
  if (held.issue.data) return <SentView issued={held.issue.data.override} onClose={onClose} />;
  return <Editing row={row} kind={kind} onClose={onClose} held={held} />;
}
