import { describe, expect, it } from 'vitest';
import { barSummary, justEnded, warningOf } from '@/components/override/bar-summary';
import { actsSince, latestOf } from '@/components/override/conflict';
import {
  changedFacts,
  computedText,
  confirmText,
  consequence,
  endsWords,
  reachText,
} from '@/components/override/preview-words';
import { endsText, FORCE_CLOSED_MAX_MS, LEASES_MS, leasesFor } from '@/components/override/lease';
import {
  agrees,
  endText,
  leftOf,
  groupProgressText,
  progressOf,
  progressText,
  uncoveredBy,
} from '@/components/override/progress-words';
import { suggestedReasons } from '@/components/override/suggestions';
import { reasonError } from '@/components/override/validate';
import type { CommandPreview } from '@/lib/protocol/command-views';
import { LEASE_PRESETS_MS, MAX_FORCE_CLOSED_LEASE_MS } from '@/lib/protocol/commands';
import type { OverrideTargetView, OverrideView } from '@/lib/protocol/views';

const NOW = Date.UTC(2026, 2, 2, 14, 0, 0);
const MINUTE = 60_000;

function target(part: Partial<OverrideTargetView> = {}): OverrideTargetView {
  return {
    instanceId: 'a',
    instance: 'a',
    liveness: 'live',
    delivery: 'applied',
    reason: null,
    reportedState: 'forced_open',
    updatedAt: NOW,
    leaseRevision: 0,
    releasedAt: null,
    releaseOutcome: null,
    ...part,
  };
}

function override(part: Partial<OverrideView> = {}): OverrideView {
  return {
    id: 'o',
    breakerId: 'b',
    environment: 'production',
    service: 'checkout',
    breaker: 'inventory',
    kind: 'force_open',
    generation: 1,
    reason: 'failover of the database',
    actor: 'mira',
    createdAt: NOW,
    deliverBy: NOW + 30_000,
    leaseMs: 15 * MINUTE,
    endsAt: NOW + 15 * MINUTE,
    endedAt: null,
    endReason: null,
    endedBy: null,
    commandId: null,
    includeNew: false,
    leaseRevision: 0,
    targets: [target()],
    ...part,
  };
}

type Breaker = CommandPreview['breakers'][number];

function breaker(part: Partial<Breaker> = {}): Breaker {
  return {
    breakerId: 'b',
    service: 'checkout',
    name: 'inventory',
    target: 'inventory-api',
    generation: 3,
    state: 'open',
    wouldBeOpen: null,
    instances: { live: 2, stale: 0, offline: 1 },
    callsPerSecond: 30,
    failureShare: 0.41,
    failureThreshold: 0.5,
    ...part,
  };
}

function preview(part: Partial<CommandPreview> = {}): CommandPreview {
  return {
    now: NOW,
    digest: 'd',
    kind: 'force_closed',
    environment: 'production',
    scope: { kind: 'breaker', breakerId: 'b' },
    includeNew: false,
    risk: 'L3',
    needs: { stepUp: true, secondPerson: false },
    instances: { live: 2, stale: 0, offline: 1 },
    callsPerSecond: 30,
    failureShare: 0.41,
    breakers: [breaker()],
    callers: [],
    callees: [{ target: 'inventory-api', serviceId: null }],
    activeOverrides: [],
    willRefuse: [],
    doubled: [],
    ends: { leaseMs: 15 * MINUTE, contactLossMs: 120_000 },
    expectedGenerations: { b: 3 },
    ...part,
  };
}

const closedAt = (failureShare: number | null) =>
  consequence('force_closed', preview({ breakers: [breaker({ failureShare })] }));

const one = (id: string, breakerId: string, generation: number, createdAt: number) =>
  override({ id, breakerId, generation, createdAt });

const seen = (ids: readonly string[]) =>
  ({ breakers: ids.map((breakerId) => ({ breakerId, generation: 3 })) }) as CommandPreview;

const facts = (failureShare: number | null, reasons: readonly string[] = []) => ({
  kind: 'force_open' as const,
  breakers: [
    { target: 'stock-db', service: 'checkout', failureShare },
  ] as CommandPreview['breakers'],
  activeOverrides: reasons.map((reason) => override({ reason })),
});

