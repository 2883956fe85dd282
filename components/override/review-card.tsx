'use client';

import { SimulatedMark } from '@/components/simulator/simulated-mark';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Chip } from '@/components/ui/chip';
import { Field, TextArea } from '@/components/ui/field';
import { Time } from '@/components/ui/time';
import { errorText } from '@/lib/client/api-error';
import { useAct } from '@/lib/client/command-queries';
import { closeReview } from '@/lib/client/commands';
import { useMe } from '@/lib/client/people-queries';
import { useServiceOf } from '@/lib/client/use-live';
import type { ReviewView } from '@/lib/protocol/command-views';
import { allowsPerson, isOwnCommand, placesOf } from './allowed';
import { useLinked } from './approval-card';
import { KINDS } from './kinds';
import { ScopeName } from './scope-name';
import { reasonError } from './validate';
import { breakersOf } from './waiting-notice';
import styles from './commands.module.css';

function Close({ id }: { id: string }) {
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const close = useAct(() => closeReview(id, { note: note.trim() }));
  const problem = reasonError(note);
  return (
    <form
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (problem === null) close.mutate(undefined);
      }}
    >
      {close.error !== null && (
        <Callout tone="danger" role="alert" title="It was not closed">
          {errorText(close.error)}
        </Callout>
      )}
      <Field
        label="What you found"
        hint="At least 10 characters; it stays in the audit trail."
        error={tried ? problem : null}
      >
        {(wiring) => (
          <TextArea
            {...wiring}
            rows={2}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" busy={close.isPending}>
          Close the review
        </Button>
      </div>
    </form>
  );
}

/** What break-glass left to look at. */
export function ReviewCard({ review }: { review: ReviewView }) {
  const { command } = review;
  const { data: me } = useMe();
  const ref = useLinked(review.id);
  const serviceOf = useServiceOf(breakersOf([command]));
  const own = isOwnCommand(me ?? null, command);
  const may = allowsPerson(me ?? null, 'review.close', ...placesOf(command, serviceOf));
  return (
    <article ref={ref} id={review.id} className={styles.card}>
      <div className={styles.head}>
        <Chip tone={KINDS[command.kind].tone}>{KINDS[command.kind].name}</Chip>
        <b className={styles.name}>
          <ScopeName command={command} />
        </b>
        <span className={styles.where}>in {command.environment}</span>
        <SimulatedMark environment={command.environment} />
        {review.overdue && <Chip tone="open">Overdue</Chip>}
        <span className={styles.end}>
          due <Time at={review.dueAt} show="instant" />
        </span>
      </div>
      <p className={styles.why}>
        “{command.reason}” <b>{command.actor}</b> <Time at={command.createdAt} />
        <span>without a second person</span>
      </p>
      {own && <p className={styles.hint}>You did this: another person has to review it.</p>}
      {!own && !may && (
        <p className={styles.hint}>
          Closing needs the role of an approver for all that it reached.
        </p>
      )}
      {!own && may && <Close id={review.id} />}
    </article>
  );
}
