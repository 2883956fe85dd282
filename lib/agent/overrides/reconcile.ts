/**
 * Level-triggered: makes what this process holds equal to what the server wants, as a plan.
 *
 * The set is the whole truth each time. A repeat (same id and generation) changes nothing and is
 * answered as before; what is missing ends; a new entry is fenced by the highest generation seen
 * on its breaker before this set. Every entry gets exactly one answer.
 */
import type { CommandKind } from '../../protocol/breaker-state';
import type { DesiredOverride } from '../../protocol/server-frames';
import { longestLease, type LocalPolicy } from './policy';

export type Outcome = 'applied' | 'rejected' | 'expired' | 'superseded';

export type Held = {
  readonly id: string;
  readonly breaker: string;
  readonly kind: Exclude<CommandKind, 'reset'>;
  readonly generation: number;
  /** Monotonic instant at which the lease ends. */
  readonly endsAt: number;
  readonly reason: string;
  readonly actor: string;
};

export type Answer = {
  readonly id: string;
  readonly generation: number;
  readonly breaker: string;
  readonly outcome: Outcome;
  readonly reason?: string;
  /** False when the same entry may well be accepted later. */
  readonly final: boolean;
};

export type Action =
  | { readonly type: 'apply'; readonly held: Held }
  | { readonly type: 'reset'; readonly id: string; readonly breaker: string }
  | { readonly type: 'release'; readonly id: string; readonly why: 'released' | 'superseded' };

export type Plan = { readonly actions: readonly Action[]; readonly answers: readonly Answer[] };

export type World = {
  readonly held: ReadonlyMap<string, Held>;
  /** Answers given before, by id. */
  readonly answered: ReadonlyMap<string, Pick<Answer, 'generation' | 'outcome' | 'reason'>>;
  /** Highest generation seen per breaker. */
  readonly fences: ReadonlyMap<string, number>;
  knows(breaker: string): boolean;
};

type Judgement = { readonly outcome: Outcome; readonly reason?: string; readonly final?: boolean };

function repeated(entry: DesiredOverride, world: World): Judgement | null {
  const held = world.held.get(entry.id);
  if (held?.generation === entry.generation) return { outcome: 'applied' };
  const before = world.answered.get(entry.id);
  if (before?.generation === entry.generation) {
    const { outcome, reason } = before;
    return { outcome, ...(reason === undefined ? {} : { reason }) };
  }
  const known = held?.generation ?? before?.generation ?? 0;
  return entry.generation < known ? { outcome: 'superseded', reason: 'older generation' } : null;
}

function judgeNew(entry: DesiredOverride, world: World, policy: LocalPolicy): Judgement {
  const { kind } = entry;
  if (!world.knows(entry.breaker)) {
    return { outcome: 'rejected', reason: 'no such breaker in this process', final: false };
  }
  if (!policy.kinds.includes(kind)) {
    return { outcome: 'rejected', reason: `the service does not allow ${kind}` };
  }
  if (entry.deliverWithinMs <= 0) return { outcome: 'expired', reason: 'came too late' };
  if (kind !== 'reset' && entry.remainingMs <= 0) {
    return { outcome: 'expired', reason: 'the lease was over' };
  }
  const longest = longestLease(kind, policy);
  if (kind !== 'reset' && entry.remainingMs > longest) {
    const reason = `the service allows ${kind} for ${Math.floor(longest / 1000)} s at most`;
    return { outcome: 'rejected', reason };
  }
  if (entry.generation <= (world.fences.get(entry.breaker) ?? 0)) {
    return { outcome: 'superseded', reason: 'a newer command was seen for this breaker' };
  }
  return { outcome: 'applied' };
}

function actionFor(entry: DesiredOverride, now: number): Action {
  const { id, breaker, kind, generation, reason, actor } = entry;
  if (kind === 'reset') return { type: 'reset', id, breaker };
  const endsAt = now + entry.remainingMs;
  return { type: 'apply', held: { id, breaker, kind, generation, endsAt, reason, actor } };
}

function releases(world: World, desired: readonly DesiredOverride[]): Action[] {
  const wanted = new Set(desired.map((entry) => entry.id));
  const missing = [...world.held.values()].filter((held) => !wanted.has(held.id));
  return missing.map((held) => {
    const newer = desired.some(
      ({ breaker, kind, generation }) =>
        breaker === held.breaker && kind !== 'reset' && generation > held.generation,
    );
    return { type: 'release', id: held.id, why: newer ? 'superseded' : 'released' };
  });
}

export function reconcile(
  world: World,
  desired: readonly DesiredOverride[],
  policy: LocalPolicy,
  now: number,
): Plan {
  const actions: Action[] = [];
  const answers: Answer[] = [];
  const done = new Set<string>();
  // Ascending, so that the newest generation is applied last and is the one in force.
  for (const entry of [...desired].sort((a, b) => a.generation - b.generation)) {
    const { id, generation, breaker } = entry;
    const before = repeated(entry, world);
    const judgement = before ?? judgeNew(entry, world, policy);
    answers.push({ final: true, ...judgement, id, generation, breaker });
    const fresh = before === null && judgement.outcome === 'applied';
    const key = `${id} ${generation}`;
    if (fresh && !done.has(key)) actions.push(actionFor(entry, now));
    done.add(key);
  }
  // New ones first: a breaker that goes from one override to the next does not open in between.
  return { actions: [...actions, ...releases(world, desired)], answers };
}
