'use client';

import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog } from '@/components/ui/dialog';
import { Countdown, Time } from '@/components/ui/time';
import { errorText } from '@/lib/client/api-error';
import { useAct, useCommand } from '@/lib/client/command-queries';
import { cancelCommand, type CommandBody } from '@/lib/client/commands';
import { useBreaker, useOverrides } from '@/lib/client/use-live';
import type { CommandView } from '@/lib/protocol/command-views';
import type { OverrideView } from '@/lib/protocol/views';
import { overridesOf, waits } from './command-words';
import type { First } from './draft';
import { isActive, KINDS } from './kinds';
import { GroupProgress } from './progress';
import { endText, groupProgressText, leftOf, progressOf, type Progress } from './progress-words';
import { ReturnCommandButton } from './return-button';
import { ScopeName } from './scope-name';

const HEAD: Record<Progress, { tone: 'info' | 'warning' | 'danger'; title: string }> = {
  waiting: { tone: 'info', title: 'Sent; waiting for the instances' },
  all: { tone: 'info', title: 'Every instance has applied it' },
  some: { tone: 'warning', title: 'Not every instance has applied it' },
  none: { tone: 'danger', title: 'No instance has applied it' },
};

function Waiting({ command }: { command: CommandView }) {
  const { status, approvalEndsAt, startAt } = command;
  if (status === 'pending_approval') {
    return (
      <Callout tone="info" title="Waits for approval by a second person">
        Nothing has been sent to any instance.{' '}
        {approvalEndsAt !== null && (
          <>
            <Countdown to={approvalEndsAt} past={() => '00:00'} /> left, then it expires. Whoever
            approves finds it under Overrides.
          </>
        )}
      </Callout>
    );
  }
  if (status === 'scheduled') {
    return (
      <Callout tone="info" title="Scheduled">
        {startAt !== null && (
          <>
            Starts at <Time at={startAt} show="instant" />, in <Countdown to={startAt} />. Nothing
            has been sent to any instance.
          </>
        )}
      </Callout>
    );
  }
  const by = command.statusBy === null ? '' : ` by ${command.statusBy}`;
  return (
    <Callout tone="danger" title={`It was not sent: ${status}${by}`}>
      {command.statusReason ?? 'No reason was given.'}
    </Callout>
  );
}

type RetryProps = {
  override: OverrideView;
  onRetry: (first: First) => void;
  /** Of several breakers: it says which one. */
  named?: boolean;
};

/** [U-25] Only for the failed ones; a dialog with fresh facts follows. */
function Retry({ override, onRetry, named = false }: RetryProps) {
  const row = useBreaker(override.breakerId);
  const left = leftOf(override, useOverrides());
  if (row === null || left.length === 0) return null;
  const text = `Try again on ${left.length} failed`;
  const { reason, service, breaker } = override;
  return (
    <Button
      {...(named
        ? { size: 'small', 'aria-label': `${text}: ${service} / ${breaker}` }
        : { size: 'medium' })}
      onClick={() => onRetry({ row, reason, instanceIds: left })}
    >
      {text}
    </Button>
  );
}

type IssuedProps = { overrides: readonly OverrideView[] } & Pick<RetryProps, 'onRetry'>;

function Issued({ overrides, onRetry }: IssuedProps) {
  const targets = overrides.flatMap((one) => one.targets);
  const head = HEAD[progressOf({ targets })];
  const running = overrides.filter((one) => one.endedAt === null);
  const [first] = overrides;
  const soonest = Math.min(...running.filter(isActive).map(({ endsAt }) => endsAt));
  const ended = running.length === 0 && first !== undefined;
  const untaken = overrides.every(({ endReason }) => endReason === 'undeliverable');
  return (
    <>
      <output>
        <Callout
          tone={ended && !untaken ? 'info' : head.tone}
          title={ended ? endText(first) : head.title}
        >
          {ended && !untaken && 'It was '}
          {groupProgressText(overrides)}
          {Number.isFinite(soonest) && (
            <>
              {' '}
              · ends in <Countdown to={soonest} />
            </>
          )}
        </Callout>
      </output>
      <GroupProgress
        overrides={overrides}
        renderBelow={(one) => <Retry override={one} onRetry={onRetry} named />}
      />
    </>
  );
}

function TakeBack({ id }: { id: string }) {
  const cancel = useAct(() => cancelCommand(id));
  return (
    <>
      {cancel.error && <span role="alert">{errorText(cancel.error)}</span>}
      <Button busy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
        Take it back
      </Button>
    </>
  );
}

type Props = { issued: CommandBody; onClose: () => void; onRetry: (first: First) => void };

/** After sending: what each instance answered. The live store knows more than the first answer. */
export function SentView({ issued, onClose, onRetry }: Props) {
  const { command } = useCommand(issued).data;
  const overrides = overridesOf(command, useOverrides());
  const active = overrides.some(isActive);
  const [first] = overrides;
  return (
    <Dialog
      open
      width="wide"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={
        <>
          {KINDS[command.kind].name} <ScopeName command={command} />
        </>
      }
      footer={
        <>
          {waits(command) && <TakeBack id={command.id} />}
          {active && first !== undefined && (
            <ReturnCommandButton
              id={command.id}
              kind="secondary"
              about={first.breaker}
              places={overrides}
            />
          )}
          {overrides.length === 1 && first !== undefined && (
            <Retry override={first} onRetry={onRetry} />
          )}
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {command.status === 'issued' && overrides.length > 0 ? (
        <Issued overrides={overrides} onRetry={onRetry} />
      ) : (
        <Waiting command={command} />
      )}
    </Dialog>
  );
}
