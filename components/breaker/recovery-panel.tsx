import { formatDuration, formatLatency, formatShare, NONE } from '@/components/ui/format';
import type { AfterClose } from '@/lib/series/recovery';
import { Fact, Facts, Panel } from './panel';
import type { RunbookFacts } from './runbook-facts';
import { latencyTone } from './tones';
import styles from './recovery-panel.module.css';

function After({ after }: { after: AfterClose }) {
  const tone = latencyTone(after.p95Ms, after.baselineP95Ms);
  return (
    <>
      <Fact label="First calls after close">
        {after.calls === 0
          ? 'no call yet'
          : `${after.calls}, ${formatShare(after.failureShare)} failed${after.settled ? '' : ' so far'}`}
      </Fact>
      <Fact label="Their worst P95" {...(tone ? { tone } : {})}>
        {formatLatency(after.p95Ms)}
        {after.baselineP95Ms !== null && `, baseline ${formatLatency(after.baselineP95Ms)}`}
      </Fact>
    </>
  );
}

/** The figures that tune a breaker. */
export function RecoveryPanel({ facts }: { facts: RunbookFacts }) {
  const { recovery, after } = facts;
  const { fellBackShare, probesPerRecovery, timeToCloseMs } = recovery;
  return (
    <Panel title="Recovery" aside="over the range shown">
      <div className={styles.body}>
        <Facts>
          <Fact label="Entered half-open">{recovery.attempts}</Fact>
          <Fact label="Fell back to open">
            {fellBackShare === null
              ? NONE
              : `${recovery.fellBack}, ${formatShare(fellBackShare)} of those that ended`}
          </Fact>
          <Fact label="Probes per recovery">
            {probesPerRecovery === null ? NONE : Math.round(probesPerRecovery)}
          </Fact>
          <Fact label="Time to close, median">
            {timeToCloseMs === null ? NONE : formatDuration(timeToCloseMs)}
          </Fact>
          {after !== null && <After after={after} />}
        </Facts>
      </div>
    </Panel>
  );
}
