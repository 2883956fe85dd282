import Link from 'next/link';
import type { ServiceView } from '@/lib/protocol/views';
import { EnvironmentChip } from '../shell/environments';
import { Chip } from '../ui/chip';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import { instancesText, Liveness } from './liveness';
import styles from './services.module.css';

export const servicePath = (id: string): string => `/services/${encodeURIComponent(id)}`;

function freshest({ live, stale }: ServiceView['instances']) {
  if (live > 0) return 'live';
  return stale > 0 ? 'stale' : 'offline';
}

export function ServiceTable({ services }: { services: readonly ServiceView[] }) {
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
          <Th>First seen</Th>
        </tr>
      </thead>
      <tbody>
        {services.map((service) => (
          <tr key={service.id}>
            <Td>
              <Link href={servicePath(service.id)} className={styles.name}>
                {service.name}
              </Link>
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
              <Time at={service.firstSeenAt} show="age" />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
