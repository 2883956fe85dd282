'use client';

import { Lock } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Countdown } from '@/components/ui/time';
import type { BreakerInstanceView, BreakerView, OverrideView } from '@/lib/protocol/views';
import { KINDS } from './kinds';
import { ProgressTable } from './progress';
import { computedText } from './preview-words';
import { progressText, uncoveredBy } from './progress-words';
import { ReturnButton } from './return-button';
import { OVERRIDE_ATTRIBUTE } from './return-key';
import styles from './active-strip.module.css';

/** The override in force on the page of its breaker: who, why, until when, and how far it got. */
export function ActiveStrip({
  row,
  override,
  instances,
}: {
  row: BreakerView;
  override: OverrideView;
  instances: readonly BreakerInstanceView[];
}) {
  const [open, setOpen] = useState(false);
  const { name, tone } = KINDS[override.kind];
  return (
    <section
      className={styles.strip}
      data-tone={tone}
      aria-label="Active override"
      {...{ [OVERRIDE_ATTRIBUTE]: override.id }}
    >
      <div className={styles.row}>
        <Lock size={14} aria-hidden="true" className={styles.icon} />
        <span className={styles.text}>
          <b>
            {name}, <Countdown to={override.endsAt} /> left
          </b>
          <span className={styles.computed}>{computedText(row)}</span>
          <span>
            {override.actor}: “{override.reason}”
          </span>
        </span>
        <Button size="small" kind="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {progressText(override, uncoveredBy(override, instances))}
        </Button>
        <ReturnButton
          overrideId={override.id}
          size="small"
          about={override.breaker}
          places={[override]}
        />
      </div>
      {open && <ProgressTable override={override} />}
    </section>
  );
}
