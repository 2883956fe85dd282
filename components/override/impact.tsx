import { Callout } from '@/components/ui/callout';
import { formatInstant } from '@/components/ui/format';
import type { ImpactBody } from '@/lib/client/bodies';
import { afterLease, consequence, reachText } from './impact-words';
import { KINDS, type Kind } from './kinds';
import styles from './override.module.css';

/** What it will hit, counted by the server a moment ago. */
export function Impact({ kind, impact }: { kind: Kind; impact: ImpactBody }) {
  const { title, body, danger } = consequence(kind, impact);
  const { willRefuse, activeOverrides, instances } = impact;
  return (
    <div className={styles.impact}>
      <Callout
        tone={danger ? (kind === 'force_closed' ? 'warning' : 'danger') : 'info'}
        title={title}
      >
        {body}
      </Callout>
      <dl className={styles.facts}>
        <div>
          <dt>Instances</dt>
          <dd>
            {reachText(instances)}
            {instances.stale + instances.offline > 0 &&
              '; those that are not heard get it only if they come back within 30 s'}
          </dd>
        </div>
        {willRefuse.length > 0 && (
          <div data-tone="open">
            <dt>Will refuse</dt>
            <dd>
              {willRefuse.map((one) => (
                <span key={one.instanceId} className={styles.line}>
                  {one.instance}: {one.why}
                </span>
              ))}
            </dd>
          </div>
        )}
        {activeOverrides.length > 0 && (
          <div>
            <dt>Already in force</dt>
            <dd>
              {activeOverrides.map((one) => (
                <span key={one.id} className={styles.line}>
                  {KINDS[one.kind].name} by {one.actor} until {formatInstant(one.endsAt)}: “
                  {one.reason}”
                </span>
              ))}
            </dd>
          </div>
        )}
        {kind !== 'reset' && (
          <div>
            <dt>Afterwards</dt>
            <dd>{afterLease(kind)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