describe('consequences [U-23]', () => {
  it('says that forced closed sends calls to what is failing now', () => {
    const { title, body } = consequence('force_closed', preview());
    expect(title).toBe('All calls go to inventory-api: 30 calls per second');
    expect(body).toContain('inventory-api is failing now: 41 % of calls');
  });
  it('names the worst of several targets', () => {
    const breakers = [
      breaker({ failureShare: 0.02 }),
      breaker({ breakerId: 'c', target: 'price-api', failureShare: 0.9 }),
    ];
    const { title, body } = consequence('force_closed', preview({ breakers }));
    expect(title).toContain('All calls go to 2 targets');
    expect(body).toContain('price-api is failing now: 90 %');
  });
  it('does not promise what nobody knows', () => {
    expect(closedAt(null).danger).toBe(true);
    expect(closedAt(null).body).toContain('not known whether calls would succeed');
    expect(closedAt(0).danger).toBe(false);
    const two = [breaker({ failureShare: 0 }), breaker({ target: 'price-api', failureShare: 0 })];
    expect(consequence('force_closed', preview({ breakers: two })).body).toContain(
      'All 2 targets answer at the moment',
    );
  });
  it('says that forced open fails calls and that fallbacks decide', () => {
    const { title, body } = consequence('force_open', preview());
    expect(title).toContain('Every call from checkout to inventory-api fails at once');
    expect(body).toContain('fallbacks');
  });
  it('names reach, confirmation and what ends it', () => {
    expect(reachText({ live: 2, stale: 1, offline: 1 })).toBe('2 live, 1 stale, 1 offline');
    expect(confirmText('force_open', 'inventory', '15 min')).toBe(
      'Force open inventory for 15 min',
    );
    expect(confirmText('reset', 'inventory', null)).toBe('Reset inventory');
    expect(endsWords('force_closed', preview().ends)).toBe(
      'The lease, after 15 min, or 2 min without the console on an instance. Then it is closed and automatic again.',
    );
    expect(endsWords('reset', { leaseMs: null, contactLossMs: null })).toContain('once');
  });
  it('puts the computed state beside the forced one', () => {
    const forced = { state: 'forced_closed', wouldBeOpen: true, failureShare: 0.64 } as const;
    expect(computedText(breaker(forced))).toBe('Forced closed; would be open now: 64 % of 50 %');
    expect(computedText(breaker({ ...forced, wouldBeOpen: false, failureShare: null }))).toBe(
      'Forced closed; would be closed now',
    );
    expect(computedText(breaker({ state: 'forced_open' }))).toContain('nobody knows');
    expect(computedText(breaker({ state: 'closed' }))).toBe('Closed: 41 % of 50 % failing');
  });
  it('asks for another look when facts change, not when figures do [U-22]', () => {
    const figures = preview({ callsPerSecond: 90, breakers: [breaker({ failureShare: 0.9 })] });
    expect(changedFacts(preview(), figures)).toEqual([]);
    const acted = preview({ breakers: [breaker({ generation: 4 })] });
    expect(changedFacts(preview(), acted)).toEqual(['somebody acted on inventory']);
    const closed = preview({ breakers: [breaker({ state: 'half_open' })] });
    expect(changedFacts(preview(), closed)).toEqual(['inventory was open and is half-open now']);
    const fewer = preview({ instances: { live: 1, stale: 0, offline: 2 } });
    expect(changedFacts(preview(), fewer)).toEqual(['2 live instances before, 1 now']);
  });
  it('says which breakers joined or left the scope', () => {
    const other = preview({ breakers: [breaker({ breakerId: 'c', name: 'pricing' })] });
    expect(changedFacts(preview(), other)).toEqual([
      'pricing came into the scope',
      'inventory left the scope',
    ]);
  });
});

