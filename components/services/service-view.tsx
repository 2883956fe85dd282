'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { ServiceBody } from '@/lib/protocol/api';
import { useServiceQuery } from '@/lib/client/queries';
import { useMe } from '@/lib/client/people-queries';
import type { InstanceView } from '@/lib/protocol/views';
import { ServiceFindings } from '../diagnosis/service-findings';
import { allowsPerson } from '../override/allowed';
import { EnvironmentChip } from '../shell/environments';
import { Page, Section } from '../shell/page';
import { usePagePlace } from '../shell/page-place';
import { ButtonLink } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { QueryState } from '../ui/query-state';
import { Time } from '../ui/time';
import { InstanceTable } from './instance-table';
import { instancesText } from './liveness';
import { RemoveInstanceDialog } from './remove-instance-dialog';
import styles from './services.module.css';

function Instances({ service, instances }: Pick<ServiceBody, 'service' | 'instances'>) {
  const [removing, setRemoving] = useState<InstanceView | null>(null);
  const { data: me = null } = useMe();
  const place = { environment: service.environment, service: service.name };
  const mayRemove = allowsPerson(me, 'instance.remove', place);
  if (instances.length === 0) {
    return (
      <EmptyState title="No instance is known">
        All of them were removed, or nothing was heard of them for a day.
      </EmptyState>
    );
  }
  return (
    <>
      <InstanceTable instances={instances} onRemove={mayRemove ? setRemoving : null} />
      <RemoveInstanceDialog instance={removing} onClose={() => setRemoving(null)} />
    </>
  );
}

function Detail({ service, instances }: ServiceBody) {
  return (
    <>
      <div className={styles.facts}>
        <span>
          <b>{instancesText(service.instances)}</b> instances
        </span>
        <span>
          <b>{service.breakers}</b> {service.breakers === 1 ? 'breaker' : 'breakers'}
        </span>
        <span>
          <b>{service.troubled}</b> open or recovering
        </span>
        {service.owner !== null && (
          <span>
            Owner <bdi>{service.owner}</bdi>
          </span>
        )}
        <span>
          First seen <Time at={service.firstSeenAt} />
        </span>
      </div>
      <ServiceFindings serviceId={service.id} />
      <Section title="Instances">
        <Instances service={service} instances={instances} />
      </Section>
    </>
  );
}

const UNKNOWN = (
  <EmptyState
    title="This service is not known"
    action={<ButtonLink href="/services">All services</ButtonLink>}
  >
    It may have been archived, or the address belongs to another console.
  </EmptyState>
);

export function ServiceDetailView({ id }: { id: string }) {
  const query = useServiceQuery(id);
  const service = query.data?.service;
  usePagePlace(service?.environment, service?.name);
  return (
    <Page
      title={service?.name ?? 'Service'}
      back={<Link href="/services">Services</Link>}
      aside={service && <EnvironmentChip name={service.environment} />}
      actions={
        service && (
          <ButtonLink
            href={`/?${new URLSearchParams({ env: service.environment, service: service.name }).toString()}`}
          >
            Show its breakers
          </ButtonLink>
        )
      }
    >
      <QueryState query={query} what="The service" missing={UNKNOWN}>
        {(data) => <Detail {...data} />}
      </QueryState>
    </Page>
  );
}
