'use client';

import { Lock } from 'lucide-react';
import { Page, Section } from '@/components/shell/page';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { SkeletonRows } from '@/components/ui/skeleton';
import { errorText } from '@/lib/client/api-error';
import { useOverridesQuery } from '@/lib/client/queries';
import { useOverrides } from '@/lib/client/use-live';
import type { OverrideView } from '@/lib/protocol/views';
import { upsert } from '@/lib/series/merge';
import { OverrideCard } from './override-card';

/** The live store knows the last hour; the list of the server knows all the others. */
function joined(fetched: readonly OverrideView[], live: readonly OverrideView[]) {
  const all = upsert(
    fetched,
    live,
    (one) => one.id,
    (one) => -one.createdAt,
  );
  return {
    active: all.filter((one) => one.endedAt === null),
    recent: all.filter((one) => one.endedAt !== null),
  };
}

export function OverridesView() {
  const query = useOverridesQuery({ active: false });
  const { active, recent } = joined(query.data?.overrides ?? [], useOverrides());
  return (
    <Page
      title="Overrides"
      description="What people have forced, until when, and what each instance answered."
    >
      {query.isError && (
        <Callout
          tone="warning"
          title="The list could not be read"
          action={
            <Button size="small" onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        >
          {errorText(query.error)}
        </Callout>
      )}
      {query.isPending && active.length + recent.length === 0 ? (
        <SkeletonRows rows={5} />
      ) : (
        <>
          <Section title="Active" aside={active.length > 0 ? <span>{active.length}</span> : null}>
            {active.length === 0 ? (
              <EmptyState icon={<Lock size={20} />} title="Nothing is overridden">
                Every breaker decides for itself. Open a breaker to force it open or closed.
              </EmptyState>
            ) : (
              active.map((one) => <OverrideCard key={one.id} override={one} open />)
            )}
          </Section>
          {recent.length > 0 && (
            <Section title="Recent">
              {recent.map((one) => (
                <OverrideCard key={one.id} override={one} />
              ))}
            </Section>
          )}
        </>
      )}
    </Page>
  );
}
