import { describe, expect, it } from 'vitest';
import { reconcile, type Held, type World } from '@/lib/agent/overrides/reconcile';
import type { DesiredOverride } from '@/lib/protocol/server-frames';

const HOUR = 3_600_000;
const open = { kinds: ['force_open', 'force_closed', 'reset'], maxLeaseMs: 4 * HOUR } as const;
const byDefault = { kinds: ['force_open', 'reset'], maxLeaseMs: 4 * HOUR } as const;

function entry(id: string, over: Partial<DesiredOverride> = {}): DesiredOverride {
  return {
    id,
    breaker: 'inventory',
    kind: 'force_open',
    generation: 1,
    deliverWithinMs: 30_000,
    remainingMs: 900_000,
    reason: 'maintenance',
    actor: 'ann',
    scope: 'instance',
    ...over,
  };
}

function held(id: string, generation: number, over: Partial<Held> = {}): Held {
  return {
    id,
    breaker: 'inventory',
    kind: 'force_open',
    generation,
    endsAt: 1_000_000,
    leaseRevision: 0,
    reason: 'maintenance',
    actor: 'ann',
    ...over,
  };
}

function world(over: Partial<{ held: Held[]; answered: World['answered']; fence: number }> = {}) {
  return {
    held: new Map((over.held ?? []).map((item) => [item.id, item])),
    answered: over.answered ?? new Map(),
    fences: new Map(over.fence === undefined ? [] : [['inventory', over.fence]]),
    knows: (name: string) => name === 'inventory',
  };
}

const outcomes = (plan: ReturnType<typeof reconcile>) =>
  plan.answers.map(({ id, outcome }) => `${id} ${outcome}`);
const actions = (plan: ReturnType<typeof reconcile>) =>
  plan.actions.map((action) => `${action.type} ${'held' in action ? action.held.id : action.id}`);

