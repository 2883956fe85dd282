import { formatDuration, formatLatency, formatShare, NONE } from '@/components/ui/format';
import { Time } from '@/components/ui/time';
import type { AfterClose } from '@/lib/series/recovery';
import { Fact, Facts, Panel } from './panel';
import type { RunbookFacts } from './runbook-facts';
import { latencyTone } from './tones';
import { plural } from './words';
import styles from './recovery-panel.module.css';

function firstCalls({ calls, failureShare, settled }: AfterClose): string {
  if (calls === 0) return 'no call yet';
  return `${plural(calls, 'call')}, ${formatShare(failureShare)} failed${settled ? '' : ' so far'}`;
}

/** The first hundred calls or the first minute, against the baseline: was it really over? */
function After({ after }: { after: AfterClose }) {
  const tone = latencyTone(after.p95Ms, after.baselineP95Ms);
  return (
    <li className={styles.close}>
      <span className={styles.when} title={after.instances.join(', ')}>
        <Time at={after.closedAt} show="clock" />
        <span className={styles.who}>{plural(after.instances.length, 'instance')}</span>
      </span>
      <span data-tone={(after.failureShare ?? 0) > 0 ? 'open' : undefined}>
        {firstCalls(after)}
      </span>
      <span data-tone={tone ?? undefined}>
        worst P95 {formatLatency(after.p95Ms)}
        {after.baselineP95Ms !== null && `, baseline ${formatLatency(after.baselineP95Ms)}`}
      </span>
    </li>
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
        </Facts>
        {after.length > 0 && (
          <>
            <h3 className={styles.heading}>First calls after each close</h3>
            <ol className={styles.closes}>
              {after.map((one) => (
                <After key={one.closedAt} after={one} />
              ))}
            </ol>
          </>
        )}
      </div>
    </Panel>
  );
}
