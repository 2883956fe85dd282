import { Field, TextArea } from '@/components/ui/field';
import { Segmented } from '@/components/ui/segmented';
import { endsText, leasesFor, minutes } from './lease';
import type { Kind } from './kinds';
import { REASON_MAX } from './validate';
import styles from './override.module.css';

export type Draft = { readonly reason: string; readonly leaseMs: number };
export type DraftErrors = { readonly reason: string | null };

type Props = {
  kind: Kind;
  draft: Draft;
  /** Shown once a person has tried to send or has left the field. */
  errors: DraftErrors;
  now: number | null;
  onDraft: (change: Partial<Draft>) => void;
  onLeave: (field: keyof DraftErrors) => void;
};

export function OverrideForm({ kind, draft, errors, now, onDraft, onLeave }: Props) {
  const leases = leasesFor(kind);
  const left = REASON_MAX - draft.reason.trim().length;
  return (
    <div className={styles.form}>
      <Field
        label="Reason"
        hint={left < 100 ? `${left} characters left` : 'Others on call and the review read this.'}
        error={errors.reason}
      >
        {(wiring) => (
          <TextArea
            {...wiring}
            rows={2}
            value={draft.reason}
            onChange={(event) => onDraft({ reason: event.target.value })}
            onBlur={() => onLeave('reason')}
          />
        )}
      </Field>
      {leases.length > 0 && (
        <div className={styles.leases}>
          <span className={styles.label}>Lease</span>
          <Segmented
            label="Lease"
            value={String(draft.leaseMs)}
            options={leases.map((lease) => ({ value: String(lease), label: minutes(lease) }))}
            onValue={(value) => onDraft({ leaseMs: Number(value) })}
          />
          {now !== null && <span className={styles.hint}>{endsText(now, draft.leaseMs)}</span>}
        </div>
      )}
    </div>
  );
}