describe('reconciliation of the desired set', () => {
  it('[R-20] applies a new override with its lease from now on', () => {
    const plan = reconcile(world(), [entry('a')], byDefault, 5_000);
    expect(outcomes(plan)).toEqual(['a applied']);
    expect(plan.actions).toEqual([
      { type: 'apply', held: held('a', 1, { endsAt: 5_000 + 900_000 }) },
    ]);
  });

  it('[R-18] answers a repeat again and changes nothing', () => {
    const plan = reconcile(world({ held: [held('a', 1)], fence: 1 }), [entry('a')], byDefault, 9);
    expect(outcomes(plan)).toEqual(['a applied']);
    expect(plan.actions).toEqual([]);
  });

  it('[R-18] answers a remembered command with its stored result', () => {
    const answered = new Map([
      ['a', { generation: 1, leaseRevision: 0, outcome: 'rejected', reason: 'not here' } as const],
      ['b', { generation: 2, leaseRevision: 0, outcome: 'applied' } as const],
    ]);
    const set = [entry('a'), entry('b', { generation: 2, kind: 'reset' })];
    const plan = reconcile(world({ answered, fence: 2 }), set, open, 0);
    expect(outcomes(plan)).toEqual(['a rejected', 'b applied']);
    expect(plan.answers[0]?.reason).toBe('not here');
    expect(plan.actions).toEqual([]);
  });

  it('ends what is missing from the set', () => {
    const plan = reconcile(world({ held: [held('a', 1)] }), [], byDefault, 0);
    expect(plan.actions).toEqual([{ type: 'release', id: 'a', why: 'released' }]);
  });

  it('replaces an override that left the set for a newer one, new one first', () => {
    const set = [entry('b', { generation: 2 })];
    const plan = reconcile(world({ held: [held('a', 1)], fence: 1 }), set, byDefault, 0);
    expect(plan.actions).toMatchObject([
      { type: 'apply' },
      { type: 'release', id: 'a', why: 'superseded' },
    ]);
  });

  it('keeps an older live override below a newer one', () => {
    const set = [entry('a'), entry('b', { generation: 2 })];
    const plan = reconcile(world({ held: [held('a', 1)], fence: 1 }), set, byDefault, 0);
    expect(actions(plan)).toEqual(['apply b']);
  });

  it('applies several new ones of a breaker in ascending generation', () => {
    const set = [entry('b', { generation: 7 }), entry('a', { generation: 3 })];
    expect(actions(reconcile(world(), set, byDefault, 0))).toEqual(['apply a', 'apply b']);
  });

  it('[R-19] refuses a new id whose generation is not above the highest seen', () => {
    const set = [entry('old', { generation: 4 }), entry('same', { generation: 5 })];
    const plan = reconcile(world({ fence: 5 }), set, byDefault, 0);
    expect(outcomes(plan)).toEqual(['old superseded', 'same superseded']);
    expect(plan.actions).toEqual([]);
  });

  it('[R-19] refuses an older generation of an id it holds', () => {
    const plan = reconcile(world({ held: [held('a', 3)] }), [entry('a')], byDefault, 0);
    expect(outcomes(plan)).toEqual(['a superseded']);
    expect(plan.actions).toEqual([]);
  });

  it('takes a newer generation of an id as its replacement', () => {
    const set = [entry('a', { generation: 2, remainingMs: 60_000 })];
    const plan = reconcile(world({ held: [held('a', 1)], fence: 1 }), set, byDefault, 0);
    expect(plan.actions).toEqual([{ type: 'apply', held: held('a', 2, { endsAt: 60_000 }) }]);
  });

  it('[R-20] never applies what comes after its deliver-by time or its lease', () => {
    const set = [
      entry('late', { deliverWithinMs: 0 }),
      entry('over', { generation: 2, remainingMs: 0 }),
      entry('reset', { generation: 3, remainingMs: 0, kind: 'reset' }),
    ];
    const plan = reconcile(world(), set, byDefault, 0);
    expect(outcomes(plan)).toEqual(['late expired', 'over expired', 'reset applied']);
    expect(actions(plan)).toEqual(['reset reset']);
  });

  it('[S-09] refuses what the local policy does not allow, and says why', () => {
    const closed = [entry('a', { kind: 'force_closed' })];
    const plan = reconcile(world(), closed, byDefault, 0);
    expect(plan.answers).toMatchObject([
      { outcome: 'rejected', reason: 'the service does not allow force_closed', final: true },
    ]);
    expect(outcomes(reconcile(world(), closed, open, 0))).toEqual(['a applied']);
    expect(outcomes(reconcile(world(), [entry('a')], { ...open, kinds: [] }, 0))).toEqual([
      'a rejected',
    ]);
  });

  it('[S-09] refuses a lease longer than the service or the kind allows', () => {
    const set = [entry('a', { remainingMs: 2 * HOUR })];
    const strict = { ...open, maxLeaseMs: HOUR };
    expect(reconcile(world(), set, strict, 0).answers[0]?.reason).toBe(
      'the service allows force_open for 3600 s at most',
    );
    const closed = [entry('b', { kind: 'force_closed', remainingMs: HOUR })];
    expect(outcomes(reconcile(world(), closed, open, 0))).toEqual(['b rejected']);
  });

  it('does not hold an unknown breaker against a command for good', () => {
    const plan = reconcile(world(), [entry('a', { breaker: 'billing' })], byDefault, 0);
    expect(plan.answers).toMatchObject([{ outcome: 'rejected', final: false }]);
  });

  it('[R-20] takes a changed lease of what it holds, and an older change not', () => {
    const set = [entry('a', { leaseRevision: 2, remainingMs: 60_000 })];
    const before = world({ held: [held('a', 1, { leaseRevision: 1 })], fence: 1 });
    const plan = reconcile(before, set, byDefault, 9_000);
    expect(plan.actions).toEqual([
      { type: 'lease', held: held('a', 1, { endsAt: 69_000, leaseRevision: 2 }) },
    ]);
    expect(plan.answers).toMatchObject([{ outcome: 'applied', leaseRevision: 2 }]);
    const late = reconcile(before, [entry('a', { leaseRevision: 1 })], byDefault, 9_000);
    expect(late.actions).toEqual([]);
    expect(late.answers).toMatchObject([{ outcome: 'applied', leaseRevision: 1 }]);
  });

  it('[S-09] keeps the lease that it has when the changed one is too long for it', () => {
    const set = [entry('a', { leaseRevision: 1, remainingMs: 2 * HOUR })];
    const strict = { ...open, maxLeaseMs: HOUR };
    const plan = reconcile(world({ held: [held('a', 1)], fence: 1 }), set, strict, 0);
    expect(plan.actions).toEqual([]);
    expect(plan.answers).toMatchObject([
      { outcome: 'applied', leaseRevision: 0, reason: expect.stringContaining('3600 s at most') },
    ]);
  });

  it('[R-20] wants anew what has ended here when its lease was changed since', () => {
    const answered = new Map([
      ['a', { generation: 3, leaseRevision: 0, outcome: 'expired' } as const],
    ]);
    const set = [entry('a', { generation: 3, leaseRevision: 1 })];
    expect(actions(reconcile(world({ answered, fence: 3 }), set, byDefault, 0))).toEqual([
      'apply a',
    ]);
    expect(outcomes(reconcile(world({ answered, fence: 4 }), set, byDefault, 0))).toEqual([
      'a superseded',
    ]);
  });

  it('answers every entry, and a doubled one with one action', () => {
    const plan = reconcile(world(), [entry('a'), entry('a')], byDefault, 0);
    expect(plan.answers).toHaveLength(2);
    expect(plan.actions).toHaveLength(1);
  });
});
