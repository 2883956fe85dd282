import type { ReactNode } from 'react';
import { formatCount, formatDuration, formatLatency, formatShare } from '@/components/ui/format';
import { Time } from '@/components/ui/time';
import { countsText } from '@/components/state';
import type { BreakerView } from '@/lib/protocol/views';
import { baselineAt } from '@/lib/series/verdict';
import type { RunbookFacts } from './runbook-facts';
import { Fact, Facts, Panel } from './panel';
import { latencyWords, outcomeWord, plural, stateName, tellTransition } from './words';
import styles from './runbook.module.css';

function Part({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3 className={styles.heading}>
        <span className={styles.number}>{number}</span>
        {title}
      </h3>
      <Facts>{children}</Facts>
    </div>
  );
}

function Confirmation({ row, facts }: { row: BreakerView; facts: RunbookFacts }) {
  const { opening } = facts;
  return (
    <Part number={1} title="Fault confirmation">
      <Fact label="State" {...(row.state === 'open' ? { tone: 'open' as const } : {})}>
        {stateName(row.state)}
      </Fact>
      <Fact label="Since">{row.since === null ? 'first seen' : <Time at={row.since} />}</Fact>
      <Fact label="Last opening">
        {opening === null ? 'none in this range' : tellTransition(opening).head}
      </Fact>
    </Part>
  );
}

function Impact({ row, facts }: { row: BreakerView; facts: RunbookFacts }) {
  const { impact } = facts;
  return (
    <Part number={2} title="Impact">
      <Fact label="Probes">
        {impact.probes.total === 0
          ? 'none in this range'
          : `${formatCount(impact.probes.total)}, ${formatShare(impact.successShare)} answered`}
      </Fact>
      <Fact label="Refused calls" {...(impact.refused > 0 ? { tone: 'open' as const } : {})}>
        {formatCount(impact.refused)}
      </Fact>
      <Fact label="Instances">{countsText(row)}</Fact>
    </Part>
  );
}

function tailText(facts: RunbookFacts): string {
  const { tail } = facts;
  if (tail === null) return 'no probe answered';
  const name = tail.kind === 'max' ? 'max' : 'P99';
  return `${name} of ${plural(tail.samples, 'probe')}: ${formatLatency(tail.valueMs)}`;
}

function RootCause({ facts }: { facts: RunbookFacts }) {
  const failed = facts.impact.probes.classes.filter(
    (one) => one.outcome !== 'success' && one.outcome !== 'client_error',
  );
  return (
    <Part number={3} title="Root cause">
      {failed.length === 0 && <Fact label="Probe errors">none</Fact>}
      {failed.map((one) => (
        <Fact key={one.outcome} label={`Probes: ${outcomeWord(one.outcome)}`} tone="open">
          {formatCount(one.count)}
        </Fact>
      ))}
      <Fact label="Probe latency">{latencyValue(facts)}</Fact>
      <Fact label="Tail">{tailText(facts)}</Fact>
    </Part>
  );
}

function latencyValue({ latency, baseline }: RunbookFacts): ReactNode {
  const words = latencyWords(latency, baselineAt(baseline, latency.quantile));
  if (latency.quantile !== null) return words;
  return <span className={styles.undecided}>{words}</span>;
}

function RecoveryCheck({ facts }: { facts: RunbookFacts }) {
  const { check } = facts;
  if (check === null) {
    return (
      <Part number={4} title="Recovery check">
        <Fact label="Ramp">not probing in this range</Fact>
      </Part>
    );
  }
  return (
    <Part number={4} title="Recovery check">
      <Fact label="In a row">
        {`${plural(check.consecutive, 'success', 'successes')}, this step needs ${check.minimum}`}
      </Fact>
      <Fact label="Step">{`${check.step + 1} of ${check.steps}, ${formatShare(check.share)}`}</Fact>
      <Fact label="Full traffic">
        {check.fullInMs === null
          ? check.outcome
          : `${formatDuration(check.fullInMs)} if nothing fails`}
      </Fact>
    </Part>
  );
}

/** The four questions of a runbook, answered from the range that is shown. */
export function Runbook({ row, facts }: { row: BreakerView; facts: RunbookFacts }) {
  return (
    <Panel title="Runbook" aside="over the range shown">
      <Confirmation row={row} facts={facts} />
      <Impact row={row} facts={facts} />
      <RootCause facts={facts} />
      <RecoveryCheck facts={facts} />
    </Panel>
  );
}
