import { useMemo, useState } from 'react';
import { StepTable } from '../breaker/step-table';
import { InstanceTable } from '../breaker/instance-table';
import { runbookFacts } from '../breaker/runbook-facts';
import { Runbook } from '../breaker/runbook';
import { RecoveryPanel } from '../breaker/recovery-panel';
import { LazyChartStack } from '../charts/lazy-stack';
import type { ChartInput } from '../charts/model';
import { Section } from '../shell/page';
import { storyBreaker, storySeries } from './breaker-story';
import styles from './design.module.css';

const ignore = () => undefined;
const still = {
  subject: 'inventory',
  limits: { from: 0, to: 8_640_000_000_000 },
  tables: [],
  onZoom: ignore,
  onReset: ignore,
  onTables: ignore,
} as const;

function storyInput(now: number): ChartInput {
  const body = storyBreaker(now);
  return {
    ...storySeries(now),
    domain: { from: now - 900_000, to: now + 90_000 },
    instances: body.instances,
    overrides: [],
    config: body.configs[0]?.config ?? null,
    latencyScale: 'log',
  };
}

/** The breaker page in pieces: full, stale and empty charts, and what stands beside them. */
export function ChartsSection({ now }: { now: number }) {
  // The story stands still, or it would be drawn anew every second.
  const [at] = useState(now);
  const body = useMemo(() => storyBreaker(at), [at]);
  const input = useMemo(() => storyInput(at), [at]);
  const empty = useMemo(
    () => ({ ...input, points: [], probes: [], events: [], gaps: [] }),
    [input],
  );
  const facts = useMemo(() => runbookFacts(input), [input]);
  return (
    <>
      <Section title="Charts">
        <LazyChartStack input={input} {...still} />
      </Section>
      <Section title="Charts, stale">
        <LazyChartStack input={input} stale {...still} />
      </Section>
      <Section title="Charts, empty">
        <LazyChartStack input={empty} {...still} />
      </Section>
      <Section title="Beside the charts">
        <div className={styles.empties}>
          <Runbook row={body.breaker} facts={facts} />
          <RecoveryPanel facts={facts} />
        </div>
        {facts.steps && <StepTable rows={facts.steps} />}
        <InstanceTable instances={body.instances} />
      </Section>
    </>
  );
}
