'use client';

import { useBreakerList } from '@/lib/client/use-live';
import type { BreakerView, ServiceView } from '@/lib/protocol/views';
import { FindingMark } from '../diagnosis/finding-mark';
import { EnvironmentChip } from '../shell/environments';
import { SimulatedMark } from '../simulator/simulated-mark';
import { Chip } from '../ui/chip';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import { RowLink } from '../ui/row-link';
import { instancesText, Liveness } from './liveness';
import styles from './services.module.css';

export const servicePath = (id: string): string => `/services/${encodeURIComponent(id)}`;

function freshest({ live, stale }: ServiceView['instances']) {
  if (live > 0) return 'live';
  return stale > 0 ? 'stale' : 'offline';
}

/** Findings of all breakers of each service. */
function findingsByService(breakers: readonly BreakerView[]) {
  const found = new Map<string, NonNullable<BreakerView['findings']>>();
  for (const { serviceId, findings = [] } of breakers) {
    if (findings.length > 0) found.set(serviceId, [...(found.get(serviceId) ?? []), ...findings]);
  }
  return found;
}

export function ServiceTable({ services }: { services: readonly ServiceView[] }) {
  const findings = findingsByService(useBreakerList());
  return (
    <Table aria-label="Services">
      <thead>
        <tr>
          <Th>Service</Th>
          <Th>Environment</Th>
          <Th>Connection</Th>
          <Th>Instances</Th>
          <Th numeric>Breakers</Th>
          <Th>Trouble</Th>
          <Th>Diagnosis</Th>
          <Th>First seen</Th>
        </tr>
      </thead>
      <tbody>
        {services.map((service) => (
          <tr key={service.id}>
            <Td>
              <RowLink href={servicePath(service.id)} className={styles.name}>
                {service.name}
              </RowLink>{' '}
              <SimulatedMark environment={service.environment} />
              {service.owner !== null && <bdi className={styles.sub}>{service.owner}</bdi>}
            </Td>
            <Td>
              <EnvironmentChip name={service.environment} quiet />
            </Td>
            <Td>
              <Liveness liveness={freshest(service.instances)} />
            </Td>
            <Td>{instancesText(service.instances)}</Td>
            <Td numeric>{service.breakers}</Td>
            <Td>
              {service.troubled > 0 ? (
                <Chip tone="open">{service.troubled} open or recovering</Chip>
              ) : (
                <span className={styles.muted}>none</span>
              )}
            </Td>
            <Td>
              {findings.has(service.id) ? (
                <FindingMark findings={findings.get(service.id)} />
              ) : (
                <span className={styles.muted}>none</span>
              )}
            </Td>
            <Td>
              <Time at={service.firstSeenAt} show="age" />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
