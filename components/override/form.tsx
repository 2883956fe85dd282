import type { RefObject } from 'react';
import { Button } from '@/components/ui/button';
import { Check } from '@/components/ui/check';
import { Field, Input, TextArea } from '@/components/ui/field';
import { Segmented } from '@/components/ui/segmented';
import type { CommandPreview } from '@/lib/protocol/command-views';
import { breaksGlass, type Draft, type Problems } from './draft';
import { endsText, leasesFor, minutes, soonLocal, startsText } from './lease';
import type { Kind } from './kinds';
import { NameField } from './name-field';
import { nameToType, type Row } from './scope';
import { suggestedReasons } from './suggestions';
import { REASON_MAX } from './validate';
import styles from './override.module.css';

type Props = {
  row: Row;
  kind: Kind;
  draft: Draft;
  problems: Problems;
  preview: CommandPreview | null;
  now: number;
  reasonRef: RefObject<HTMLTextAreaElement | null>;
  onDraft: (change: Partial<Draft>) => void;
  onLeave: () => void;
  onSend: () => void;
};

function Suggestions({ preview, reasonRef, onDraft }: Props) {
  const reasons = preview === null ? [] : suggestedReasons(preview);
  if (reasons.length === 0) return null;
  return (
    <fieldset className={styles.suggestions}>
      <legend className="visually-hidden">Suggested reasons</legend>
      {reasons.map((reason) => (
        <Button
          key={reason}
          size="small"
          onClick={() => {
            onDraft({ reason });
            reasonRef.current?.focus();
          }}
        >
          {reason}
        </Button>
      ))}
    </fieldset>
  );
}

function Reason({ draft, problems, reasonRef, onDraft, onLeave, onSend }: Props) {
  const left = REASON_MAX - draft.reason.trim().length;
  return (
    <Field
      label="Reason"
      hint={left < 100 ? `${left} characters left` : 'Others on call read this. Ctrl+Enter sends.'}
      error={problems.reason}
    >
      {(wiring) => (
        <TextArea
          {...wiring}
          ref={reasonRef}
          rows={2}
          value={draft.reason}
          onChange={(event) => onDraft({ reason: event.target.value })}
          onBlur={() => {
            if (draft.reason !== '') onLeave();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            onSend();
          }}
        />
      )}
    </Field>
  );
}

function Lease({ kind, draft, preview, now, onDraft }: Props) {
  const leases = leasesFor(kind, breaksGlass(draft, preview));
  if (leases.length === 0) return null;
  const start = draft.start === null ? Number.NaN : Date.parse(draft.start);
  return (
    <div className={styles.leases}>
      <span className={styles.label}>Lease</span>
      <Segmented
        label="Lease"
        value={String(draft.leaseMs)}
        options={leases.map((lease) => ({ value: String(lease), label: minutes(lease) }))}
        onValue={(value) => onDraft({ leaseMs: Number(value) })}
      />
      <span className={styles.hint}>
        {endsText(Number.isNaN(start) ? now : start, draft.leaseMs)}
      </span>
    </div>
  );
}

function Start({ draft, problems, preview, now, onDraft }: Props) {
  if (breaksGlass(draft, preview)) return null;
  const at = draft.start === null ? Number.NaN : Date.parse(draft.start);
  return (
    <div className={styles.leases}>
      <Check
        checked={draft.start !== null}
        onChecked={(later) => onDraft({ start: later ? soonLocal(now) : null })}
      >
        Start later
      </Check>
      {draft.start !== null && (
        <Field
          label="Start, in the time of this browser"
          hint={Number.isNaN(at) ? 'At most seven days ahead.' : startsText(at)}
          error={problems.start}
        >
          {(wiring) => (
            <Input
              {...wiring}
              type="datetime-local"
              value={draft.start ?? ''}
              onChange={(event) => onDraft({ start: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

function SecondPerson({ draft, preview, onDraft }: Props) {
  if (preview?.needs.secondPerson !== true) return null;
  const most = Math.max(...leasesFor(preview.kind, true));
  return (
    <Check
      checked={draft.breakGlass}
      onChecked={(breakGlass) =>
        onDraft({ breakGlass, leaseMs: breakGlass ? Math.min(most, draft.leaseMs) : draft.leaseMs })
      }
    >
      <b>Break glass</b>: send now without the second person. Say why in at least 20 characters; it
      lasts 30 min at most, and somebody else reviews it within three days.
    </Check>
  );
}

function TypedName({ row, draft, preview, onDraft }: Props) {
  if (preview?.risk !== 'L3') return null;
  return (
    <NameField
      name={nameToType(row, draft.scope)}
      value={draft.typed}
      onValue={(typed) => onDraft({ typed })}
    />
  );
}

export function OverrideForm(props: Props) {
  return (
    <div className={styles.form}>
      <div>
        <Reason {...props} />
        <Suggestions {...props} />
      </div>
      <Lease {...props} />
      <Start {...props} />
      <SecondPerson {...props} />
      <TypedName {...props} />
    </div>
  );
}
