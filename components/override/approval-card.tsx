'use client';

import { realError } from '@/components/people/step-up-dialog';
import { SimulatedMark } from '@/components/simulator/simulated-mark';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Chip } from '@/components/ui/chip';
import { Field, Input } from '@/components/ui/field';
import { formatDuration } from '@/components/ui/format';
import { QueryState } from '@/components/ui/query-state';
import { Countdown, Time } from '@/components/ui/time';
import { errorText } from '@/lib/client/api-error';
import { useAct, usePreview } from '@/lib/client/command-queries';
import { approveCommand, cancelCommand, denyCommand } from '@/lib/client/commands';
import { useMe } from '@/lib/client/people-queries';
import { useBreaker, useServiceOf } from '@/lib/client/use-live';
import type { CommandView } from '@/lib/protocol/command-views';
import { allowsPerson, isOwnCommand, placesOf, type Place } from './allowed';
import { Impact } from './impact';
import { KINDS } from './kinds';
import { RISKS } from './preview-words';
import { NameField } from './name-field';
import { isName, nameToType } from './scope';
import { ScopeName } from './scope-name';
import { StepUp } from './step-up';
import { breakersOf } from './waiting-notice';
import styles from './commands.module.css';

const DENIAL_MIN = 3;

function Failed({ error, title }: { error: Error | null; title: string }) {
  if (error === null) return null;
  return (
    <Callout tone="danger" role="alert" title={title}>
      {errorText(error)}
    </Callout>
  );
}

/** The server's own count of what it would hit now: the same that the requester saw. */
function Summary({ command }: { command: CommandView }) {
  const { scope, kind, includeNew, leaseMs } = command;
  const preview = usePreview({ scope, kind, includeNew, ...(kind === 'reset' ? {} : { leaseMs }) });
  return (
    <QueryState query={preview} what="What it would hit" rows={3}>
      {(data) => <Impact preview={data} />}
    </QueryState>
  );
}

function Deny({ id, onBack }: { id: string; onBack: () => void }) {
  const [reason, setReason] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const deny = useAct(() => denyCommand(id, { reason: reason.trim() }));
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      className={styles.deny}
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim().length >= DENIAL_MIN) deny.mutate(undefined);
      }}
    >
      <Failed error={deny.error} title="It was not denied" />
      <Field label="Why not" hint="The requester reads it.">
        {(wiring) => (
          <Input
            {...wiring}
            ref={input}
            autoComplete="off"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
      <div className={styles.buttons}>
        <Button
          kind="danger"
          type="submit"
          busy={deny.isPending}
          disabled={reason.trim().length < DENIAL_MIN}
        >
          Deny
        </Button>
        <Button onClick={onBack}>Back</Button>
      </div>
    </form>
  );
}

/** [U-20] Another command is not approved by a slip: its name is typed, as whoever asked for it did. */
function Approve({ command, onBack }: { command: CommandView; onBack: () => void }) {
  const [typed, setTyped] = useState('');
  const row = useBreaker(command.facts.breakers[0]?.breakerId ?? '');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  // Of the summary that is on the screen: another one by then is refused and shown anew.
  const approve = useAct((stepUpId: string | null) =>
    approveCommand(command.id, {
      digest: command.digest,
      ...(stepUpId === null ? {} : { stepUpId }),
    }),
  );
  const name = row === null ? '' : nameToType(row, command.scope.kind);
  const isTyped = name !== '' && isName(typed, name);
  return (
    <>
      <form
        className={styles.deny}
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped) approve.mutate(null);
        }}
      >
        <Failed error={realError(approve.error)} title="It was not approved" />
        <NameField name={name} value={typed} inputRef={input} onValue={setTyped} />
        <div className={styles.buttons}>
          <Button
            kind={KINDS[command.kind].button}
            type="submit"
            busy={approve.isPending}
            disabled={!isTyped}
          >
            Approve: {KINDS[command.kind].name.toLowerCase()} <ScopeName command={command} /> in{' '}
            {command.environment}
          </Button>
          <Button onClick={onBack}>Back</Button>
        </div>
      </form>
      {/* Not within the form: its own submit would bubble into this one. */}
      <StepUp
        what={`Approve: ${KINDS[command.kind].name.toLowerCase()} ${name} in ${command.environment}`}
        error={approve.error}
        onProved={(stepUpId) => approve.mutate(stepUpId)}
        onClose={() => approve.reset()}
      />
    </>
  );
}

function Decide({ command }: { command: CommandView }) {
  const [doing, setDoing] = useState<'approve' | 'deny' | null>(null);
  const back = () => setDoing(null);
  if (doing === 'deny') return <Deny id={command.id} onBack={back} />;
  if (doing === 'approve') return <Approve command={command} onBack={back} />;
  return (
    <div className={styles.buttons}>
      <Button kind={KINDS[command.kind].button} onClick={() => setDoing('approve')}>
        Approve…
      </Button>
      <Button onClick={() => setDoing('deny')}>Deny…</Button>
    </div>
  );
}

export function TakeBack({ id, places }: { id: string; places: readonly Place[] }) {
  const cancel = useAct(() => cancelCommand(id));
  const me = useMe().data;
  if (me !== undefined && !allowsPerson(me, 'override.release', ...places)) return null;
  return (
    <div className={styles.buttons}>
      <Failed error={cancel.error} title="It was not taken back" />
      <Button busy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
        Take it back
      </Button>
    </div>
  );
}

function Actions({ command }: { command: CommandView }) {
  const { data: me } = useMe();
  const serviceOf = useServiceOf(breakersOf([command]));
  if (me === undefined) return null;
  if (isOwnCommand(me, command)) {
    return (
      <>
        <p className={styles.hint}>You asked for this: another person has to approve it.</p>
        <TakeBack id={command.id} places={placesOf(command, serviceOf)} />
      </>
    );
  }
  if (!allowsPerson(me, 'override.approve', ...placesOf(command, serviceOf))) {
    return (
      <p className={styles.hint}>
        Approving needs the role of an approver for all that it reaches.
      </p>
    );
  }
  return <Decide command={command} />;
}

/** Of a link that names it: `/overrides#cmd_…` in a chat leads here, and decides nothing. */
export function useLinked(id: string) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (window.location.hash === `#${id}`) ref.current?.scrollIntoView({ block: 'center' });
  }, [id]);
  return ref;
}

/** [U-29] A command that waits for a second person. */
export function ApprovalCard({ command }: { command: CommandView }) {
  const { kind, risk, approvalEndsAt, leaseMs, startAt } = command;
  const ref = useLinked(command.id);
  return (
    <article ref={ref} id={command.id} className={styles.card}>
      <div className={styles.head}>
        <Chip tone={KINDS[kind].tone}>{KINDS[kind].name}</Chip>
        <b className={styles.name}>
          <ScopeName command={command} />
        </b>
        <span className={styles.where}>in {command.environment}</span>
        <SimulatedMark environment={command.environment} />
        <Chip tone={risk === 'L3' ? 'forced' : 'neutral'}>{RISKS[risk]}</Chip>
        {approvalEndsAt !== null && (
          <span className={styles.end}>
            expires in <Countdown to={approvalEndsAt} />
          </span>
        )}
      </div>
      <p className={styles.why}>
        “{command.reason}” <b>{command.actor}</b> <Time at={command.createdAt} />
        <span>
          {kind === 'reset' ? 'once' : `for ${formatDuration(leaseMs)}`}
          {startAt !== null && (
            <>
              {' '}
              from <Time at={startAt} show="instant" />
            </>
          )}
        </span>
      </p>
      <Summary command={command} />
      <Actions command={command} />
    </article>
  );
}
