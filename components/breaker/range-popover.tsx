'use client';

import { CalendarRange } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Popover } from '@/components/ui/popover';
import { MIN_SPAN_MS } from '@/lib/series/domain';
import type { TimeDomain } from '@/lib/series/types';
import styles from './toolbar.module.css';

/** What a `datetime-local` field takes and gives, read as UTC. */
const fieldText = (at: number): string => new Date(at).toISOString().slice(0, 19);

function readField(text: string): number {
  return Date.parse(`${text}Z`);
}

/** The range that two fields name, or what is wrong with it. */
export function readRange(from: string, to: string): TimeDomain | string {
  const range = { from: readField(from), to: readField(to) };
  if (Number.isNaN(range.from)) return 'The beginning is not a date and a time.';
  if (Number.isNaN(range.to)) return 'The end is not a date and a time.';
  if (range.to <= range.from) return 'The end must come after the beginning.';
  if (range.to - range.from < MIN_SPAN_MS) {
    return `A range is at least ${MIN_SPAN_MS / 1_000} s long.`;
  }
  return range;
}

type Props = { domain: TimeDomain; onRange: (range: TimeDomain) => void };

function RangeForm({ domain, onRange }: Props) {
  const [from, setFrom] = useState(() => fieldText(domain.from));
  const [to, setTo] = useState(() => fieldText(domain.to));
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const range = readRange(from, to);
        if (typeof range === 'string') return setProblem(range);
        setProblem(null);
        onRange(range);
      }}
    >
      <Field label="From, UTC">
        {(wiring) => (
          <Input
            {...wiring}
            type="datetime-local"
            step={1}
            value={from}
            onChange={(event) => setFrom(event.target.value)}
          />
        )}
      </Field>
      <Field label="To, UTC" error={problem}>
        {(wiring) => (
          <Input
            {...wiring}
            type="datetime-local"
            step={1}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" size="small">
        Show this range
      </Button>
    </form>
  );
}

/** A stretch of the past by its ends. */
export function RangePopover(props: Props) {
  return (
    <Popover
      title="Range"
      trigger={
        <Button size="small" icon={<CalendarRange />}>
          Range
        </Button>
      }
    >
      <RangeForm {...props} />
    </Popover>
  );
}
