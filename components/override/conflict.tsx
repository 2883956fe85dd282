import { Callout } from '@/components/ui/callout';
import { formatInstant } from '@/components/ui/format';
import type { ApiError } from '@/lib/client/api-error';
import { KINDS, type Kind } from './kinds';
import styles from './override.module.css';

type Latest = {
  readonly kind: Kind;
  readonly actor: string;
  readonly reason: string;
  readonly at: number;
  readonly ended: boolean;
};

const isKind = (value: unknown): value is Kind =>
  typeof value === 'string' && Object.hasOwn(KINDS, value);

/** The other person's override as the answer describes it; null when it does not. */
export function latestOf(details: ApiError['details']): Latest | null {
  const latest = details['latest'];
  if (typeof latest !== 'object' || latest === null || Array.isArray(latest)) return null;
  const { kind, actor, reason, at, endedAt } = latest;
  if (!isKind(kind) || typeof actor !== 'string' || typeof at !== 'number') return null;
  return {
    kind,
    actor,
    at,
    reason: typeof reason === 'string' ? reason : '',
    ended: typeof endedAt === 'number',
  };
}

/** Somebody was first. Nothing was sent and nothing is tried again by itself. */
export function Conflict({ error, kind }: { error: ApiError; kind: Kind }) {
  const latest = latestOf(error.details);
  return (
    <Callout tone="warning" role="alert" title="Somebody acted on this breaker in the meantime">
      {latest === null ? (
        <p>{error.message}</p>
      ) : (
        <dl className={styles.facts}>
          <div>
            <dt>Who</dt>
            <dd>{latest.actor}</dd>
          </div>
          <div>
            <dt>When</dt>
            <dd>{formatInstant(latest.at)}</dd>
          </div>
          <div>
            <dt>What</dt>
            <dd>
              {KINDS[latest.kind].done}
              {latest.ended ? ', ended since' : ''}; you asked for “{KINDS[kind].name}”
            </dd>
          </div>
          <div>
            <dt>Why</dt>
            <dd>{latest.reason}</dd>
          </div>
        </dl>
      )}
      <p>Your override was not sent. Look at the new facts, then send it again or close.</p>
    </Callout>
  );
}
