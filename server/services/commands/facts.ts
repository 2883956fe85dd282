import { canonicalJson } from '@/lib/protocol/digest';
import type { CommandFacts, CommandScope } from '@/lib/protocol/commands';
import type { BreakerView } from '@/lib/protocol/views';
import type { CommandRecord } from '../../store/port';
import type { Core } from '../core';
import { breakerViewOf } from '../feed/views';
import type { BreakerEntry } from '../fleet/entries';
import type { Part } from './scope';

/** How far the number of live instances may move before it is another situation. [S-14] */
const LIVE_TOLERANCE = 0.1;

export function viewOf(core: Core, breaker: BreakerEntry): BreakerView | null {
  const { fleet, feed, clock } = core;
  return breakerViewOf(fleet, breaker, feed.published(breaker.record.id), clock.wall());
}

export function countInstances(core: Core, instanceIds: Iterable<string>) {
  const counts = { live: 0, stale: 0, offline: 0 };
  for (const id of instanceIds) {
    counts[core.fleet.instances.get(id)?.record.liveness ?? 'offline'] += 1;
  }
  return counts;
}

/** What a person looked at when deciding. */
export function factsOf(core: Core, parts: readonly Part[]): CommandFacts {
  return {
    breakers: parts.map(({ breaker, instanceIds }) => ({
      breakerId: breaker.record.id,
      generation: breaker.record.generation,
      state: viewOf(core, breaker)?.state ?? 'unknown',
      live: countInstances(core, instanceIds).live,
    })),
  };
}

const totalLive = ({ breakers }: CommandFacts): number =>
  breakers.reduce((sum, { live }) => sum + live, 0);

/** False when somebody acted, a state moved, or the number of live instances did by a tenth. */
export function sameFacts(seen: CommandFacts, now: CommandFacts): boolean {
  if (seen.breakers.length !== now.breakers.length) return false;
  const before = new Map(seen.breakers.map((one) => [one.breakerId, one]));
  const same = now.breakers.every(({ breakerId, generation, state }) => {
    const known = before.get(breakerId);
    return known?.generation === generation && known.state === state;
  });
  return same && Math.abs(totalLive(now) - totalLive(seen)) <= totalLive(seen) * LIVE_TOLERANCE;
}

type Asked = Pick<
  CommandRecord,
  'kind' | 'includeNew' | 'leaseMs' | 'deliverWithinMs' | 'startAt'
> & { readonly scope: CommandScope };

/** Names exactly this command in exactly this situation. */
export function digestOf(
  core: Core,
  asked: Asked & Partial<Pick<CommandRecord, 'reason' | 'actor' | 'breakGlass'>>,
  facts: CommandFacts,
): string {
  const { scope, kind, includeNew, leaseMs, deliverWithinMs, startAt } = asked;
  const { reason = '', actor = '', breakGlass = false } = asked;
  const act = { scope, kind, includeNew, leaseMs, deliverWithinMs, startAt };
  return core.hash(canonicalJson({ act, reason, actor, breakGlass, facts }));
}

export const expectedOf = ({ breakers }: CommandFacts): Record<string, number> =>
  Object.fromEntries(breakers.map(({ breakerId, generation }) => [breakerId, generation]));
