import { describe, expect, it } from 'vitest';
import { OverrideDesk } from '@/lib/agent/overrides/desk';
import { DesiredParts } from '@/lib/agent/overrides/desired-parts';
import type { LocalPolicy } from '@/lib/agent/overrides/policy';
import type { DesiredOverride } from '@/lib/protocol/server-frames';
import { FakeBreaker } from './support/fake-breaker';

const everything: LocalPolicy = {
  kinds: ['force_open', 'force_closed', 'reset'],
  maxLeaseMs: 4 * 3_600_000,
};

function desk(policy = everything) {
  const breaker = new FakeBreaker();
  const ended: string[] = [];
  const subject = new OverrideDesk({
    policy,
    breaker: (name) => (name === 'inventory' ? breaker : undefined),
    ended: (held, reason, at) => ended.push(`${held.id} ${reason} ${at}`),
    debug: () => undefined,
  });
  breaker.on((event) => subject.breakerChanged('inventory', event, 0));
  return { subject, breaker, ended };
}

function entry(id: string, over: Partial<DesiredOverride> = {}): DesiredOverride {
  return {
    id,
    breaker: 'inventory',
    kind: 'force_open',
    generation: 1,
    deliverWithinMs: 30_000,
    remainingMs: 600_000,
    reason: 'maintenance',
    actor: 'ann',
    scope: 'instance',
    ...over,
  };
}

const reset = (i: number) => entry(`r${i}`, { kind: 'reset', generation: i + 1 });
const frame = (part: number, parts: number, id: string, revision = 1) => ({
  type: 'desired' as const,
  revision,
  part,
  parts,
  overrides: [entry(id)],
});
const outcomes = (results: { outcome: string }[]) => results.map((result) => result.outcome);

