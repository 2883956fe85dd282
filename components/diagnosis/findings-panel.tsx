'use client';

import { useDiagnosisQuery } from '@/lib/client/queries';
import type { DiagnosisBody, LookedAt } from '@/lib/protocol/findings';
import { Panel } from '../breaker/panel';
import { formatAge, formatCount } from '../ui/format';
import { QueryState } from '../ui/query-state';
import { FindingCard } from './finding-card';
import styles from './diagnosis.module.css';

function plural(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`;
}

/** "looked at 24 h: 130 events, 900 probes, 12,400 calls". */
function lookedText({ from, to, events, probes, calls, cut }: LookedAt): string {
  const parts = [plural(events, 'event'), plural(probes, 'probe'), plural(calls, 'call')];
  return `looked at ${formatAge(to - from)}: ${parts.join(', ')}${cut ? ', older ones left out' : ''}`;
}

function Findings({ findings }: DiagnosisBody) {
  const past = findings.filter(({ current }) => !current);
  return (
    <>
      {findings.length === past.length && (
        <p className={styles.none}>
          Nothing that this console knows as a misbehaviour in the last hour.
        </p>
      )}
      {findings.map((finding, index) => (
        <FindingCard
          key={finding.kind}
          finding={finding}
          open={index === 0 && finding.current && finding.severity === 'harm'}
        />
      ))}
    </>
  );
}

/** What is wrong with this breaker and what to change, asked for again while the page is open. */
export function FindingsPanel({ breakerId }: { breakerId: string }) {
  const query = useDiagnosisQuery(breakerId);
  const looked = query.data?.lookedAt;
  return (
    <div id="diagnosis" className={styles.anchor}>
      <Panel title="Diagnosis" aside={looked && lookedText(looked)}>
        <div className={styles.list}>
          <QueryState query={query} what="The diagnosis" rows={2}>
            {(data) => <Findings {...data} />}
          </QueryState>
        </div>
      </Panel>
    </div>
  );
}
