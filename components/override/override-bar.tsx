'use client';

import { Lock } from 'lucide-react';
import Link from 'next/link';
import { Countdown } from '@/components/ui/time';
import { useMe } from '@/lib/client/people-queries';
import { useOverrides, useServerNow } from '@/lib/client/use-live';
import type { OverrideView } from '@/lib/protocol/views';
import { barSummary, justEnded, warningOf, type BarSummary } from './bar-summary';
import { BreakGlassNotice } from './break-glass-notice';
import { EndedNotice, useAgain } from './ended-notice';
import { KINDS } from './kinds';
import { ReturnButton, ReturnCommandButton } from './return-button';
import { useReturnKey } from './return-key';
import { WaitingNotice } from './waiting-notice';
import styles from './override-bar.module.css';

function One({ override, together }: { override: OverrideView; together: number }) {
  return (
    <>
      <Link href={`/breakers/${encodeURIComponent(override.breakerId)}`} className={styles.link}>
        {override.breaker}
      </Link>
      {together > 1 && <span className={styles.who}>and {together - 1} more</span>}
      <span className={styles.who}>
        {KINDS[override.kind].done.toLowerCase()} by {override.actor}
      </span>
    </>
  );
}

type BarProps = BarSummary & { overrides: readonly OverrideView[] };

function Return({ soonest, together, overrides }: BarProps) {
  const places = overrides.filter(
    ({ id, commandId }) =>
      id === soonest.id || (commandId !== null && commandId === soonest.commandId),
  );
  const look = { size: 'small', kind: 'secondary', places } as const;
  return together > 1 && soonest.commandId !== null ? (
    <ReturnCommandButton {...look} id={soonest.commandId} about={`${together} breakers`} />
  ) : (
    <ReturnButton {...look} overrideId={soonest.id} about={soonest.breaker} />
  );
}

function Bar(props: BarProps) {
  const { count, soonest, together, tone, overrides } = props;
  const { data: me } = useMe();
  const now = useServerNow();
  const warning = now === null ? null : warningOf(overrides, me?.person.name ?? null, now);
  return (
    <aside className={styles.bar} data-tone={tone} aria-label="Active overrides">
      <Lock size={13} aria-hidden="true" className={styles.icon} />
      <Link
        href="/overrides"
        className={styles.count}
        aria-label={count === 1 ? '1 override' : `${count} overrides`}
      >
        {count}
        <span className={styles.word}> {count === 1 ? 'override' : 'overrides'}</span>
      </Link>
      <span className={styles.text}>
        {count > together && <span className={styles.who}>next to end:</span>}
        <One override={soonest} together={together} />
        <b>
          <Countdown to={soonest.endsAt} />
          <span className={styles.left}> left</span>
        </b>
      </span>
      <output className={styles.warning}>
        {warning !== null && <Link href={`/overrides#${warning.anchor}`}>{warning.text}</Link>}
      </output>
      <Return {...props} />
    </aside>
  );
}

/** On every page while any override lives, so that none is forgotten. */
export function OverrideBar() {
  useReturnKey();
  const overrides = useOverrides();
  const now = useServerNow();
  const again = useAgain();
  const summary = barSummary(overrides);
  const ended = now === null ? null : justEnded(overrides, now);
  return (
    <>
      <BreakGlassNotice />
      {summary !== null && <Bar {...summary} overrides={overrides} />}
      {ended !== null && <EndedNotice override={ended} onAgain={() => again.ask(ended)} />}
      <WaitingNotice />
      {again.dialog}
    </>
  );
}
