import type { GenerationConflict } from '../../store/port';
import type { OverrideRecord } from '../../store/port';
import { RecloserError } from '../errors';
import { expectedOf } from './facts';
import type { Previewed } from './preview';

function shown(latest: OverrideRecord | null) {
  if (latest === null) return null;
  const { id, kind, actor, reason, createdAt: at, endsAt, endedAt, endedBy } = latest;
  return { id, kind, actor, reason, at, endsAt, endedAt, endedBy };
}

/** Who acted in between, when and why, so that the person can decide anew. */
export function conflictError(conflicts: readonly GenerationConflict[]): RecloserError {
  const [first] = conflicts;
  const who = first?.latest?.actor ?? 'somebody';
  const where = conflicts.length > 1 ? `${conflicts.length} of these breakers` : 'this breaker';
  return new RecloserError('conflict', `${who} changed ${where} in the meantime`, {
    details: {
      generation: first?.generation ?? null,
      latest: shown(first?.latest ?? null),
      conflicts: conflicts.map(({ breakerId, generation, latest }) => ({
        breakerId,
        generation,
        latest: shown(latest),
      })),
    },
  });
}

/** The breakers that the person saw are the ones that the scope has now. */
export function checkBreakers(
  expected: Readonly<Record<string, number>>,
  { facts, preview }: Previewed,
): void {
  const now = expectedOf(facts);
  const joined = Object.keys(now).filter((id) => !Object.hasOwn(expected, id));
  const left = Object.keys(expected).filter((id) => !Object.hasOwn(now, id));
  if (joined.length + left.length === 0) return;
  throw new RecloserError('conflict', 'the breakers of this scope are others by now', {
    details: { joined, left, preview },
  });
}
