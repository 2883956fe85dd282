'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog } from '@/components/ui/dialog';
import { Field, Input } from '@/components/ui/field';
import { formatDuration } from '@/components/ui/format';
import { Countdown } from '@/components/ui/time';
import { errorText } from '@/lib/client/api-error';
import { useAct } from '@/lib/client/command-queries';
import { cancelRelease, resumeRelease, startRelease } from '@/lib/client/commands';
import type { ReleaseView } from '@/lib/protocol/command-views';
import type { OverrideView } from '@/lib/protocol/views';
import { gradualMs, gradualText } from './command-words';
import styles from './commands.module.css';

const SECOND_MS = 1_000;

/** A gradual return on its way, or where it stopped. */
export function Gradual({ release }: { release: ReleaseView }) {
  const stop = useAct(() => cancelRelease(release.id));
  const goOn = useAct(() => resumeRelease(release.id));
  const error = stop.error ?? goOn.error;
  const stopped = release.status === 'stopped';
  return (
    <Callout
      tone={stopped ? 'warning' : 'info'}
      title={gradualText(release)}
      action={
        <span className={styles.buttons}>
          {stopped && (
            <Button size="small" busy={goOn.isPending} onClick={() => goOn.mutate(undefined)}>
              Go on
            </Button>
          )}
          <Button size="small" busy={stop.isPending} onClick={() => stop.mutate(undefined)}>
            End it here
          </Button>
        </span>
      }
    >
      <progress
        className={styles.bar}
        max={Math.max(1, release.total)}
        value={release.released}
        aria-label="Instances let go"
      />
      {release.nextAt !== null && (
        <>
          next {release.batchSize} in <Countdown to={release.nextAt} />.{' '}
        </>
      )}
      {stopped && 'What is still held stays so until its lease ends. '}
      {error !== null && <span role="alert">{errorText(error)}</span>}
    </Callout>
  );
}

type Props = {
  commandId: string;
  active: readonly OverrideView[];
  about: string;
  onClose: () => void;
};

type NumberProps = { name: string; value: string; max: number; onValue: (text: string) => void };

function NumberField({ name, value, max, onValue }: NumberProps) {
  return (
    <Field label={name}>
      {(wiring) => (
        <Input
          {...wiring}
          type="number"
          inputMode="numeric"
          min={1}
          max={max}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

const whole = (text: string, max: number): number | null => {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= max ? value : null;
};

const MAX_BATCH = 1_000;
const MAX_SECONDS = 600;

/** So many instances at a time; it stops by itself when one trips again. */
export function GradualDialog({ commandId, active, about, onClose }: Props) {
  const [batch, setBatch] = useState('1');
  const [seconds, setSeconds] = useState('30');
  const instances = active.reduce((sum, one) => sum + one.targets.length, 0);
  const batchSize = whole(batch, MAX_BATCH);
  const every = whole(seconds, MAX_SECONDS);
  const intervalMs = every === null ? null : every * SECOND_MS;
  const start = useAct(startRelease);
  const fine = batchSize !== null && intervalMs !== null;
  const begin = () =>
    fine && start.mutate({ commandId, batchSize, intervalMs }, { onSuccess: onClose });
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Return gradually: ${about}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={!fine} busy={start.isPending} onClick={begin}>
            Begin to return
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        {start.error !== null && (
          <Callout tone="danger" role="alert" title="It was not begun">
            {errorText(start.error)}
          </Callout>
        )}
        <div className={styles.pair}>
          <NumberField
            name="Instances at a time"
            value={batch}
            max={MAX_BATCH}
            onValue={setBatch}
          />
          <NumberField
            name="Seconds between"
            value={seconds}
            max={MAX_SECONDS}
            onValue={setSeconds}
          />
        </div>
        <p className={styles.hint}>
          {fine
            ? `${instances} to let go, the last after ${formatDuration(gradualMs(instances, batchSize, intervalMs))}. It stops when one of them trips again.`
            : `1 to ${MAX_BATCH} instances, 1 to ${MAX_SECONDS} seconds.`}
        </p>
      </div>
    </Dialog>
  );
}
