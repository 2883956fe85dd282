import { Check } from '@/components/ui/check';
import { Segmented } from '@/components/ui/segmented';
import { SkeletonRows } from '@/components/ui/skeleton';
import { errorText } from '@/lib/client/api-error';
import { useBreakerQuery } from '@/lib/client/queries';
import type { Draft } from './draft';
import type { Kind } from './kinds';
import { mayIncludeNew, SCOPES, type Row } from './scope';
import styles from './override.module.css';

type Props = { row: Row; kind: Kind; draft: Draft; onDraft: (change: Partial<Draft>) => void };

function Instances({ row, draft, onDraft }: Props) {
  const query = useBreakerQuery(row.id);
  if (query.data === undefined) {
    return query.isError ? (
      <span className={styles.hint}>The instances are not known. {errorText(query.error)}</span>
    ) : (
      <SkeletonRows rows={2} />
    );
  }
  const chosen = new Set(draft.instanceIds);
  const choose = (id: string, on: boolean) =>
    onDraft({
      instanceIds: on ? [...chosen, id] : draft.instanceIds.filter((other) => other !== id),
    });
  return (
    <fieldset className={styles.instances}>
      <legend className="visually-hidden">Instances</legend>
      {query.data.instances.map((one) => (
        <Check
          key={one.instanceId}
          checked={chosen.has(one.instanceId)}
          onChecked={(on) => choose(one.instanceId, on)}
        >
          {one.instance} {one.liveness !== 'live' && <i>({one.liveness})</i>}
        </Check>
      ))}
    </fieldset>
  );
}

/** How far it reaches. The preview below says what that means. */
export function ScopeField(props: Props) {
  const { kind, draft, onDraft } = props;
  return (
    <div className={styles.leases}>
      <span className={styles.label}>Where</span>
      <div className={styles.scopes}>
        <Segmented
          label="Where"
          value={draft.scope}
          options={SCOPES}
          onValue={(scope) => onDraft({ scope, typed: '' })}
        />
      </div>
      {draft.scope === 'instances' && <Instances {...props} />}
      {mayIncludeNew(kind, draft.scope) && (
        <Check checked={draft.includeNew} onChecked={(includeNew) => onDraft({ includeNew })}>
          And instances that start while it lasts
        </Check>
      )}
    </div>
  );
}
