'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button';
import { Field, Input, Select, type Option } from '../ui/field';
import styles from './audit.module.css';
import { isAction, isFiltered, isRange, outcomes, ranges, type AuditView } from './filter';

/** A request for each letter would be one too many. */
const PAUSE_MS = 300;

type TextProps = {
  label: string;
  value: string;
  placeholder?: string;
  error?: string | null;
  onValue: (value: string) => void;
};

/** What is typed counts after a pause, at Enter, and when the field is left. */
function TextFilter({ label, value, placeholder, error, onValue }: TextProps) {
  const [draft, setDraft] = useState(value);
  const [seen, setSeen] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The address changed by other means: back, or "clear".
  if (seen !== value) {
    setSeen(value);
    setDraft(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const commit = (text: string) => {
    clearTimeout(timer.current);
    if (text !== value) onValue(text);
  };
  return (
    <Field label={label} error={error}>
      {(wiring) => (
        <Input
          {...wiring}
          value={draft}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          {...(placeholder === undefined ? {} : { placeholder })}
          onChange={({ target }) => {
            setDraft(target.value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => commit(target.value), PAUSE_MS);
          }}
          onBlur={() => commit(draft)}
          onKeyDown={({ key }) => {
            if (key === 'Enter') commit(draft);
          }}
        />
      )}
    </Field>
  );
}

const outcomeOptions: Option[] = [
  { value: '', label: 'Any' },
  ...outcomes.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })),
];
const rangeOptions: Option[] = [
  { value: 'any', label: 'Any time' },
  ...Object.entries(ranges).map(([value, { label }]) => ({ value, label })),
  { value: 'between', label: 'Between…' },
];

type Props = { view: AuditView; onView: (change: Partial<AuditView>) => void };

function Between({ view, onView }: Props) {
  const field = (label: string, key: 'from' | 'to') => (
    <Field label={label}>
      {(wiring) => (
        <Input
          {...wiring}
          type="datetime-local"
          step="1"
          value={view[key]}
          onChange={({ target }) => onView({ [key]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <>
      {field('From (UTC)', 'from')}
      {field('To (UTC)', 'to')}
    </>
  );
}

const NOTHING: AuditView = {
  text: '',
  actor: '',
  action: '',
  subject: '',
  outcome: null,
  range: 'any',
  from: '',
  to: '',
};

export function Filters({ view, onView }: Props) {
  return (
    <search className={styles.filters} aria-label="Filter the audit trail">
      <TextFilter
        label="Breaker, service or any text"
        value={view.text}
        onValue={(text) => onView({ text })}
      />
      <TextFilter label="Who" value={view.actor} onValue={(actor) => onView({ actor })} />
      <TextFilter
        label="Action"
        value={view.action}
        placeholder="override.issued"
        error={isAction(view.action) ? null : 'such as override.issued, or override'}
        onValue={(action) => onView({ action })}
      />
      <TextFilter
        label="Subject id"
        value={view.subject}
        onValue={(subject) => onView({ subject })}
      />
      <Field label="Outcome">
        {(wiring) => (
          <Select
            {...wiring}
            value={view.outcome ?? ''}
            options={outcomeOptions}
            onValue={(value) => onView({ outcome: outcomes.find((one) => one === value) ?? null })}
          />
        )}
      </Field>
      <Field label="Time">
        {(wiring) => (
          <Select
            {...wiring}
            value={view.range}
            options={rangeOptions}
            onValue={(value) => isRange(value) && onView({ range: value })}
          />
        )}
      </Field>
      {view.range === 'between' && <Between view={view} onView={onView} />}
      {isFiltered(view) && (
        <Button kind="quiet" className={styles.clear} onClick={() => onView(NOTHING)}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
