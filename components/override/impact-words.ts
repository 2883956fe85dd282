import { formatRate, formatShare } from '@/components/ui/format';
import type { ImpactBody } from '@/lib/client/bodies';
import { KINDS, type Kind } from './kinds';

export type Consequence = {
  readonly title: string;
  readonly body: string;
  readonly danger: boolean;
};

type Facts = Pick<ImpactBody, 'failureShare' | 'callsPerSecond' | 'instances'> & {
  readonly breaker: Pick<ImpactBody['breaker'], 'target' | 'service' | 'refusedPerSecond'>;
};

/** Calls that arrive, admitted or not: what an override decides about. */
function arriving({ callsPerSecond, breaker }: Facts): string {
  return `${formatRate(callsPerSecond + breaker.refusedPerSecond)} calls per second`;
}

function forceClosed(facts: Facts): Consequence {
  const { failureShare, breaker } = facts;
  const failing = failureShare !== null && failureShare > 0;
  const body = failing
    ? `${breaker.target} is failing now: ${formatShare(failureShare)} of calls in the last ten seconds. Nothing will stop further calls, however many fail.`
    : failureShare === null
      ? `Nobody has called ${breaker.target} in the last ten seconds, so it is not known whether it answers. Nothing will stop calls, however many fail.`
      : `${breaker.target} answers at the moment. If it begins to fail, nothing will stop the calls.`;
  return {
    title: `All calls go to ${breaker.target}: ${arriving(facts)}`,
    body,
    danger: failing || failureShare === null,
  };
}

function forceOpen(facts: Facts): Consequence {
  const { breaker } = facts;
  return {
    title: `Every call from ${breaker.service} to ${breaker.target} fails at once: ${arriving(facts)}`,
    body: 'No call reaches the target, not even a probe. What people see is decided by the fallbacks of the service; where there is none, they see an error.',
    danger: true,
  };
}

function reset(facts: Facts): Consequence {
  return {
    title: `The breaker closes and forgets: ${arriving(facts)} go to ${facts.breaker.target}`,
    body: 'Its window, its backoff level and a running recovery start anew. It stays automatic and trips again if calls fail.',
    danger: facts.failureShare !== null && facts.failureShare > 0,
  };
}

const BY_KIND: Record<Kind, (facts: Facts) => Consequence> = {
  force_closed: forceClosed,
  force_open: forceOpen,
  reset,
};

/** What an override of this kind does, in words that cannot be read two ways. */
export function consequence(kind: Kind, facts: Facts): Consequence {
  return BY_KIND[kind](facts);
}

/** "3 live, 1 stale, 1 offline": who will hear of it now. */
export function reachText({ live, stale, offline }: ImpactBody['instances']): string {
  const parts = [`${live} live`];
  if (stale > 0) parts.push(`${stale} stale`);
  if (offline > 0) parts.push(`${offline} offline`);
  return parts.join(', ');
}

export const afterLease = (kind: Kind): string =>
  kind === 'force_open'
    ? 'At the end of the lease it goes half-open and recovers step by step.'
    : 'At the end of the lease it is closed and automatic again.';

/** The facts a person agreed to; other ones ask for another look. */
export function sameFacts(a: ImpactBody, b: ImpactBody): boolean {
  return (
    a.generation === b.generation &&
    a.breaker.state === b.breaker.state &&
    a.willRefuse.length === b.willRefuse.length &&
    a.instances.live === b.instances.live &&
    a.activeOverrides.length === b.activeOverrides.length
  );
}

export function confirmText(kind: Kind, breaker: string, lease: string | null): string {
  return lease === null
    ? `${KINDS[kind].name} ${breaker}`
    : `${KINDS[kind].name} ${breaker} for ${lease}`;
}
