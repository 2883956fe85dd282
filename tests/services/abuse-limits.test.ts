import { describe, expect, it } from 'vitest';
import type { Caller } from '@/server/services/caller';
import { ada, bob, EVERYWHERE, personNamed } from '@/tests/support/callers';
import { issue, newKey, reporting } from './override-support';
import { openWorld, type World } from './support';

const MINUTE_MS = 60_000;
const NAMES = Array.from({ length: 12 }, (_, at) => `b${at}`);

async function scene(perPerson = 10, inAll = 60) {
  const world = await openWorld({ overrideLimits: { perPerson, inAll } });
  await reporting(world, {}, NAMES);
  const { breakers } = world.services.feed.snapshot(new Set(['fleet']));
  return { world, breakers: breakers.map(({ id }) => id) };
}

const open = (world: World, breakerId: string, caller: Caller = ada) =>
  issue(world, { scope: { kind: 'breaker', breakerId } }, caller);

const tokenOf = (ownerId: string): Caller => ({
  ...ada,
  principal: {
    kind: 'api_token',
    id: 'key_1',
    name: 'script',
    grants: [{ role: 'operator', ...EVERYWHERE }],
    ownerId,
  },
});

async function eachOf(ids: readonly string[], run: (id: string) => Promise<unknown>) {
  // oxlint-disable-next-line no-await-in-loop -- in order
  for (const id of ids) await run(id);
}

describe('[S-21] overrides', () => {
  it('ten a minute for one person, with their tokens, then 429 and a row; others go on', async () => {
    const { world, breakers } = await scene();
    await eachOf(breakers.slice(0, 6), (id) => open(world, id));
    await world.pass(20_000);
    await eachOf(breakers.slice(6, 10), (id) => open(world, id, tokenOf('usr_ada')));
    const [, , , , , , , , , , eleventh = '', twelfth = ''] = breakers;
    const { row } = await world.store.auditHead();
    const refused = { code: 'too_many', status: 429, details: { retryAfterMs: 40_000 } };
    await expect(open(world, eleventh)).rejects.toMatchObject(refused);
    await expect(open(world, eleventh, tokenOf('usr_ada'))).rejects.toMatchObject(refused);
    const rows = await world.store.readAudit({ after: row, limit: 10 });
    expect(rows.map(({ outcome, details }) => [outcome, details['code']])).toEqual([
      ['refused', 'too_many'],
      ['refused', 'too_many'],
    ]);
    await expect(open(world, eleventh, bob)).resolves.toMatchObject({ status: 'issued' });
    await world.pass(40_000);
    await expect(open(world, twelfth)).resolves.toMatchObject({ status: 'issued' });
  });

  it('so many a minute for all together', async () => {
    const { world, breakers } = await scene(10, 3);
    const [first = '', second = '', third = '', fourth = ''] = breakers;
    await open(world, first, ada);
    await open(world, second, bob);
    await open(world, third, personNamed('eve'));
    await expect(open(world, fourth, personNamed('kim'))).rejects.toMatchObject({
      code: 'too_many',
      message: expect.stringContaining('in all'),
    });
  });

  it('releases, shorter leases and repeats are never limited; a longer lease counts', async () => {
    const { world, breakers } = await scene(2);
    const [first = '', second = '', third = ''] = breakers;
    const key = { idempotencyKey: newKey() };
    const scope = { kind: 'breaker', breakerId: first } as const;
    const command = await issue(world, { scope, ...key });
    const other = await open(world, second);
    await expect(issue(world, { scope, ...key })).resolves.toMatchObject({ id: command.id });
    const { commands } = world.services;
    await expect(commands.changeLease(ada, other.id, { leaseMs: 3_600_000 })).rejects.toMatchObject(
      { code: 'too_many' },
    );
    await commands.changeLease(ada, other.id, { leaseMs: 120_000 });
    await commands.release(ada, other.id, {});
    await world.services.overrides.releaseBreaker(ada, first, {});
    await expect(open(world, third)).rejects.toMatchObject({ code: 'too_many' });
    await world.pass(MINUTE_MS);
    await expect(open(world, third)).resolves.toMatchObject({ status: 'issued' });
  });

  it('an attempt that is refused takes nothing away', async () => {
    const { world, breakers } = await scene(1);
    const [first = ''] = breakers;
    const scope = { kind: 'breaker', breakerId: first } as const;
    const stale = { scope, expectedGenerations: { [first]: 7 } };
    await expect(issue(world, stale)).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      issue(world, { scope, stepUpId: 'wrong', kind: 'force_closed' }),
    ).rejects.toMatchObject({ code: 'step_up_needed' });
    await expect(open(world, first)).resolves.toMatchObject({ status: 'issued' });
  });
});

describe('[S-30] what is not found', () => {
  const cases: readonly [string, (world: World) => Promise<unknown>][] = [
    ['commands.cancel', ({ services }) => services.forCaller(ada).commands.cancel('cmd_no', {})],
    ['commands.release', ({ services }) => services.forCaller(ada).commands.release('cmd_no', {})],
    ['overrides.release', ({ services }) => services.forCaller(ada).overrides.release('ov_no', {})],
    [
      'reviews.close',
      ({ services }) =>
        services.forCaller(bob).reviews.close('rev_no', { note: 'there is nothing here' }),
    ],
    ['tokens.revoke', ({ services }) => services.forCaller(ada).tokens.revoke('tok_no')],
    ['apiTokens.revoke', ({ services }) => services.forCaller(ada).apiTokens.revoke('key_no')],
    ['people.disable', ({ services }) => services.forCaller(ada).people.disable('usr_no')],
  ];

  it.each(cases)('%s leaves one row all the same', async (_name, run) => {
    const { world } = await scene();
    const { row } = await world.store.auditHead();
    await expect(run(world)).rejects.toMatchObject({ code: 'not_found' });
    const rows = await world.store.readAudit({ after: row, limit: 10 });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      outcome: 'refused',
      details: { code: 'not_found' },
      subject: expect.stringMatching(/_no$/),
    });
  });

  it('a refusal that the verb wrote itself is not written twice by the gate', async () => {
    const { world, breakers } = await scene();
    const [breakerId = ''] = breakers;
    const { row } = await world.store.auditHead();
    await expect(
      world.services.forCaller(ada).commands.issue({
        scope: { kind: 'breaker', breakerId },
        kind: 'force_open',
        includeNew: false,
        breakGlass: false,
        reason: 'the target is down',
        expectedGenerations: { [breakerId]: 9 },
        idempotencyKey: newKey(),
      }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await world.store.readAudit({ after: row, limit: 10 })).toHaveLength(1);
  });
});
