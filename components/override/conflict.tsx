import { Callout } from '@/components/ui/callout';
import { formatInstant } from '@/components/ui/format';
import type { ApiError } from '@/lib/client/api-error';
import type { CommandPreview } from '@/lib/protocol/command-views';
import type { OverrideView } from '@/lib/protocol/views';
import { KINDS, type Kind } from './kinds';
import { useZone } from '@/components/ui/zone-context';
import styles from './override.module.css';

/** What somebody else did. */
type Act = Pick<OverrideView, 'kind' | 'actor' | 'reason' | 'endedAt'> & {
  readonly id: string;
  readonly at: number;
  /** Left out where it is the breaker of the dialog. */
  readonly breaker?: string;
};

const isKind = (value: unknown): value is Kind =>
  typeof value === 'string' && Object.hasOwn(KINDS, value);

/** The other person's override as the answer describes it; null when it does not. */
export function latestOf(details: ApiError['details']): Act | null {
  const latest = details['latest'];
  if (typeof latest !== 'object' || latest === null || Array.isArray(latest)) return null;
  const { kind, actor, reason, at, endedAt } = latest;
  if (!isKind(kind) || typeof actor !== 'string' || typeof at !== 'number') return null;
  return {
    id: 'latest',
    kind,
    actor,
    at,
    reason: typeof reason === 'string' ? reason : '',
    endedAt: typeof endedAt === 'number' ? endedAt : null,
  };
}

type Since = Act & { readonly breakerId: string };

/** [U-27] What was asked of these breakers after the facts were counted, the newest first. */
export function actsSince(
  { breakers }: Pick<CommandPreview, 'breakers'>,
  live: readonly OverrideView[],
): Since[] {
  const seen = new Map(breakers.map(({ breakerId, generation }) => [breakerId, generation]));
  return live
    .filter(({ breakerId, generation }) => generation > (seen.get(breakerId) ?? Infinity))
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .map(({ id, breakerId, breaker, kind, actor, reason, createdAt: at, endedAt }) => ({
      id,
      breakerId,
      ...(seen.size > 1 ? { breaker } : {}),
      kind,
      actor,
      reason,
      at,
      endedAt,
    }));
}

function One({ act, kind }: { act: Act; kind: Kind }) {
  const zone = useZone();
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Who</dt>
        <dd>{act.actor}</dd>
      </div>
      <div>
        <dt>When</dt>
        <dd>{formatInstant(act.at, zone)}</dd>
      </div>
      <div>
        <dt>What</dt>
        <dd>
          {act.breaker !== undefined && `${act.breaker}: `}
          {KINDS[act.kind].done}
          {act.endedAt !== null && ', ended since'}; you asked for “{KINDS[kind].name}”
        </dd>
      </div>
      <div>
        <dt>Why</dt>
        <dd>{act.reason}</dd>
      </div>
    </dl>
  );
}

export function Acts({ acts, kind }: { acts: readonly Act[]; kind: Kind }) {
  if (acts.length === 0) return null;
  return (
    <div className={styles.acts}>
      {acts.map((act) => (
        <One key={act.id} act={act} kind={kind} />
      ))}
    </div>
  );
}

/** Somebody was first. Nothing was sent and nothing is tried again by itself. */
export function Conflict({ error, kind }: { error: ApiError; kind: Kind }) {
  const latest = latestOf(error.details);
  return (
    <Callout tone="warning" role="alert" title="Somebody acted on this breaker in the meantime">
      {latest === null ? <p>{error.message}</p> : <One act={latest} kind={kind} />}
      <p>Your override was not sent. Look at the new facts, then send it again or close.</p>
    </Callout>
  );
}