describe('the form', () => {
  it('has the presets of the protocol, and at most 30 min for forced closed', () => {
    expect(LEASES_MS).toEqual(LEASE_PRESETS_MS);
    expect(FORCE_CLOSED_MAX_MS).toBe(MAX_FORCE_CLOSED_LEASE_MS);
    expect(leasesFor('force_closed')).toEqual([5, 15, 30].map((m) => m * MINUTE));
    expect(leasesFor('reset')).toEqual([]);
  });
  it('shows the end in two zones', () => {
    expect(endsText(NOW, 15 * MINUTE, 345)).toBe('Ends 14:15:00Z, here 20:00:00 +05:45');
  });
  it('wants 10 to 500 characters and a name', () => {
    expect(reasonError('')).toContain('why');
    expect(reasonError(' short ')).toBe('5 more characters, please.');
    expect(reasonError('too short')).toBe('1 more character, please.');
    expect(reasonError('long enough now')).toBeNull();
    expect(reasonError('x'.repeat(501))).toBe('1 characters too many.');
    expect(reasonError('two lines\nof a reason')).toBe('One line only, please.');
  });
});

const asked = (breakerId: string, createdAt: number) => ({
  breakerId,
  createdAt,
  targets: [target({ instanceId: 'rejected' })],
});

describe('progress', () => {
  it('adds up over the breakers of a command [U-25]', () => {
    const overrides = [{ targets: [target()] }, { targets: [target({ delivery: 'rejected' })] }];
    expect(groupProgressText(overrides)).toBe('applied on 1 of 2, 1 refused, over 2 breakers');
    expect(groupProgressText(overrides.slice(0, 1))).toBe('applied on 1 of 1');
  });
  it('[U-25] offers another try only where it has failed for good, and once', () => {
    const targets = (['applied', 'queued', 'rejected', 'unknown', 'superseded'] as const).map(
      (delivery) => target({ delivery, instanceId: delivery }),
    );
    const failed = { breakerId: 'b1', createdAt: NOW, targets };
    expect(leftOf(failed, [failed])).toEqual(['rejected', 'unknown']);
    expect(leftOf(failed, [asked('b1', NOW + 1)])).toEqual(['unknown']);
    // Before it, or of another breaker: that was something else.
    expect(leftOf(failed, [asked('b1', NOW - 1), asked('b2', NOW + 1)])).toHaveLength(2);
  });
  it('is never stronger than what was reported', () => {
    const targets = [
      target(),
      target({ delivery: 'applied_late' }),
      target({ delivery: 'queued', liveness: 'offline', reportedState: 'closed' }),
    ];
    expect(progressText({ targets })).toBe('applied on 2 of 3, 1 offline');
    expect(progressOf({ targets })).toBe('some');
    expect(progressOf({ targets: targets.slice(0, 2) })).toBe('all');
  });
  it('names live instances that the command never reached, and those that are gone', () => {
    const targets = [target({ liveness: 'offline' })];
    const live = { instanceId: 'ins_new', liveness: 'live' };
    const uncovered = uncoveredBy({ targets, kind: 'force_open' }, [live]);
    expect(progressText({ targets }, uncovered)).toBe(
      'applied on 1 of 1, 1 of them gone since, 1 live without it',
    );
    expect(uncoveredBy({ targets, kind: 'reset' }, [live])).toBe(0);
  });
  it('names refusals, expiry and silence', () => {
    const targets = (['rejected', 'expired', 'unknown', 'sent', 'superseded'] as const).map(
      (delivery) => target({ delivery }),
    );
    expect(progressText({ targets })).toBe(
      'applied on 0 of 5, 1 refused, 1 expired, 1 without an answer, 1 superseded, 1 waiting',
    );
    expect(progressOf({ targets })).toBe('waiting');
    expect(progressOf({ targets: targets.slice(0, 3) })).toBe('none');
  });
  it('compares what was asked with what is reported', () => {
    expect(agrees(override(), target())).toBe(true);
    expect(agrees(override(), target({ reportedState: 'half_open' }))).toBe(false);
    expect(agrees(override(), target({ reportedState: null }))).toBeNull();
    expect(agrees(override({ endedAt: NOW }), target())).toBeNull();
  });
  it('says how it ended', () => {
    expect(endText(override({ endReason: 'released', endedBy: 'jon' }))).toBe(
      'Returned to automatic by jon',
    );
    expect(endText(override())).toBe('');
  });
});

