import { useState } from 'react';
import { AuditTable } from '../audit/audit-table';
import { InstanceTable } from '../services/instance-table';
import { ServiceTable } from '../services/service-table';
import { SixLines } from '../services/six-lines';
import { TokenTable } from '../services/token-table';
import { Section } from '../shell/page';
import { SkeletonRows } from '../ui/skeleton';
import { auditFixtures, instanceFixtures, serviceFixtures, tokenFixtures } from './fixtures';

export function ServicesSection({ now }: { now: number }) {
  const [start] = useState(now);
  return (
    <Section title="Services, tokens, audit">
      <ServiceTable services={serviceFixtures(start)} />
      <InstanceTable instances={instanceFixtures(start)} onRemove={() => undefined} />
      <TokenTable tokens={tokenFixtures(start)} now={start} />
      <AuditTable rows={auditFixtures(start)} />
      <SixLines />
      <SkeletonRows rows={3} />
    </Section>
  );
}
