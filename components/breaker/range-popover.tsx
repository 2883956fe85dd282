'use client';

import { CalendarRange } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/field';
import { Popover } from '@/components/ui/popover';
import { offsetMinutes, UTC } from '@/components/ui/zone';
import { useZone } from '@/components/ui/zone-context';
import { MIN_SPAN_MS } from '@/lib/series/domain';
import type { TimeDomain } from '@/lib/series/types';
import styles from './toolbar.module.css';

/** What a `datetime-local` field takes and gives: the wall time of the zone. */
const fieldText = (at: number, zone: string): string =>
  new Date(at + offsetMinutes(zone, at) * 60_000).toISOString().slice(0, 19);

function readField(text: string, zone: string): number {
  const wall = Date.parse(`${text}Z`);
  // The offset is that of the instant, which is not known yet; the second look is right but for the
  // hour that a zone skips or has twice.
  const near = wall - offsetMinutes(zone, wall) * 60_000;
  return wall - offsetMinutes(zone, near) * 60_000;
}

/** The range that two fields name, or what is wrong with it. */
export function readRange(from: string, to: string, zone: string = UTC): TimeDomain | string {
  const range = { from: readField(from, zone), to: readField(to, zone) };
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
  const zone = useZone();
  const [from, setFrom] = useState(() => fieldText(domain.from, zone));
  const [to, setTo] = useState(() => fieldText(domain.to, zone));
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const range = readRange(from, to, zone);
        if (typeof range === 'string') return setProblem(range);
        setProblem(null);
        onRange(range);
      }}
    >
      <Field label={`From, ${zone}`}>
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
      <Field label={`To, ${zone}`} error={problem}>
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
