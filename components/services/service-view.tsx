'use client';

import Link from 'next/link';
import { ApiError } from '@/lib/client/api-error';
import type { ServiceBody } from '@/lib/protocol/api';
import { useServiceQuery } from '@/lib/client/queries';
import { ServiceFindings } from '../diagnosis/service-findings';
import { EnvironmentChip } from '../shell/environments';
import { Page, Section } from '../shell/page';
import { ButtonLink } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { QueryState } from '../ui/query-state';
import { Time } from '../ui/time';
import { InstanceTable } from './instance-table';
import { instancesText } from './liveness';
import styles from './services.module.css';

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
        <span>
          First seen <Time at={service.firstSeenAt} />
        </span>
      </div>
      <ServiceFindings serviceId={service.id} />
      <Section title="Instances">
        {instances.length === 0 ? (
          <EmptyState title="No instance is known">
            All of them were archived: nothing was heard of them for a day.
          </EmptyState>
        ) : (
          <InstanceTable instances={instances} />
        )}
      </Section>
    </>
  );
}

export function ServiceDetailView({ id }: { id: string }) {
  const query = useServiceQuery(id);
  const service = query.data?.service;
  const missing = query.error instanceof ApiError && query.error.code === 'not_found';
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
      {missing ? (
        <EmptyState
          title="This service is not known"
          action={<ButtonLink href="/services">All services</ButtonLink>}
        >
          It may have been archived, or the address belongs to another console.
        </EmptyState>
      ) : (
        <QueryState query={query} what="The service">
          {(data) => <Detail {...data} />}
        </QueryState>
      )}
    </Page>
  );
}
