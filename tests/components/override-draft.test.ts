import { describe, expect, it } from 'vitest';
import { allowsPerson, ROLES_OF } from '@/components/override/allowed';
import { gradualMs, gradualText, grouped, overridesOf } from '@/components/override/command-words';
import {
  askedOf,
  bodyOf,
  draftOf,
  isFine,
  previewFor,
  problemsOf,
  type Draft,
} from '@/components/override/draft';
import {
  BREAK_GLASS_MAX_MS,
  BREAK_GLASS_REASON_MIN,
  leasesFor,
  soonLocal,
  START_AHEAD_MAX_MS,
  startError,
} from '@/components/override/lease';
import { scopeWords, type Row } from '@/components/override/scope';
import { reviewsFor } from '@/components/override/break-glass-notice';
import { waitingFor } from '@/components/override/waiting-notice';
import { bodyOfPolicy, policyProblems } from '@/components/policies/policy-text';
import { actionsOf, roles } from '@/lib/protocol/access';
import type { CommandPreview, CommandView, ReleaseView } from '@/lib/protocol/command-views';
import * as protocol from '@/lib/protocol/commands';
import type { OverrideView } from '@/lib/protocol/views';
import { reviewView } from '../server/fakes/command-views';

const NOW = Date.UTC(2026, 2, 2, 14, 0, 0);
const MINUTE = 60_000;
const row: Row = {
  id: 'b',
  name: 'inventory',
  service: 'checkout',
  serviceId: 's',
  environment: 'production',
  target: 'inventory-api',
};

const draft = (part: Partial<Draft> = {}): Draft => ({
  ...draftOf(null),
  reason: 'failover of the database',
  ...part,
});

/** Only what the form reads. */
function preview(part: Partial<CommandPreview> = {}): CommandPreview {
  return {
    now: NOW,
    digest: 'digest',
    kind: 'force_open',
    environment: 'production',
    scope: { kind: 'breaker', breakerId: 'b' },
    includeNew: false,
    risk: 'L2',
    needs: { stepUp: false, secondPerson: false },
    instances: { live: 2, stale: 0, offline: 0 },
    callsPerSecond: 1,
    failureShare: null,
    breakers: [],
    callers: [],
    callees: [],
    activeOverrides: [],
    willRefuse: [],
    doubled: [],
    ends: { leaseMs: 1, contactLossMs: null },
    expectedGenerations: { b: 3 },
    ...part,
  };
}

const scopeFor = (scope: Draft['scope'], instanceIds: string[] = []) =>
  askedOf(row, 'force_open', draft({ scope, instanceIds }))?.scope;

const withNew = (kind: 'force_open' | 'reset', scope: Draft['scope']) =>
  askedOf(row, kind, draft({ scope, instanceIds: ['i'], includeNew: true }));

const problems = (part: Partial<Draft>, seen: CommandPreview) =>
  problemsOf(row, draft(part), seen, NOW);

describe('what the dialog asks for', () => {
  it('follows the chosen reach', () => {
    expect(scopeFor('breaker')).toEqual({ kind: 'breaker', breakerId: 'b' });
    expect(scopeFor('instances')).toBeUndefined();
    expect(scopeFor('instances', ['i2', 'i1'])).toEqual({
      kind: 'instances',
      breakerId: 'b',
      instanceIds: ['i1', 'i2'],
    });
    expect(scopeFor('service')).toEqual({ kind: 'service', serviceId: 's' });
    expect(scopeFor('target')).toEqual({
      kind: 'target',
      environment: 'production',
      target: 'inventory-api',
    });
  });
  it('means new instances only where the server takes them', () => {
    expect(withNew('force_open', 'service')?.includeNew).toBe(true);
    expect(withNew('force_open', 'instances')?.includeNew).toBe(false);
    expect(withNew('reset', 'breaker')).toEqual({
      scope: { kind: 'breaker', breakerId: 'b' },
      kind: 'reset',
      includeNew: false,
    });
  });
  it('takes a preview only for the act that it was made for [U-22]', () => {
    const asked = askedOf(row, 'force_open', draft());
    expect(previewFor(preview(), asked)?.digest).toBe('digest');
    const wide = askedOf(row, 'force_open', draft({ scope: 'service' }));
    expect(previewFor(preview(), wide)).toBeNull();
    expect(previewFor(preview({ kind: 'reset' }), asked)).toBeNull();
    expect(previewFor(preview(), null)).toBeNull();
  });
  it('makes a body that the protocol takes, with the digest that was seen', () => {
    const asked = askedOf(row, 'force_open', draft());
    if (asked === null) throw new Error('a breaker is always a scope');
    const body = bodyOf(asked, draft({ start: '2026-03-02T20:00:00Z' }), preview(), 'key-12345');
    expect(protocol.issueCommandBody.parse(body)).toMatchObject({
      previewDigest: 'digest',
      expectedGenerations: { b: 3 },
      startAt: NOW + 6 * 60 * MINUTE,
      breakGlass: false,
    });
  });
});