describe('overrides of the console', () => {
  it('[R-18] changes the breaker once for the same set, however often it comes', () => {
    const { subject, breaker } = desk();
    for (let i = 0; i < 50; i++) {
      const set = [entry('a'), entry('r', { kind: 'reset', generation: 2 })];
      expect(outcomes(subject.receive(set, i))).toEqual(['applied', 'applied']);
    }
    expect(breaker.changes).toEqual([
      'forced forced_open a',
      'reset closed',
      'forced forced_open a',
    ]);
    expect(breaker.resets).toBe(1);
  });

  it('[R-18] does not apply an override again after its end', () => {
    const { subject, breaker, ended } = desk();
    subject.receive([entry('a', { remainingMs: 1_000 })], 0);
    subject.tick(1_000, 1_000);
    expect(ended).toEqual(['a lease 1000']);
    expect(outcomes(subject.receive([entry('a', { remainingMs: 900 })], 1_100))).toEqual([
      'applied',
    ]);
    expect(breaker.effective).toBe('closed');
    expect(ended).toHaveLength(1);
  });

  it('[R-21] ends the lease at its instant, and says when', () => {
    const { subject, breaker, ended } = desk();
    subject.receive([entry('a')], 100);
    expect(subject.nextEndAt(100)).toBe(600_100);
    subject.tick(600_099, 600_099);
    expect(breaker.effective).toBe('forced_open');
    subject.tick(600_250, 600_250);
    expect(breaker.effective).toBe('closed');
    expect(ended).toEqual(['a lease 600100']);
    expect(subject.nextEndAt(0)).toBeNull();
  });

  it('[R-22] ends a forced-closed override after 120 s without contact, a forced-open one not', () => {
    const { subject, breaker, ended } = desk();
    const closed = entry('c', { kind: 'force_closed', generation: 2 });
    subject.receive([entry('o'), closed], 0);
    expect(breaker.effective).toBe('forced_closed');
    expect(subject.nextEndAt(0)).toBe(120_000);
    subject.tick(119_999, 0);
    expect(breaker.effective).toBe('forced_closed');
    subject.tick(120_400, 0);
    expect(breaker.effective).toBe('forced_open');
    expect(ended).toEqual(['c contact_lost 120000']);
    expect(outcomes(subject.receive([entry('o'), closed], 121_000))).toEqual([
      'applied',
      'expired',
    ]);
    expect(breaker.effective).toBe('forced_open');
  });

  it('[R-20] makes a lease longer or shorter under the same generation', () => {
    const { subject, breaker, ended } = desk();
    subject.receive([entry('a', { remainingMs: 60_000 })], 0);
    const longer = entry('a', { remainingMs: 600_000, leaseRevision: 1 });
    expect(subject.receive([longer], 30_000)).toMatchObject([
      { outcome: 'applied', leaseRevision: 1 },
    ]);
    subject.tick(60_000, 60_000);
    expect(breaker.effective).toBe('forced_open');
    subject.receive([entry('a', { remainingMs: 5_000, leaseRevision: 2 })], 61_000);
    // An answer to the older change that was on its way changes nothing.
    subject.receive([longer], 62_000);
    subject.tick(66_000, 66_000);
    expect(breaker.effective).toBe('closed');
    expect(ended).toEqual(['a lease 66000']);
  });

  it('[R-20] changes the lease of one that lies below a newer one without moving the breaker', () => {
    const { subject, breaker } = desk();
    const newer = entry('b', { generation: 2, kind: 'force_closed', remainingMs: 90_000 });
    subject.receive([entry('a', { remainingMs: 60_000 }), newer], 0);
    const changes = breaker.changes.length;
    const longer = entry('a', { remainingMs: 600_000, leaseRevision: 1 });
    subject.receive([longer, newer], 1_000);
    expect(breaker.changes).toHaveLength(changes);
    subject.tick(90_000, 90_000);
    expect(breaker.effective).toBe('forced_open');
    expect(subject.nextEndAt(90_000)).toBe(601_000);
  });

  it('resumes an older live override when the newest one ends', () => {
    const { subject, breaker, ended } = desk();
    subject.receive([entry('a'), entry('b', { generation: 2, kind: 'force_closed' })], 0);
    expect(breaker.effective).toBe('forced_closed');
    subject.receive([entry('a')], 5);
    expect(breaker.effective).toBe('forced_open');
    expect(ended).toEqual(['b released 5']);
  });

  it('goes from one override to a newer one without opening up in between', () => {
    const { subject, breaker, ended } = desk();
    subject.receive([entry('a')], 0);
    subject.receive([entry('b', { generation: 2 })], 5);
    expect(breaker.changes).toEqual(['forced forced_open a', 'forced forced_open b']);
    expect(ended).toEqual(['a superseded 5']);
  });

  it('[R-19] stays fenced after the newest command has ended', () => {
    const { subject } = desk();
    subject.receive([entry('a', { generation: 5 })], 0);
    subject.receive([], 1);
    expect(outcomes(subject.receive([entry('b', { generation: 4 })], 2))).toEqual(['superseded']);
    expect(outcomes(subject.receive([entry('c', { generation: 6 })], 3))).toEqual(['applied']);
  });

  it('[R-19] starts the fence anew with a server that starts anew', () => {
    const { subject } = desk();
    subject.serverIs('one');
    subject.receive([entry('a', { generation: 5 })], 0);
    subject.serverIs('one');
    expect(outcomes(subject.receive([entry('b', { generation: 4 })], 2))).toEqual(['superseded']);
    subject.serverIs('two');
    expect(outcomes(subject.receive([entry('c', { generation: 1 })], 3))).toEqual(['applied']);
  });

  it('makes a local handle of the service yield to the console', () => {
    const { subject, breaker } = desk();
    subject.receive([entry('a')], 0);
    const local = breaker.override('forced_closed', { reason: 'test', actor: 'service' });
    expect(breaker.effective).toBe('forced_open');
    expect(breaker.status().override?.id).toBe('a');
    subject.receive([], 10);
    expect(breaker.effective).toBe('forced_closed');
    local.release();
    expect(breaker.effective).toBe('closed');
  });

  it('stays in force through a reset by the service', () => {
    const { subject, breaker } = desk();
    subject.receive([entry('a')], 0);
    breaker.reset();
    expect(breaker.effective).toBe('forced_open');
    subject.receive([], 10);
    breaker.reset();
    expect(breaker.effective).toBe('closed');
  });

  it('lets a local handle be when the console holds nothing', () => {
    const { breaker } = desk();
    breaker.override('forced_closed', { reason: 'test', actor: 'service' });
    expect(breaker.effective).toBe('forced_closed');
  });

  it('answers "rejected" when the breaker itself refuses', () => {
    const { subject, breaker } = desk();
    breaker.refuses = true;
    expect(outcomes(subject.receive([entry('a')], 0))).toEqual(['rejected']);
    expect(subject.nextEndAt(0)).toBeNull();
  });

  it('does not forget a command for an older generation of it', () => {
    const { subject, breaker } = desk();
    const newer = entry('a', { generation: 3, remainingMs: 1_000 });
    subject.receive([newer], 0);
    expect(outcomes(subject.receive([entry('a')], 1))).toEqual(['superseded']);
    subject.tick(1_000, 1_000);
    subject.serverIs('anew');
    expect(outcomes(subject.receive([newer], 1_001))).toEqual(['applied']);
    expect(breaker.effective).toBe('closed');
  });

  it('accepts a command later when its breaker was not there yet', () => {
    const { subject } = desk();
    const set = [entry('a', { breaker: 'billing' })];
    expect(subject.receive(set, 0)).toMatchObject([{ outcome: 'rejected', final: false }]);
    expect(outcomes(subject.receive([entry('a')], 1))).toEqual(['applied']);
  });

  it('[R-18] remembers a thousand commands for a day', () => {
    const { subject, breaker } = desk();
    for (let i = 0; i < 1_000; i++) subject.receive([reset(i)], i);
    for (let i = 0; i < 1_000; i++) {
      expect(outcomes(subject.receive([reset(i)], 2_000))).toEqual(['applied']);
    }
    expect(breaker.resets).toBe(1_000);
  });

  it('ends everything when the agent stops', () => {
    const { subject, breaker, ended } = desk();
    subject.receive([entry('a'), entry('b', { generation: 2 })], 0);
    subject.releaseAll(7);
    expect(breaker.effective).toBe('closed');
    expect(ended).toEqual(['a released 7', 'b released 7']);
  });
});

