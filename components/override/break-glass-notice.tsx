'use client';

import { Siren } from 'lucide-react';
import Link from 'next/link';
import { cx } from '@/components/ui/cx';
import { Time } from '@/components/ui/time';
import { useReviews } from '@/lib/client/command-queries';
import { useMe } from '@/lib/client/people-queries';
import { useServiceOf } from '@/lib/client/use-live';
import type { ReviewView } from '@/lib/protocol/command-views';
import type { MeBody } from '@/lib/protocol/people';
import { allowsPerson, isOwnCommand, placesOf } from './allowed';
import { KINDS } from './kinds';
import { ScopeName } from './scope-name';
import { breakersOf } from './waiting-notice';
import styles from './override-bar.module.css';

/** Open reviews in reach: the one that another person can close comes first, then the oldest. */
export function reviewsFor(
  me: MeBody | null,
  reviews: readonly ReviewView[],
  serviceOf: (breakerId: string) => string | undefined,
): ReviewView[] {
  const own = ({ command }: ReviewView) => Number(isOwnCommand(me, command));
  return reviews
    .filter(({ closedAt }) => closedAt === null)
    .filter(({ command }) => allowsPerson(me, 'review.close', ...placesOf(command, serviceOf)))
    .toSorted((a, b) => own(a) - own(b) || a.dueAt - b.dueAt);
}

const countText = (count: number): string =>
  count === 1 ? 'Break-glass was used' : `Break-glass was used ${count} times`;

/** [S-16] On every page of those who may review it, until somebody else has. */
export function BreakGlassNotice() {
  const me = useMe().data ?? null;
  const query = useReviews(allowsPerson(me, 'review.close'));
  const reviews = query.data?.reviews ?? [];
  const serviceOf = useServiceOf(breakersOf(reviews.map(({ command }) => command)));
  const open = reviewsFor(me, reviews, serviceOf);
  const [first] = open;
  if (first === undefined) return null;
  const { command } = first;
  return (
    <aside
      className={cx(styles.bar, styles.glass)}
      data-tone="open"
      aria-label="Break-glass without review"
    >
      <Siren size={13} aria-hidden="true" className={styles.icon} />
      <Link href={`/overrides#${encodeURIComponent(first.id)}`} className={styles.count}>
        {countText(open.length)}
      </Link>
      <span className={styles.text} role="alert">
        <span className={styles.who}>
          {KINDS[command.kind].name}: <ScopeName command={command} /> in {command.environment}, by{' '}
          {command.actor}: “{command.reason}”
        </span>
        <b>
          {first.overdue ? 'review overdue since' : 'review due'}{' '}
          <Time at={first.dueAt} show="instant" />
        </b>
      </span>
    </aside>
  );
}
