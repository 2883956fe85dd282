import { describe, expect, it } from 'vitest';
import type { Caller } from '@/server/services/caller';
import { ada, bob, EVERYWHERE, eve, personNamed } from '@/tests/support/callers';
import { issue, newKey, obey, reporting } from './override-support';
import { openMemoryStore, openWorld, PROVED, type World } from './support';

const local: Caller = {
  principal: { kind: 'local', name: 'console' },
  ip: null,
  userAgent: null,
  requestId: null,
};
const robot: Caller = {
  ...local,
  principal: {
    kind: 'api_token',
    id: 'api_1',
    name: 'deploy',
    ownerId: 'usr_ada',
    grants: [{ role: 'admin', ...EVERYWHERE }],
  },
};

/** A world in which production asks for a second person from L2 on. */
async function strict(options = {}) {
  const world = await openWorld(options);
  await world.services.policies.set(ada, {
    environment: 'prod',
    twoPerson: 'L2',
    stepUp: 'L3',
    tierOneServices: [],
  });
  const agent = await reporting(world);
  const scope = { kind: 'breaker', breakerId: agent.breakerId } as const;
  return { world, agent, scope };
}

type Strict = Awaited<ReturnType<typeof strict>>;

const approve = (world: World, caller: Caller, { id, digest }: { id: string; digest: string }) =>
  world.services.commands.approve(caller, id, { digest, stepUpId: PROVED });

