'use client';

import Link from 'next/link';
import { Countdown } from '@/components/ui/time';
import { useWaiting } from '@/lib/client/command-queries';
import { useMe } from '@/lib/client/people-queries';
import { useServiceOf } from '@/lib/client/use-live';
import type { MeBody } from '@/lib/protocol/people';
import type { CommandView } from '@/lib/protocol/command-views';
import { allowsPerson, isOwnCommand, placesOf } from './allowed';
import { KINDS } from './kinds';
import styles from './override-bar.module.css';

type Waiting = Pick<
  CommandView,
  'status' | 'requester' | 'environment' | 'facts' | 'approvalEndsAt'
>;

/** What waits for this very person: the soonest to expire first. */
export function waitingFor<T extends Waiting>(
  me: MeBody | null,
  commands: readonly T[],
  serviceOf: (breakerId: string) => string | undefined,
): T[] {
  return commands
    .filter(({ status }) => status === 'pending_approval')
    .filter((command) => !isOwnCommand(me, command))
    .filter((command) => allowsPerson(me, 'override.approve', ...placesOf(command, serviceOf)))
    .toSorted((a, b) => (a.approvalEndsAt ?? 0) - (b.approvalEndsAt ?? 0));
}

export const breakersOf = (commands: readonly Pick<CommandView, 'facts'>[]): string[] =>
  commands.flatMap(({ facts }) => facts.breakers.map(({ breakerId }) => breakerId));

/** [U-29] Leads to the inbox from every page; decides nothing. */
export function WaitingNotice() {
  const me = useMe().data ?? null;
  const query = useWaiting(allowsPerson(me, 'override.approve'));
  const commands = query.data?.commands ?? [];
  const serviceOf = useServiceOf(breakersOf(commands));
  const waiting = waitingFor(me, commands, serviceOf);
  const [first] = waiting;
  if (first === undefined) return null;
  return (
    <aside className={styles.ended} aria-label="Waiting for your approval">
      <Link href={`/overrides#${encodeURIComponent(first.id)}`} className={styles.count}>
        {waiting.length === 1 ? '1 waits for your approval' : `${waiting.length} wait for approval`}
      </Link>
      <span className={styles.text}>
        <span className={styles.who}>
          {KINDS[first.kind].name}, asked for by {first.actor}: “{first.reason}”
        </span>
        {first.approvalEndsAt !== null && (
          <b>
            <Countdown to={first.approvalEndsAt} />
            <span className={styles.left}> left</span>
          </b>
        )}
      </span>
    </aside>
  );
}
