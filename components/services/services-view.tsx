'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useServicesQuery, useTokensQuery } from '@/lib/client/queries';
import { Page, Section } from '../shell/page';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { QueryState } from '../ui/query-state';
import { CreateTokenDialog } from './create-token-dialog';
import { ServiceTable } from './service-table';
import { TokenTable } from './token-table';

function NoServices({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      title="No service has connected yet"
      action={
        <Button kind="primary" onClick={onCreate}>
          Create an agent token
        </Button>
      }
    >
      A service connects with a token. Create one and paste the lines it comes with where the
      service starts.
    </EmptyState>
  );
}

export function ServicesView() {
  const [creating, setCreating] = useState(false);
  const services = useServicesQuery();
  const tokens = useTokensQuery();
  const create = () => setCreating(true);
  return (
    <Page
      title="Services"
      description="Programs that report here, and the tokens they connect with."
    >
      <QueryState query={services} what="The services" rows={6}>
        {(data) =>
          data.services.length === 0 ? (
            <NoServices onCreate={create} />
          ) : (
            <ServiceTable services={data.services} />
          )
        }
      </QueryState>
      <Section
        title="Agent tokens"
        actions={
          <Button icon={<Plus />} onClick={create}>
            Create token
          </Button>
        }
      >
        <QueryState query={tokens} what="The tokens" rows={3}>
          {(data) => <TokenTable tokens={data.tokens} now={data.now} />}
        </QueryState>
      </Section>
      <CreateTokenDialog open={creating} onOpenChange={setCreating} />
    </Page>
  );
}