describe('a desired set in parts', () => {
  it('counts when all parts are there, in any order', () => {
    const parts = new DesiredParts();
    expect(parts.add(frame(2, 2, 'b'), 0, 0)).toBeNull();
    expect(parts.add(frame(1, 2, 'a'), 0, 0)?.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(parts.add({ type: 'desired', revision: 2, overrides: [] }, 0, 0)).toEqual([]);
  });

  it('forgets the parts of an older set', () => {
    const parts = new DesiredParts();
    parts.add(frame(1, 2, 'a', 1), 0, 0);
    expect(parts.add(frame(2, 2, 'b', 2), 0, 0)).toBeNull();
    expect(parts.add(frame(1, 2, 'c', 2), 0, 0)).toHaveLength(2);
  });

  it('[R-20] counts durations from the receipt of each part, and from before a pause', () => {
    const parts = new DesiredParts();
    parts.add(frame(1, 2, 'a'), 1_000, 0);
    const whole = parts.add(frame(2, 2, 'b'), 41_000, 35_000);
    expect(whole?.map(({ deliverWithinMs }) => deliverWithinMs)).toEqual([0, 0]);
    expect(whole?.map(({ remainingMs }) => remainingMs)).toEqual([560_000, 565_000]);
  });

  it('ignores parts that make no sense', () => {
    const parts = new DesiredParts();
    expect(parts.add(frame(3, 2, 'a'), 0, 0)).toBeNull();
    expect(parts.add(frame(1, 1_000_000, 'a'), 0, 0)).toBeNull();
  });
});
