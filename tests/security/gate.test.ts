import { describe, expect, it } from 'vitest';
import { actions, actionsOf, allows, roles, type Role } from '@/lib/protocol/access';
import { RecloserError } from '@/server/services/errors';
import { gateTable, type Need } from '@/server/services/door';
import { ada, bob, EVERYWHERE, personNamed } from '@/tests/support/callers';
import { openWorld, TestAgent } from '@/tests/services/support';

const CHANGING = new Set(actions.filter((one) => !/\.(read|export)$/.test(one)));

/** Every verb behind the gate with arguments that would do, given a breaker. */
type Ids = { breaker: string; override: string; command: string };
const scope = ({ breaker }: Ids) => ({ kind: 'breaker', breakerId: breaker });
const samples: Record<string, (ids: Ids) => unknown[]> = {
  'overrides.impact': ({ breaker }) => [breaker, 'force_open'],
  'overrides.issue': ({ breaker }) => [
    {
      breakerId: breaker,
      kind: 'force_open',
      reason: 'the target is down',
      expectedGeneration: 0,
      idempotencyKey: 'key-of-the-matrix',
    },
  ],
  'overrides.release': ({ override }) => [override, {}],
  'overrides.releaseBreaker': ({ breaker }) => [breaker, {}],
  'overrides.changeLease': ({ override }) => [override, { leaseMs: 60_000 }],
  'commands.preview': (ids) => [{ scope: scope(ids), kind: 'force_open', includeNew: false }],
  'commands.issue': (ids) => [
    {
      scope: scope(ids),
      kind: 'force_open',
      includeNew: false,
      breakGlass: false,
      reason: 'the target is down',
      expectedGenerations: { [ids.breaker]: 0 },
      idempotencyKey: 'key-of-the-gate',
    },
  ],
  'commands.get': ({ command }) => [command],
  'commands.list': () => [{}],
  'commands.approve': ({ command }) => [command, { digest: 'd' }],
  'commands.deny': ({ command }) => [command, { reason: 'no need' }],
  'commands.cancel': ({ command }) => [command, {}],
  'commands.release': ({ command }) => [command, {}],
  'commands.changeLease': ({ command }) => [command, { leaseMs: 60_000 }],
  'releases.start': ({ command }) => [{ commandId: command, batchSize: 1, intervalMs: 1_000 }],
  'releases.resume': () => ['rel_unknown'],
  'releases.cancel': () => ['rel_unknown'],
  'releases.get': () => ['rel_unknown'],
  'releases.list': () => [{}],
  'policies.list': () => [],
  'policies.set': () => [
    { environment: 'prod', twoPerson: 'never', stepUp: 'never', tierOneServices: [] },
  ],
  'reviews.list': () => [{}],
  'reviews.close': () => ['rev_unknown', { note: 'looked at it' }],
  'overrides.get': ({ override }) => [override],
  'overrides.list': () => [{}],
  'tokens.create': () => [
    {
      name: 'ci',
      servicePattern: 'checkout',
      environment: 'prod',
      abilities: ['publish'],
      expiresInDays: 1,
    },
  ],
  'tokens.list': () => [],
  'tokens.revoke': () => ['tok_unknown'],
  'apiTokens.create': () => [
    { name: 'script', grants: [{ role: 'viewer', ...EVERYWHERE }], expiresInDays: 1 },
  ],
  'apiTokens.list': () => [],
  'apiTokens.revoke': () => ['key_unknown'],
  'queries.fleet': () => [],
  'queries.breaker': ({ breaker }) => [breaker],
  'queries.history': ({ breaker }) => [breaker, { limit: 1 }],
  'queries.series': ({ breaker }) => [breaker, { from: 0, to: 1, points: 10 }],
  'queries.targetSeries': () => [{ target: 'ledger', from: 0, to: 1, points: 10 }],
  'queries.services': () => [],
  'queries.service': () => ['svc_unknown'],
  'queries.audit': () => [{ limit: 1 }],
  'diagnosis.breaker': ({ breaker }) => [breaker],
  'diagnosis.findings': () => [{}],
  'instances.remove': () => ['ins_unknown'],
  'simulator.status': () => [],
  'simulator.start': () => [],
  'simulator.remove': () => [],
  'audit.proof': () => [],
  'audit.checkpoint': () => [],
  'audit.export': () => [{ format: 'csv' }],
  'people.list': () => [],
  'people.invite': () => [{ name: 'new', email: 'new@example.test', grants: [] }],
  'people.revokeInvitation': () => ['code_unknown'],
  'people.setGrants': () => ['usr_unknown', []],
  'people.disable': () => ['usr_unknown'],
  'people.enable': () => ['usr_unknown'],
  'people.resetFactors': () => ['usr_unknown'],
  'people.signOut': () => ['usr_unknown'],
  'profile.show': () => [],
  'profile.changePassword': () => [{ current: 'x', next: 'y' }],
  'profile.removeTotp': () => [],
  'profile.removePasskey': () => ['pk_unknown'],
  'profile.endSession': () => ['ses_unknown'],
  'profile.endOtherSessions': () => [],
  'profile.assertFresh': () => [],
};

/** Their samples name nothing that exists: where nothing is, nothing is foreign. */
const UNKNOWN_THERE = new Set([
  'instances.remove',
  'tokens.revoke',
  'reviews.close',
  'releases.resume',
  'releases.cancel',
]);

