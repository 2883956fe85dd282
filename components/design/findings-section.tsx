import { useState } from 'react';
import { FindingCard } from '../diagnosis/finding-card';
import { FindingMark, FindingsLink } from '../diagnosis/finding-mark';
import { Panel } from '../breaker/panel';
import { Section } from '../shell/page';
import { findingFixtures } from './finding-fixtures';

export function FindingsSection({ now }: { now: number }) {
  const [start] = useState(now);
  const findings = findingFixtures(start);
  const kinds = findings.map(({ kind }) => kind);
  return (
    <Section title="Diagnosis">
      <p>
        <FindingMark findings={kinds} /> <FindingsLink findings={kinds} />
      </p>
      <Panel title="Diagnosis" aside="looked at 24 h: 130 events, 900 probes, 12,400 calls">
        {findings.map((finding, index) => (
          <FindingCard key={finding.kind} finding={finding} open={index === 0} />
        ))}
      </Panel>
    </Section>
  );
}
