'use client';

import { Lock } from 'lucide-react';
import Link from 'next/link';
import { Countdown } from '@/components/ui/time';
import { useOverrides } from '@/lib/client/use-live';
import type { OverrideView } from '@/lib/protocol/views';
import { barSummary } from './bar-summary';
import { KINDS } from './kinds';
import { ReturnButton } from './return-button';
import styles from './override-bar.module.css';

function One({ override }: { override: OverrideView }) {
  return (
    <>
      <Link href={`/breakers/${encodeURIComponent(override.breakerId)}`} className={styles.link}>
        {override.breaker}
      </Link>
      <span className={styles.who}>
        {KINDS[override.kind].done.toLowerCase()} by {override.actor}
      </span>
    </>
  );
}

/** On every page while any override lives, so that none is forgotten. */
export function OverrideBar() {
  const summary = barSummary(useOverrides());
  if (summary === null) return null;
  const { count, soonest, tone } = summary;
  return (
    <aside className={styles.bar} data-tone={tone} aria-label="Active overrides">
      <Lock size={13} aria-hidden="true" className={styles.icon} />
      <Link href="/overrides" className={styles.count}>
        {count === 1 ? '1 override' : `${count} overrides`}
      </Link>
      <span className={styles.text}>
        {count > 1 && <span className={styles.who}>next to end:</span>}
        <One override={soonest} />
        <b>
          <Countdown to={soonest.endsAt} />
          <span className={styles.left}> left</span>
        </b>
      </span>
      <ReturnButton overrideId={soonest.id} size="small" kind="secondary" about={soonest.breaker} />
    </aside>
  );
}