const verbs = Object.entries(gateTable).flatMap(([group, table]) =>
  Object.entries(table).map(([verb, entry]) => ({ name: `${group}.${verb}`, group, verb, entry })),
);

async function withOverride() {
  const world = await openWorld();
  const agent = new TestAgent(world);
  await agent.connect();
  await agent.send(agent.registered());
  const override = await world.services.overrides.issue(ada, {
    breakerId: agent.breakerId,
    kind: 'force_open',
    reason: 'the target is down',
    expectedGeneration: 0,
    idempotencyKey: 'key-of-ada-1',
  });
  return {
    world,
    ids: { breaker: agent.breakerId, override: override.id, command: override.commandId ?? '' },
  };
}

type Opened = Awaited<ReturnType<typeof withOverride>>;

/** True when the gate let it through, whatever the verb then said. */
async function isAdmitted(
  { world, ids }: Opened,
  name: string,
  grants: Parameters<typeof allows>[0],
) {
  const [group = '', verb = ''] = name.split('.');
  const door = world.services.forCaller(personNamed('kim', grants));
  const run = Reflect.get(Reflect.get(door, group) as object, verb) as (
    ...args: unknown[]
  ) => Promise<unknown>;
  try {
    await run(...(samples[name]?.(ids) ?? []));
    return true;
  } catch (error) {
    if (!(error instanceof RecloserError)) throw error;
    return error.code !== 'not_allowed';
  }
}

const mayRole = (role: Role, need: Need) => need === 'self' || actionsOf[role].includes(need);

describe('[S-11] the roles', () => {
  it('[S-34] an auditor and a viewer change nothing', () => {
    for (const role of ['auditor', 'viewer'] as const) {
      expect(actionsOf[role].filter((one) => CHANGING.has(one))).toEqual([]);
    }
  });

  it('an operator neither approves nor manages; an approver does not issue', () => {
    const operator = actionsOf.operator.filter((one) => /approve|review|manage|backup/.test(one));
    expect(operator).toEqual([]);
    expect(actionsOf.approver).not.toContain('override.issue');
  });

  it('without a grant nothing is allowed, not even reading', () => {
    expect(actions.filter((one) => allows([], one))).toEqual([]);
  });

  it.each([
    ['prod', 'checkout', true],
    ['prod', 'checkout-eu', true],
    ['prod', 'check', false],
    ['prod', '*', false],
    ['prod', 'checkout*', true],
    ['prod', 'checkou*', false],
    ['stage', 'checkout', false],
    ['*', 'checkout', false],
    ['prod-eu', 'checkout', false],
  ])('a grant for checkout* in prod covers %s %s: %s', (environment, service, expected) => {
    const grants = [{ role: 'operator', environment: 'prod', service: 'checkout*' }] as const;
    expect(allows(grants, 'override.issue', { environment, service })).toBe(expected);
  });
});

describe('[S-12] the gate', () => {
  it('has an example of every verb here', () => {
    expect(verbs.map(({ name }) => name).sort()).toEqual(Object.keys(samples).sort());
  });

  it.each(roles)('[S-11] lets a %s through to exactly what the table says', async (role: Role) => {
    const opened = await withOverride();
    for (const { name, entry } of verbs) {
      const admitted = await isAdmitted(opened, name, [{ role, ...EVERYWHERE }]);
      expect({ name, admitted }).toEqual({
        name,
        admitted: mayRole(role, entry.action),
      });
    }
  });

  it.each([
    ['another environment', { environment: 'stage', service: '*' }],
    ['another service', { environment: 'prod', service: 'payments' }],
  ])('[S-11] keeps an admin of %s from acting here', async (_what, scope) => {
    const opened = await withOverride();
    const acting = verbs.filter(({ entry }) => entry.object !== undefined);
    expect(acting.length).toBeGreaterThan(2);
    for (const { name } of acting.filter((one) => !UNKNOWN_THERE.has(one.name))) {
      const admitted = await isAdmitted(opened, name, [{ role: 'admin', ...scope }]);
      expect({ name, admitted }).toEqual({ name, admitted: false });
    }
  });

  it('[S-30] writes a refusal down with who and where from, and tells what is needed', async () => {
    const { world, ids } = await withOverride();
    const viewer = personNamed('vic', [{ role: 'viewer', ...EVERYWHERE }]);
    const refused = world.services.forCaller(viewer).overrides.release(ids.override, {});
    await expect(refused).rejects.toMatchObject({
      code: 'not_allowed',
      details: { needs: 'override.release' },
    });
    const { rows } = await world.services.queries.audit({ limit: 1 });
    expect(rows[0]).toMatchObject({
      actor: 'vic',
      action: 'access.denied',
      outcome: 'refused',
      subject: ids.override,
      who: { kind: 'user', id: 'usr_vic', session: 'ses_vic', ip: '127.0.0.1', role: null },
    });
  });

  it('[S-30] tells the verb which role it was', async () => {
    const { world, ids } = await withOverride();
    await world.services.forCaller(bob).overrides.release(ids.override, {});
    const { rows } = await world.services.queries.audit({ limit: 5, subject: ids.override });
    expect(rows.find(({ action }) => action === 'override.ended')).toMatchObject({
      who: { name: 'bob', role: 'admin' },
    });
  });
});
