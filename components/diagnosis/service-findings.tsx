'use client';

import { useFindingsQuery } from '@/lib/client/queries';
import type { FindingsBody, FleetFinding } from '@/lib/protocol/findings';
import { Section } from '../shell/page';
import { QueryState } from '../ui/query-state';
import { FindingCard } from './finding-card';
import styles from './diagnosis.module.css';

const keyOf = ({ breakerId, finding }: FleetFinding): string => `${breakerId} ${finding.kind}`;

const breakerOf = ({ breakerId, breaker }: FleetFinding) => ({
  name: breaker,
  path: `/breakers/${encodeURIComponent(breakerId)}#diagnosis`,
});

function Findings({ findings, examined, breakers }: FindingsBody) {
  const missing = breakers - examined;
  return (
    <div className={styles.framed}>
      {findings.length === 0 && (
        <p className={styles.none}>No finding in its breakers in the last hour.</p>
      )}
      {findings.map((one) => (
        <FindingCard key={keyOf(one)} finding={one.finding} breaker={breakerOf(one)} />
      ))}
      {missing > 0 && (
        <p className={styles.none}>
          {missing} of {breakers} breakers have not been looked at since the console started.
        </p>
      )}
    </div>
  );
}

/** Findings of the last hour over all breakers of one service, worst first. */
export function ServiceFindings({ serviceId }: { serviceId: string }) {
  const query = useFindingsQuery(serviceId);
  return (
    <Section title="Diagnosis">
      <QueryState query={query} what="The findings" rows={2}>
        {(data) => <Findings {...data} />}
      </QueryState>
    </Section>
  );
}
