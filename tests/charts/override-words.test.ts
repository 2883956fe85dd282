import { describe, expect, it } from 'vitest';
import { barSummary } from '@/components/override/bar-summary';
import { latestOf } from '@/components/override/conflict';
import { confirmText, consequence, reachText, sameFacts } from '@/components/override/impact-words';
import { endsText, FORCE_CLOSED_MAX_MS, LEASES_MS, leasesFor } from '@/components/override/lease';
import {
  agrees,
  endText,
  progressOf,
  progressText,
  uncoveredBy,
} from '@/components/override/progress-words';
import { reasonError } from '@/components/override/validate';
import { storyBreaker } from '@/components/design/breaker-story';
import type { ImpactBody } from '@/lib/client/bodies';
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

function impact(part: Partial<ImpactBody> = {}): ImpactBody {
  return {
    now: NOW,
    breaker: storyBreaker(NOW, { refusedPerSecond: 8 }).breaker,
    kind: 'force_closed',
    instances: { live: 2, stale: 0, offline: 1 },
    callsPerSecond: 22,
    failureShare: 0.41,
    willRefuse: [],
    activeOverrides: [],
    generation: 3,
    ...part,
  };
}

describe('consequences', () => {
  it('says that forced closed sends calls to what is failing now', () => {
    const { title, body } = consequence('force_closed', impact());
    expect(title).toBe('All calls go to inventory-api: 30 calls per second');
    expect(body).toContain('is failing now: 41 % of calls');
  });
  it('does not promise what nobody knows', () => {
    const unknown = consequence('force_closed', impact({ failureShare: null }));
    expect(unknown.danger).toBe(true);
    expect(unknown.body).toContain('not known whether it answers');
    expect(consequence('force_closed', impact({ failureShare: 0 })).danger).toBe(false);
  });
  it('says that forced open fails calls and that fallbacks decide', () => {
    const { title, body } = consequence('force_open', impact());
    expect(title).toContain('Every call from checkout to inventory-api fails at once');
    expect(body).toContain('fallbacks');
  });
  it('names reach and confirmation', () => {
    expect(reachText({ live: 2, stale: 1, offline: 1 })).toBe('2 live, 1 stale, 1 offline');
    expect(confirmText('force_open', 'inventory', '15 min')).toBe(
      'Force open inventory for 15 min',
    );
    expect(confirmText('reset', 'inventory', null)).toBe('Reset inventory');
  });
  it('asks for another look when facts change, not when figures do', () => {
    expect(sameFacts(impact(), impact({ callsPerSecond: 90 }))).toBe(true);
    expect(sameFacts(impact(), impact({ generation: 4 }))).toBe(false);
    const fewer = { live: 1, stale: 0, offline: 2 };
    expect(sameFacts(impact(), impact({ instances: fewer }))).toBe(false);
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

describe('progress', () => {
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
  it('reads who was first, and survives an answer that does not say', () => {
    const latest = { kind: 'force_open', actor: 'jon', reason: 'x', at: NOW, endedAt: null };
    expect(latestOf({ latest })).toEqual({
      kind: 'force_open',
      actor: 'jon',
      reason: 'x',
      at: NOW,
      ended: false,
    });
    expect(latestOf({ latest: null })).toBeNull();
    expect(latestOf({})).toBeNull();
  });
});