describe('a second person', () => {
  it('[S-14] lets a command go, and only then it is sent', async () => {
    const { world, agent, scope } = await strict();
    const asked = await issue(world, { scope });
    expect(asked).toMatchObject({ status: 'pending_approval', outcome: 'waiting', overrides: [] });
    expect(asked.approvalEndsAt).toBe(asked.createdAt + 600_000);
    expect((await world.services.agents.desired(agent.session)).overrides).toEqual([]);
    expect(await world.services.commands.list({ waiting: true })).toHaveLength(1);

    await world.pass(20_000);
    const approved = await approve(world, bob, asked);
    expect(approved).toMatchObject({ status: 'issued', approvedBy: 'bob', actor: 'ada' });
    expect(await obey(agent)).toEqual(approved.overrides.map(({ id }) => id));
    const [override] = approved.overrides;
    expect(override?.endsAt).toBe(world.clock.wall() + approved.leaseMs);
    const { rows } = await world.services.queries.audit({ limit: 20 });
    expect(rows.map(({ action, actor }) => `${action} ${actor}`)).toEqual(
      expect.arrayContaining(['override.requested ada', 'override.approved bob']),
    );
  });

  it.each([
    ['the same person', ada],
    ['the same address under another account', { name: 'ada2', email: 'ADA@example.test' }],
    ['a token', robot],
    ['a command on the machine', local],
  ])('[S-14] is not %s', async (_who, who) => {
    const { world, scope } = await strict();
    const asked = await issue(world, { scope });
    const caller =
      'principal' in who
        ? who
        : ({
            ...ada,
            principal: { ...ada.principal, id: 'usr_ada2', ...who },
          } as Caller);
    await expect(approve(world, caller, asked)).rejects.toMatchObject({ code: 'not_allowed' });
    expect((await world.services.commands.get(asked.id)).status).toBe('pending_approval');
  });

  it('[S-14] is not the owner of the token that asked', async () => {
    const { world, scope } = await strict();
    const asked = await issue(world, { scope }, robot);
    await expect(approve(world, ada, asked)).rejects.toMatchObject({ code: 'not_allowed' });
    expect(await approve(world, bob, asked)).toMatchObject({ status: 'issued' });
  });

  it('[S-14] has ten minutes; after that nothing happens', async () => {
    const { world, scope } = await strict();
    const asked = await issue(world, { scope });
    await world.pass(601_000);
    expect(await world.services.commands.get(asked.id)).toMatchObject({ status: 'expired' });
    await expect(approve(world, bob, asked)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('[S-14] ends it with one deny and a reason', async () => {
    const { world, scope } = await strict();
    const asked = await issue(world, { scope });
    const denied = await world.services.commands.deny(bob, asked.id, { reason: 'not now' });
    expect(denied).toMatchObject({ status: 'denied', statusBy: 'bob', statusReason: 'not now' });
    await expect(approve(world, eve, asked)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('[S-14] has to look again when the facts have changed since', async () => {
    const { world, agent, scope } = await strict();
    const asked = await issue(world, { scope });
    await agent.send(agent.transition('closed', 'open', 1));
    const refused = await approve(world, bob, asked).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'conflict', message: /facts have changed/ });
    await expect(approve(world, bob, asked)).rejects.toMatchObject({ message: /look again/ });
    const now = await world.services.commands.get(asked.id);
    expect(now.digest).not.toBe(asked.digest);
    expect(await approve(world, bob, now)).toMatchObject({ status: 'issued' });
  });

  it.each([
    [
      'after the facts have changed',
      ({ agent }: Strict) => agent.send(agent.transition('closed', 'open', 1)),
      'override.facts_changed',
    ],
    [
      'after its ten minutes',
      async ({ world }: Strict) => world.clock.fake.jump(600_000),
      'override.approve',
    ],
    [
      'after somebody denied it',
      ({ world }: Strict, id: string) =>
        world.services.commands.deny(eve, id, { reason: 'not now' }),
      'override.approve',
    ],
  ])('[S-30] whose approval comes %s is written down once', async (_when, change, action) => {
    const opened = await strict();
    const { world, scope } = opened;
    const asked = await issue(world, { scope });
    await change(opened, asked.id);
    const body = { digest: asked.digest, stepUpId: PROVED };
    const late = world.services.forCaller(bob).commands.approve(asked.id, body);
    await expect(late).rejects.toMatchObject({ code: 'conflict' });
    const { rows } = await world.services.queries.audit({ limit: 50 });
    const refused = rows.filter(({ outcome }) => outcome === 'refused');
    expect(refused).toMatchObject([
      { action, actor: 'bob', subject: asked.id, details: { code: 'conflict' } },
    ]);
  });

  it('[S-14] and the requester who takes it back: one of them wins, every time', async () => {
    const { world, scope } = await strict();
    for (let round = 0; round < 50; round++) {
      const asked = await issue(world, { scope });
      const acts = [
        () => approve(world, bob, asked),
        () => world.services.commands.cancel(ada, asked.id, {}),
      ];
      const order = round % 2 === 0 ? acts : acts.toReversed();
      const results = await Promise.allSettled(order.map((act) => act()));
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
      const { status, overrides } = await world.services.commands.get(asked.id);
      expect(overrides).toHaveLength(status === 'issued' ? 1 : 0);
      await world.services.overrides.releaseBreaker(ada, scope.breakerId, {});
    }
  });

  it('[T-18] is waited for over a restart of the console', async () => {
    const store = openMemoryStore();
    const { world: before, scope } = await strict({ store });
    const asked = await issue(before, { scope });
    const late = await issue(before, { scope });
    before.clock.fake.jump(580_000);
    const world = await openWorld({ store, clock: before.clock });
    await reporting(world);
    expect(await approve(world, bob, asked)).toMatchObject({ status: 'issued' });
    await world.pass(21_000);
    expect(await world.services.commands.get(late.id)).toMatchObject({ status: 'expired' });
  });

  it('is not asked for by a command on the machine, nor to make a lease longer than at all', async () => {
    const { world, agent, scope } = await strict();
    const done = await issue(world, { scope }, local);
    expect(done.status).toBe('issued');
    await obey(agent);
    const [override] = done.overrides;
    const change = { leaseMs: 3_600_000 };
    await expect(
      world.services.overrides.changeLease(bob, override?.id ?? '', change),
    ).rejects.toMatchObject({ code: 'approval_needed' });
  });
});

describe('a step-up', () => {
  const closed = { kind: 'force_closed' as const, leaseMs: 600_000 };

  async function refusedDigest(
    world: World,
    scope: { kind: 'breaker'; breakerId: string },
    over = {},
  ) {
    const refused: unknown = await issue(world, {
      scope,
      ...closed,
      stepUpId: 'none',
      ...over,
    }).catch((error: unknown) => error);
    const { code, details } = refused as { code: string; details: { digest: string } };
    expect(code).toBe('step_up_needed');
    return details.digest;
  }

  it('[S-13] is bound to exactly this command: targets, kind, lease and reason', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const scope = { kind: 'breaker', breakerId: agent.breakerId } as const;
    const digest = await refusedDigest(world, scope);
    const stepUpId = `for ${digest}`;
    for (const over of [{ leaseMs: 660_000 }, { reason: 'another reason for it' }]) {
      expect(await refusedDigest(world, scope, { ...over, stepUpId })).not.toBe(digest);
    }
    expect(await issue(world, { scope, ...closed, stepUpId })).toMatchObject({ status: 'issued' });
    // The generation has grown, so that the same words are another command.
    expect(await refusedDigest(world, scope, { stepUpId })).not.toBe(digest);
  });

  it('[S-13] cannot be done by a token', async () => {
    const world = await openWorld();
    const agent = await reporting(world);
    const scope = { kind: 'breaker', breakerId: agent.breakerId } as const;
    await expect(issue(world, { scope, ...closed }, robot)).rejects.toMatchObject({
      code: 'step_up_needed',
      details: { factors: [] },
    });
  });

  it('[U-20] [S-30] is asked for by risk, and a refusal is written down', async () => {
    const world = await openWorld();
    await world.services.policies.set(ada, {
      environment: 'prod',
      twoPerson: 'never',
      stepUp: 'L3',
      tierOneServices: ['check*'],
    });
    const agent = await reporting(world);
    const scope = { kind: 'breaker', breakerId: agent.breakerId } as const;
    await expect(issue(world, { scope, stepUpId: 'none' })).rejects.toMatchObject({
      code: 'step_up_needed',
    });
    const { rows } = await world.services.queries.audit({ limit: 1 });
    expect(rows[0]).toMatchObject({ action: 'override.issue', outcome: 'refused', actor: 'ada' });
  });
});

describe('break-glass', () => {
  const glass = { breakGlass: true, reason: 'everybody else is asleep and it burns' };

  it('[S-16] skips the second person and leaves a review that another person closes', async () => {
    const { world, scope } = await strict();
    const command = await issue(world, { scope, ...glass });
    expect(command).toMatchObject({ status: 'issued', breakGlass: true });
    const [review] = await world.services.reviews.list({ open: true });
    expect(review).toMatchObject({
      overdue: false,
      dueAt: command.createdAt + 72 * 3_600_000,
      command: { id: command.id, actor: 'ada' },
    });
    const id = review?.id ?? '';
    const note = { note: 'looked at the timeline with ada' };
    await expect(world.services.reviews.close(ada, id, note)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    const closed = await world.services.reviews.close(bob, id, note);
    expect(closed).toMatchObject({ closedBy: 'bob', note: note.note });
    await expect(world.services.reviews.close(eve, id, note)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await world.services.reviews.list({ open: true })).toEqual([]);
    const { rows } = await world.services.queries.audit({ limit: 50 });
    const issued = rows.find(({ action }) => action === 'override.issued');
    expect(issued?.details).toMatchObject({ breakGlass: true });
    expect(world.logged.join()).toContain('break-glass was used');
  });

  it('[S-16] always asks for a step-up, and turns overdue after three days', async () => {
    const { world, scope } = await strict();
    await expect(issue(world, { scope, ...glass, stepUpId: 'none' })).rejects.toMatchObject({
      code: 'step_up_needed',
    });
    await issue(world, { scope, ...glass });
    world.clock.wallStep = 73 * 3_600_000;
    expect(await world.services.reviews.list({})).toMatchObject([{ overdue: true }]);
  });

  it('[S-16] [S-12] is closed to who may not skip the second person', async () => {
    const { world, scope } = await strict();
    const grants = [{ role: 'operator', environment: 'prod', service: 'other' }] as const;
    const kim = personNamed('kim', grants);
    await expect(
      world.services.commands.issue(kim, {
        scope,
        kind: 'force_open',
        includeNew: false,
        expectedGenerations: { [scope.breakerId]: 0 },
        idempotencyKey: newKey(),
        stepUpId: PROVED,
        ...glass,
      }),
    ).rejects.toMatchObject({ code: 'not_allowed' });
  });
});

describe('policies', () => {
  it('[S-30] are kept with who set them, before and after', async () => {
    const { world } = await strict();
    const set = {
      environment: 'prod',
      twoPerson: 'L3',
      stepUp: 'L2',
      tierOneServices: [],
    } as const;
    await world.services.policies.set(bob, { ...set, tierOneServices: [] });
    const { policies, builtIn } = await world.services.policies.list();
    expect(policies).toMatchObject([{ ...set, updatedBy: 'bob' }]);
    expect(builtIn.map(({ environment, stepUp }) => `${environment} ${stepUp}`)).toContain(
      'prod* L3',
    );
    const { rows } = await world.services.queries.audit({ limit: 1, subject: 'prod' });
    expect(rows[0]?.details).toMatchObject({
      before: { twoPerson: 'L2' },
      after: { twoPerson: 'L3' },
    });
  });
});
