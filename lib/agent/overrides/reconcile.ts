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
  /** Monotonic instant at which the lease ends, and which of its changes said so. */
  readonly endsAt: number;
  readonly leaseRevision: number;
  readonly reason: string;
  readonly actor: string;
};

export type Answer = {
  readonly id: string;
  readonly generation: number;
  readonly breaker: string;
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly leaseRevision: number;
  /** False when the same entry may well be accepted later. */
  readonly final: boolean;
};

type Before = Pick<Answer, 'generation' | 'outcome' | 'reason' | 'leaseRevision'>;

export type Action =
  | { readonly type: 'apply'; readonly held: Held }
  /** The same override with another lease. */
  | { readonly type: 'lease'; readonly held: Held }
  | { readonly type: 'reset'; readonly id: string; readonly breaker: string }
  | { readonly type: 'release'; readonly id: string; readonly why: 'released' | 'superseded' };

export type Plan = { readonly actions: readonly Action[]; readonly answers: readonly Answer[] };

export type World = {
  readonly held: ReadonlyMap<string, Held>;
  /** Answers given before, by id. */
  readonly answered: ReadonlyMap<string, Before>;
  /** Highest generation seen per breaker. */
  readonly fences: ReadonlyMap<string, number>;
  knows(breaker: string): boolean;
};

type Judgement = {
  readonly outcome: Outcome;
  readonly reason?: string;
  readonly leaseRevision?: number;
  readonly final?: boolean;
};

const revisionOf = (entry: DesiredOverride): number => entry.leaseRevision ?? 0;

function tooLong(entry: DesiredOverride, policy: LocalPolicy): string | null {
  const longest = longestLease(entry.kind, policy);
  return entry.kind !== 'reset' && entry.remainingMs > longest
    ? `the service allows ${entry.kind} for ${Math.floor(longest / 1000)} s at most`
    : null;
}

/** One that is held: the lease may have changed, nothing else can. */
function heldAlready(entry: DesiredOverride, held: Held, policy: LocalPolicy): Judgement {
  const { leaseRevision } = held;
  if (revisionOf(entry) <= leaseRevision) return { outcome: 'applied', leaseRevision };
  const reason = tooLong(entry, policy);
  return reason === null
    ? { outcome: 'applied' }
    : { outcome: 'applied', leaseRevision, reason: `${reason}; the lease stays as it was` };
}

function repeated(entry: DesiredOverride, world: World, policy: LocalPolicy): Judgement | null {
  const held = world.held.get(entry.id);
  if (held?.generation === entry.generation) return heldAlready(entry, held, policy);
  const before = world.answered.get(entry.id);
  // What has ended here is wanted anew when somebody has changed its lease since.
  if (before?.generation === entry.generation && before.leaseRevision >= revisionOf(entry)) {
    const { outcome, reason, leaseRevision } = before;
    return { outcome, leaseRevision, ...(reason === undefined ? {} : { reason }) };
  }
  const known = held?.generation ?? before?.generation ?? 0;
  return entry.generation < known ? { outcome: 'superseded', reason: 'older generation' } : null;
}

/** The highest generation seen does not stand against the very command that brought it. */
function isFenced(entry: DesiredOverride, world: World): boolean {
  const fence = world.fences.get(entry.breaker) ?? 0;
  const own = world.answered.get(entry.id)?.generation === entry.generation;
  return own ? entry.generation < fence : entry.generation <= fence;
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
  const reason = tooLong(entry, policy);
  if (reason !== null) return { outcome: 'rejected', reason };
  if (isFenced(entry, world)) {
    return { outcome: 'superseded', reason: 'a newer command was seen for this breaker' };
  }
  return { outcome: 'applied' };
}

function actionFor(entry: DesiredOverride, now: number, type: 'apply' | 'lease'): Action {
  const { id, breaker, kind, generation, reason, actor } = entry;
  if (kind === 'reset') return { type: 'reset', id, breaker };
  const endsAt = now + entry.remainingMs;
  const leaseRevision = revisionOf(entry);
  const held = { id, breaker, kind, generation, endsAt, leaseRevision, reason, actor };
  return { type, held };
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
    const before = repeated(entry, world, policy);
    const judgement = before ?? judgeNew(entry, world, policy);
    const leaseRevision = judgement.leaseRevision ?? revisionOf(entry);
    answers.push({ final: true, ...judgement, leaseRevision, id, generation, breaker });
    // A judgement without a lease of its own takes that of the entry.
    const moves = judgement.outcome === 'applied' && judgement.leaseRevision === undefined;
    const key = `${id} ${generation}`;
    const type = before === null ? 'apply' : 'lease';
    if (moves && !done.has(key)) actions.push(actionFor(entry, now, type));
    done.add(key);
  }
  // New ones first: a breaker that goes from one override to the next does not open in between.
  return { actions: [...actions, ...releases(world, desired)], answers };
}
