'use client';

import { useRef, useState } from 'react';
import { EnvironmentChip } from '@/components/shell/environments';
import { AlsoPreparing } from '@/components/presence/presence';
import { realError } from '@/components/people/step-up-dialog';
import { SimulatedMark } from '@/components/simulator/simulated-mark';
import { environmentKind } from '@/components/shell/environment-kind';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog } from '@/components/ui/dialog';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ApiError, errorText } from '@/lib/client/api-error';
import type { CommandBody } from '@/lib/client/commands';
import { useOverrides, useServerNow } from '@/lib/client/use-live';
import { Acts, actsSince, Conflict } from './conflict';
import { breaksGlass, type Draft, type First } from './draft';
import { OverrideForm } from './form';
import { Impact } from './impact';
import { changedFacts, confirmText } from './preview-words';
import { KINDS, type Kind } from './kinds';
import { minutes } from './lease';
import { reachWords, type Row } from './scope';
import { ScopeField } from './scope-field';
import { SentView } from './sent-view';
import { StepUp } from './step-up';
import { freshPreview, useOverrideDialog, type HeldDialog } from './use-dialog';
import styles from './override.module.css';

type Props = { row: Row; kind: Kind; onClose: () => void };
type Held = { held: HeldDialog };

/** [U-27] What is not as it was seen: who did what, and the facts. Nothing is sent again by itself. */
function Changes({ held }: Held) {
  const live = useOverrides();
  const { looked, latest } = held;
  if (held.changes.length === 0 || looked === null || latest === null) return null;
  const acts = actsSince(looked, live);
  const told = new Set(acts.map(({ breakerId }) => breakerId));
  const refused = freshPreview(held.issue.error) !== null;
  const what = acts.length > 0 ? 'somebody acted in the meantime' : 'the facts have changed';
  return (
    <Callout
      tone="warning"
      role="alert"
      title={refused ? `It was not sent: ${what}` : `Before you send: ${what}`}
      action={
        <Button size="small" onClick={held.lookAgain}>
          I have seen it
        </Button>
      }
    >
      <Acts acts={acts} kind={latest.kind} />
      <ul className={styles.changes}>
        {changedFacts(looked, latest, told).map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      The facts below are the new ones. Look at them, then send it or cancel.
    </Callout>
  );
}

function Facts({ held }: Held) {
  const { preview, latest, draft } = held;
  if (draft.scope === 'instances' && draft.instanceIds.length === 0) {
    return <p className={styles.hint}>Choose at least one instance to see what it would hit.</p>;
  }
  if (preview.isError && latest === null) {
    return (
      <Callout
        tone="danger"
        role="alert"
        title="What it would hit could not be computed"
        action={
          <Button size="small" onClick={() => void preview.refetch()}>
            Try again
          </Button>
        }
      >
        {errorText(preview.error)} Nothing can be sent without it.
      </Callout>
    );
  }
  if (latest === null) return <SkeletonRows rows={5} />;
  return (
    <>
      <Changes held={held} />
      <Impact preview={latest} />
    </>
  );
}

/** Somebody acted first, and the answer says who. */
const isConflict = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.code === 'conflict' && freshPreview(error) === null;

function Failure({ held, kind }: Held & { kind: Kind }) {
  const error = realError(held.issue.error);
  if (error === null) return null;
  if (isConflict(error)) return <Conflict error={error} kind={kind} />;
  // Told with what has changed.
  if (freshPreview(error) !== null && held.changes.length > 0) return null;
  return (
    <Callout tone="danger" role="alert" title="It was not sent">
      {errorText(error)}
    </Callout>
  );
}

/** [U-47] Production is named once more where it is confirmed. */
function reachIn(row: Row, { scope, instanceIds }: Draft): string {
  const reach = reachWords(row, scope, instanceIds.length);
  return environmentKind(row.environment) === 'production'
    ? `${reach} in ${row.environment}`
    : reach;
}

function SendButton({ held, row, kind }: Held & { row: Row; kind: Kind }) {
  const { draft, latest, issue } = held;
  const what = reachIn(row, draft);
  const text = confirmText(kind, what, kind === 'reset' ? null : minutes(draft.leaseMs));
  const glass = breaksGlass(draft, latest);
  const asks = latest?.needs.secondPerson === true && !glass;
  return (
    <Button
      kind={KINDS[kind].button}
      busy={issue.isPending}
      disabled={!held.canSend}
      onClick={held.send}
    >
      {asks ? 'Ask for approval: ' : glass ? 'Break glass: ' : ''}
      {text}
    </Button>
  );
}

function Editing({ row, kind, onClose, held, now }: Props & Held & { now: number }) {
  const reasonRef = useRef<HTMLTextAreaElement>(null);
  const { draft, issue } = held;
  return (
    <Dialog
      open
      width="wide"
      initialFocus={reasonRef}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`${KINDS[kind].name} ${row.name}`}
      description={
        <span className={styles.environment}>
          {row.service} → {row.target} <EnvironmentChip name={row.environment} />{' '}
          <SimulatedMark environment={row.environment} />
        </span>
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {isConflict(issue.error) ? (
            <Button kind="primary" onClick={held.lookAgain}>
              Look at the new facts
            </Button>
          ) : (
            <SendButton held={held} row={row} kind={kind} />
          )}
        </>
      }
    >
      <AlsoPreparing breakerId={row.id} />
      <Failure held={held} kind={kind} />
      <ScopeField row={row} kind={kind} draft={draft} onDraft={held.edit} />
      <Facts held={held} />
      <OverrideForm
        row={row}
        kind={kind}
        draft={draft}
        problems={held.shown}
        preview={held.latest}
        now={now}
        reasonRef={reasonRef}
        onDraft={held.edit}
        onLeave={held.leave}
        onSend={() => {
          if (held.canSend) held.send();
        }}
      />
      <StepUp
        what={`${KINDS[kind].name} ${reachIn(row, draft)}`}
        error={issue.error}
        onProved={held.sendProved}
        onClose={() => issue.reset()}
      />
    </Dialog>
  );
}

type AttemptProps = Props & { first: First | null; onSent: (issued: CommandBody) => void };

function Attempt({ row, kind, onClose, first, onSent }: AttemptProps) {
  const [openedAt] = useState(() => Date.now());
  const now = useServerNow() ?? openedAt;
  const held = useOverrideDialog({ row, kind, first, now, onSent });
  return <Editing row={row} kind={kind} onClose={onClose} held={held} now={now} />;
}

type Turn = {
  readonly first: First | null;
  /** What has been sent: its answers are shown. */
  readonly sent: CommandBody | null;
  /** The outcome over several breakers that a retry goes back to. */
  readonly back: CommandBody | null;
};
const START: Turn = { first: null, sent: null, back: null };

/** From the preview to the answer of every instance; a retry looks at the facts anew. */
export function OverrideDialog({ row, kind, onClose }: Props) {
  const [{ first, sent, back }, setTurn] = useState(START);
  const [count, setCount] = useState(0);
  const close = back === null ? onClose : () => setTurn({ first: null, sent: back, back: null });
  if (sent !== null) {
    const { scope } = sent.command;
    const isWide = scope.kind === 'service' || scope.kind === 'target';
    return (
      <SentView
        issued={sent}
        onClose={close}
        onRetry={(next) => {
          setCount(count + 1);
          setTurn({ first: next, sent: null, back: isWide ? sent : back });
        }}
      />
    );
  }
  return (
    <Attempt
      key={count}
      row={first?.row ?? row}
      kind={kind}
      first={first}
      onClose={close}
      onSent={(issued) => setTurn({ first, sent: issued, back })}
    />
  );
}
