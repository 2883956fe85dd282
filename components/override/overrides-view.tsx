'use client';

import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Page, Section } from '@/components/shell/page';
import { EmptyState } from '@/components/ui/empty-state';
import { QueryState } from '@/components/ui/query-state';
import { useCommands, useReleases, useReviews } from '@/lib/client/command-queries';
import { useMe } from '@/lib/client/people-queries';
import { useOverridesQuery } from '@/lib/client/queries';
import { useOverrides } from '@/lib/client/use-live';
import type { CommandView, ReleaseView } from '@/lib/protocol/command-views';
import type { OverrideView } from '@/lib/protocol/views';
import { upsert } from '@/lib/series/merge';
import { allowsPerson } from './allowed';
import { ApprovalCard } from './approval-card';
import { grouped } from './command-words';
import { GroupCard } from './group-card';
import { PlainCard } from './plain-card';
import { ReviewCard } from './review-card';

/** The live store knows the last hour; the list of the server knows all the others. */
function joined(fetched: readonly OverrideView[], live: readonly OverrideView[]) {
  return upsert(
    fetched,
    live,
    (one) => one.id,
    (one) => -one.createdAt,
  );
}

type CountedProps = { title: string; count: number; children: ReactNode };

/** A section that is there only when something is in it. */
function Counted({ title, count, children }: CountedProps) {
  if (count === 0) return null;
  return (
    <Section title={title} aside={<span>{count}</span>}>
      {children}
    </Section>
  );
}

/** Those that no instance has heard of. */
function Waiting({ commands }: { commands: readonly CommandView[] }) {
  const approvals = commands.filter(({ status }) => status === 'pending_approval');
  const planned = commands
    .filter(({ status }) => status === 'scheduled')
    .toSorted((a, b) => (a.startAt ?? 0) - (b.startAt ?? 0));
  return (
    <>
      <Counted title="Waiting for approval" count={approvals.length}>
        {approvals.map((one) => (
          <ApprovalCard key={one.id} command={one} />
        ))}
      </Counted>
      <Counted title="Scheduled" count={planned.length}>
        {planned.map((one) => (
          <PlainCard key={one.id} command={one} />
        ))}
      </Counted>
    </>
  );
}

function Reviews() {
  const me = useMe().data ?? null;
  const reviews = useReviews(allowsPerson(me, 'audit.read')).data?.reviews ?? [];
  return (
    <Counted title="Open reviews" count={reviews.length}>
      {reviews.map((one) => (
        <ReviewCard key={one.id} review={one} />
      ))}
    </Counted>
  );
}

type ListProps = {
  overrides: readonly OverrideView[];
  commands: readonly CommandView[];
};

function Active({ overrides, commands }: ListProps) {
  const releases = useReleases().data?.releases ?? [];
  const groups = grouped(overrides, commands).filter((group) =>
    group.overrides.some((one) => one.endedAt === null),
  );
  const releaseOf = (members: readonly OverrideView[]): ReleaseView | undefined =>
    releases.find(({ overrideIds }) => members.some(({ id }) => overrideIds.includes(id)));
  return (
    <Section title="Active" aside={groups.length > 0 ? <span>{groups.length}</span> : null}>
      {groups.length === 0 ? (
        <EmptyState icon={<Lock size={20} />} title="Nothing is overridden">
          Every breaker decides for itself. Open a breaker to force it open or closed.
        </EmptyState>
      ) : (
        groups.map((group) => (
          <GroupCard
            key={group.key}
            group={group}
            release={releaseOf(group.overrides)}
            open={group.overrides.length === 1}
          />
        ))
      )}
    </Section>
  );
}

const NEVER_BEGUN: ReadonlySet<CommandView['status']> = new Set([
  'denied',
  'cancelled',
  'expired',
  'failed',
]);

function Ended({ overrides, commands }: ListProps) {
  const groups = grouped(overrides, commands).filter((group) =>
    group.overrides.every((one) => one.endedAt !== null),
  );
  const never = commands.filter(({ status }) => NEVER_BEGUN.has(status));
  return (
    <>
      <Counted title="Ended" count={groups.length}>
        {groups.map((group) => (
          <GroupCard key={group.key} group={group} />
        ))}
      </Counted>
      <Counted title="Never begun" count={never.length}>
        {never.map((one) => (
          <PlainCard key={one.id} command={one} />
        ))}
      </Counted>
    </>
  );
}

export function OverridesView() {
  const list = useOverridesQuery({ active: false });
  const commands = useCommands();
  const overrides = joined(list.data?.overrides ?? [], useOverrides());
  return (
    <Page
      title="Overrides"
      description="What people have asked for and forced, until when, and what each instance answered."
    >
      <QueryState query={commands} what="The list" rows={5}>
        {(data) => (
          <>
            <Waiting commands={data.commands} />
            <Active overrides={overrides} commands={data.commands} />
            <Reviews />
            <Ended overrides={overrides} commands={data.commands} />
          </>
        )}
      </QueryState>
    </Page>
  );
}
