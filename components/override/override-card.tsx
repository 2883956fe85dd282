'use client';

import { ChevronDown } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { IconButton } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { formatDuration } from '@/components/ui/format';
import { Countdown, Time } from '@/components/ui/time';
import type { OverrideView } from '@/lib/protocol/views';
import { isActive, KINDS } from './kinds';
import { ProgressTable } from './progress';
import { endText, progressText } from './progress-words';
import { ReturnButton } from './return-button';
import styles from './override-card.module.css';

function End({ override }: { override: OverrideView }) {
  if (override.endedAt !== null) {
    return (
      <>
        {endText(override)} after {formatDuration(override.endedAt - override.createdAt)}
      </>
    );
  }
  if (override.kind === 'reset') return <>being delivered</>;
  return (
    <>
      ends in <Countdown to={override.endsAt} />
    </>
  );
}

/** One override: what, where, who, why, how it went. */
export function OverrideCard({
  override,
  open: first = false,
}: {
  override: OverrideView;
  open?: boolean;
}) {
  const [open, setOpen] = useState(first);
  const { name, tone } = KINDS[override.kind];
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <Chip tone={tone}>{name}</Chip>
        <Link href={`/breakers/${encodeURIComponent(override.breakerId)}`} className={styles.name}>
          {override.breaker}
        </Link>
        <span className={styles.where}>
          {override.service}, {override.environment}
        </span>
        <span className={styles.end}>
          <End override={override} />
        </span>
        {isActive(override) && (
          <ReturnButton overrideId={override.id} size="small" about={override.breaker} />
        )}
        <IconButton
          size="small"
          label={open ? 'Hide the instances' : 'Show the instances'}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown size={14} className={open ? styles.up : undefined} />
        </IconButton>
      </div>
      <p className={styles.why}>
        “{override.reason}” <span className={styles.by}>{override.actor}</span>{' '}
        <Time at={override.createdAt} />
        <span className={styles.progress}>{progressText(override)}</span>
      </p>
      {open && (
        <div className={styles.table}>
          <ProgressTable override={override} />
        </div>
      )}
    </article>
  );
}