describe('what keeps it from being sent', () => {
  it('asks for the name at L3 only [U-20]', () => {
    expect(isFine(problems({}, preview()))).toBe(true);
    const high = preview({ risk: 'L3' });
    expect(problems({ typed: 'checkout' }, high).name).toBe('Type inventory to go on.');
    expect(problems({ typed: 'inventory ' }, high).name).toBeNull();
    expect(problems({ scope: 'service', typed: 'checkout' }, high).name).toBeNull();
    expect(problems({ scope: 'target', typed: 'inventory-api' }, high).name).toBeNull();
  });
  it('wants a longer reason and a shorter lease for break-glass', () => {
    const reason = 'twelve chars';
    const asks = preview({ needs: { stepUp: true, secondPerson: true } });
    expect(problems({ reason }, asks).reason).toBeNull();
    expect(problems({ reason, breakGlass: true }, asks).reason).toBe('8 more characters, please.');
    // Without a second person to do without, there is no glass.
    expect(problems({ reason, breakGlass: true }, preview()).reason).toBeNull();
    expect(Math.max(...leasesFor('force_open', true))).toBe(30 * MINUTE);
  });
  it('takes a start within seven days', () => {
    expect(startError('', NOW)).toContain('Choose a day');
    expect(startError('2026-03-02T13:59:00Z', NOW)).toContain('passed');
    expect(startError('2026-03-09T14:01:00Z', NOW)).toContain('seven days');
    expect(startError('2026-03-09T13:59:00Z', NOW)).toBeNull();
    expect(soonLocal(NOW + 1, 60)).toBe('2026-03-02T16:01');
  });
});

describe('what is repeated from the protocol', () => {
  it('has the same numbers', () => {
    expect(BREAK_GLASS_MAX_MS).toBe(protocol.BREAK_GLASS_LEASE_MS);
    expect(BREAK_GLASS_REASON_MIN).toBe(protocol.BREAK_GLASS_REASON_MIN);
    expect(START_AHEAD_MAX_MS).toBe(protocol.MAX_START_AHEAD_MS);
  });
  it('has the same roles, and hides nothing that a role may do', () => {
    for (const action of Object.keys(ROLES_OF) as (keyof typeof ROLES_OF)[]) {
      expect(ROLES_OF[action].toSorted()).toEqual(
        roles.filter((role) => actionsOf[role].includes(action)).toSorted(),
      );
    }
    const person = { id: 'u', name: 'mira', email: 'm@x.org' };
    const grants = [{ role: 'approver' as const, environment: 'prod*', service: '*' }];
    const me = { person: { ...person, grants }, csrf: 'c', stepUpFactors: [] };
    expect(allowsPerson(me, 'override.approve', { environment: 'production' })).toBe(true);
    expect(allowsPerson(me, 'override.approve', { environment: 'staging' })).toBe(false);
    expect(allowsPerson(null, 'override.approve')).toBe(false);
  });
  it('takes environment and service of a grant together, for every place [S-11]', () => {
    const person = { id: 'u', name: 'mira', email: 'm@x.org' };
    const grants = [
      { role: 'operator' as const, environment: 'test', service: 'search*' },
      { role: 'operator' as const, environment: 'production', service: 'checkout' },
    ];
    const me = { person: { ...person, grants }, csrf: 'c', stepUpFactors: [] };
    const may = (...places: [string, string][]) =>
      allowsPerson(
        me,
        'override.issue',
        ...places.map(([environment, service]) => ({ environment, service })),
      );
    expect(may(['test', 'search-api'])).toBe(true);
    expect(may(['test', 'checkout'])).toBe(false);
    expect(may(['production', 'search-api'])).toBe(false);
    expect(may(['test', 'search-api'], ['production', 'checkout'])).toBe(true);
    expect(may(['test', 'search-api'], ['test', 'checkout'])).toBe(false);
  });
});

const by = (id: string) => ({ kind: 'user', id });
const checkout = () => 'checkout';

describe('what waits for a person [U-29]', () => {
  const one = {
    status: 'pending_approval' as const,
    environment: 'production',
    facts: { breakers: [{ breakerId: 'b', generation: 1, state: 'open', live: 1 }] },
  };
  it('is what others asked for, the soonest to expire first', () => {
    const person = { id: 'u', name: 'noor', email: 'n@x.org' };
    const grants = [{ role: 'approver' as const, environment: 'production', service: '*' }];
    const me = { person: { ...person, grants }, csrf: 'c', stepUpFactors: [] };
    const commands = [
      { ...one, actor: 'mira', requester: by('m'), approvalEndsAt: NOW + 2 },
      // Somebody else of the same name, and a token of one's own.
      { ...one, actor: 'noor', requester: by('n'), approvalEndsAt: NOW + 1 },
      { ...one, actor: 'noor', requester: by('u'), approvalEndsAt: NOW },
      { ...one, actor: 'ci', requester: { kind: 'api_token', id: 'u' }, approvalEndsAt: NOW },
      { ...one, actor: 'jon', requester: by('j'), approvalEndsAt: NOW, environment: 'staging' },
      {
        ...one,
        actor: 'jon',
        requester: by('j'),
        approvalEndsAt: null,
        status: 'scheduled' as const,
      },
    ];
    expect(waitingFor(me, commands, checkout).map(({ actor }) => actor)).toEqual(['noor', 'mira']);
    expect(waitingFor(null, commands, checkout)).toEqual([]);
    const ofSearch = [{ role: 'approver' as const, environment: 'production', service: 'search' }];
    const other = { ...me, person: { ...person, grants: ofSearch } };
    expect(waitingFor(other, commands, checkout)).toEqual([]);
  });
});