describe('the bar and the conflict', () => {
  it('shows the soonest end and warns of forced closed', () => {
    const late = override({ id: 'late', endsAt: NOW + 50 * MINUTE, kind: 'force_closed' });
    const reset = override({ id: 'reset', kind: 'reset', endsAt: NOW });
    const done = override({ id: 'done', endedAt: NOW, endsAt: NOW });
    expect(barSummary([late, override(), reset, done])).toMatchObject({
      count: 2,
      soonest: { id: 'o' },
      tone: 'forced',
    });
    expect(barSummary([reset, done])).toBeNull();
  });
  it('counts what is let go together', () => {
    const a = override({ id: 'a', commandId: 'cmd', endsAt: NOW + MINUTE });
    const b = override({ id: 'b', commandId: 'cmd' });
    expect(barSummary([a, b, override()])).toMatchObject({ count: 3, together: 2 });
    expect(barSummary([override(), override({ id: 'x' })])).toMatchObject({ together: 1 });
  });
  it('warns the owner at five minutes and at one, nobody else [U-26]', () => {
    const mine = override({ endsAt: NOW + 5 * MINUTE });
    const text = (person: string, now: number) => warningOf([mine], person, now)?.text ?? null;
    expect(text('mira', NOW - 1)).toBeNull();
    expect(text('mira', NOW)).toContain('within 5 minutes');
    expect(text('mira', NOW + 4 * MINUTE)).toContain('within a minute');
    expect(text('jon', NOW)).toBeNull();
    expect(text('mira', NOW + 5 * MINUTE)).toBeNull();
  });
  it('warns the owner also when the next to end is of somebody else [U-26]', () => {
    const mine = override({ id: 'mine', breaker: 'payments', endsAt: NOW + 3 * MINUTE });
    const others = override({ actor: 'jon', endsAt: NOW + MINUTE });
    expect(warningOf([others, mine], 'mira', NOW)).toEqual({
      text: 'Yours of payments ends within 5 minutes',
      anchor: mine.commandId ?? 'mine',
    });
    expect(warningOf([{ ...mine, endedAt: NOW }], 'mira', NOW)).toBeNull();
  });
  it('tells of the end for a moment, also of an early one [U-26]', () => {
    const early = override({ endedAt: NOW, endReason: 'released', endedBy: 'jon' });
    expect(justEnded([early], NOW + 1_000)?.id).toBe('o');
    expect(justEnded([early], NOW + MINUTE)).toBeNull();
    const taken = override({ endedAt: NOW, endReason: 'superseded' });
    expect(justEnded([taken, override()], NOW)).toBeNull();
  });
  it('reads who was first, and survives an answer that does not say', () => {
    const latest = { kind: 'force_open', actor: 'jon', reason: 'x', at: NOW, endedAt: null };
    expect(latestOf({ latest })).toEqual({ ...latest, id: 'latest' });
    expect(latestOf({ latest: null })).toBeNull();
    expect(latestOf({})).toBeNull();
  });
  it('finds what others asked for after the facts were counted [U-27]', () => {
    const live = [
      one('old', 'b', 3, NOW),
      one('new', 'b', 4, NOW + 1),
      one('newer', 'b', 5, NOW + 2),
    ];
    expect(actsSince(seen(['b']), live).map(({ id }) => id)).toEqual(['newer', 'new']);
    expect(actsSince(seen(['c']), live)).toEqual([]);
    // With several breakers it says which.
    expect(actsSince(seen(['b']), live)[0]?.breaker).toBeUndefined();
    expect(actsSince(seen(['b', 'c']), live)[0]?.breaker).toBe(live[2]?.breaker);
  });
});

describe('suggested reasons [U-24]', () => {
  it('begin with what is failing now', () => {
    expect(suggestedReasons(facts(0.64))[0]).toBe('stock-db fails 64 % of the calls of checkout');
    expect(suggestedReasons(facts(0)).join()).not.toContain('fails');
    expect(suggestedReasons({ ...facts(1), breakers: [] })).toEqual([]);
  });
  it('are reasons that the form takes, three at most', () => {
    const many = suggestedReasons(facts(0.5, ['short', 'database failover', 'a b c d e f g h']));
    expect(many).toHaveLength(3);
    expect(many.map((reason) => reasonError(reason))).toEqual([null, null, null]);
  });
});