const review = (id: string, dueAt: number, by = 'm', environment = 'production') => ({
  ...reviewView,
  id,
  dueAt,
  command: { ...reviewView.command, environment, requester: { kind: 'user', id: by } },
});

describe('break-glass without a review [S-16]', () => {
  const person = { id: 'u', name: 'noor', email: 'n@x.org' };
  const grants = [{ role: 'approver' as const, environment: 'production', service: '*' }];
  const me = { person: { ...person, grants }, csrf: 'c', stepUpFactors: [] };
  it('is shown to whoever may review it, and first what this very person can close', () => {
    const reviews = [
      review('own', NOW, 'u'),
      review('later', NOW + 2),
      review('sooner', NOW + 1),
      review('elsewhere', NOW, 'm', 'staging'),
      { ...review('closed', NOW), closedAt: NOW },
    ];
    expect(reviewsFor(me, reviews, checkout).map(({ id }) => id)).toEqual([
      'sooner',
      'later',
      'own',
    ]);
    const operates = [{ role: 'operator' as const, environment: 'production', service: '*' }];
    expect(
      reviewsFor({ ...me, person: { ...person, grants: operates } }, reviews, checkout),
    ).toEqual([]);
    expect(reviewsFor(null, reviews, checkout)).toEqual([]);
  });
});

const override = (id: string, commandId: string | null, createdAt = NOW) =>
  ({ id, commandId, createdAt, breaker: id, endsAt: NOW + MINUTE }) as OverrideView;

describe('commands on the page', () => {
  it('stand together, newest first', () => {
    const groups = grouped(
      [override('b', 'cmd'), override('a', 'cmd'), override('old', null, NOW - 1)],
      [{ id: 'cmd' } as CommandView],
    );
    expect(groups.map(({ key, overrides }) => [key, overrides.map(({ id }) => id)])).toEqual([
      ['cmd', ['a', 'b']],
      ['old', ['old']],
    ]);
    expect(groups.map(({ command }) => command?.id ?? null)).toEqual(['cmd', null]);
  });
  it('take the newer word of the live store', () => {
    const stale = override('a', 'cmd');
    const fresh = { ...stale, endedAt: NOW };
    const later = override('late', 'cmd');
    const all = overridesOf({ id: 'cmd', overrides: [stale] }, [fresh, later, override('x', 'y')]);
    expect(all).toEqual([fresh, later]);
  });
  it('say their scope as far as it is known', () => {
    expect(scopeWords({ kind: 'service', serviceId: 's' })).toBe('every breaker of one service');
    expect(scopeWords({ kind: 'service', serviceId: 's' }, { service: 'checkout' })).toBe(
      'every breaker of checkout',
    );
    expect(
      scopeWords({ kind: 'instances', breakerId: 'b', instanceIds: ['i'] }, { breaker: 'inv' }),
    ).toBe('inv on 1 instance');
  });
});

describe('a gradual return', () => {
  it('lets the first go at once', () => {
    expect(gradualMs(12, 5, 30_000)).toBe(60_000);
    expect(gradualMs(5, 5, 30_000)).toBe(0);
    expect(gradualMs(0, 1, 30_000)).toBe(0);
  });
  it('says how far it is and why it stopped', () => {
    const step = { overrideId: 'o', instanceId: 'i', instance: 'i', releasedAt: NOW };
    const release = {
      status: 'stopped',
      statusReason: 'i tripped again',
      total: 12,
      released: 2,
      steps: [
        { ...step, outcome: 'confirmed' },
        { ...step, outcome: 'tripped' },
      ],
    } as ReleaseView;
    expect(gradualText(release)).toBe('Stopped (i tripped again): 2 of 12 let go, 1 tripped again');
  });
});

describe('the form of a policy', () => {
  const policy = { twoPerson: 'L3', stepUp: 'L2' } as const;
  it('makes a body that the protocol takes', () => {
    const body = bodyOfPolicy({
      ...policy,
      environment: ' prod* ',
      tierOne: 'checkout\n\n pay* \ncheckout',
    });
    expect(protocol.setPolicyBody.parse(body)).toMatchObject({
      environment: 'prod*',
      tierOneServices: ['checkout', 'pay*'],
    });
  });
  it('says what is wrong', () => {
    const wrong = policyProblems({ ...policy, environment: '', tierOne: 'a*b' });
    expect(wrong.environment).toContain('Name an environment');
    expect(wrong.tierOne).toBe('“a*b”: A * is allowed at the end only.');
    const fine = policyProblems({ ...policy, environment: 'prod', tierOne: '' });
    expect(fine).toEqual({ environment: null, tierOne: null });
  });
});
