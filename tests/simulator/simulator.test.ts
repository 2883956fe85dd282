import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import { RecloserError } from '@/server/services/errors';
import { ada, personNamed } from '../support/callers';
import { openStore, temporaryFile } from '../store/support';
import { openWorld, TestAgent, tokenRecord } from '../services/support';
import { openSimulated, stateOf } from './support';

const FLEET = new Set(['fleet', 'instances']);

/** How many rows each table has, besides those that outlive what they are about. */
function rowsOf(file: string): Record<string, number> {
  const client = new Database(file, { readonly: true });
  const tables = client
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .pluck()
    .all()
    .filter((name) => !/^(audit|meta|sqlite_|__drizzle)/.test(name));
  const count = (table: string) =>
    Number(client.prepare(`SELECT count(*) FROM "${table}"`).pluck().get());
  const rows = Object.fromEntries(tables.map((table) => [table, count(table)]));
  client.close();
  return rows;
}

describe('[U-39] the built-in simulator', () => {
  it('shows every state of the grammar, through real agents', async () => {
    const { world, pass } = await openSimulated();
    expect(await world.services.simulator.status()).toEqual({
      state: 'absent',
      endsAt: null,
      breakers: 0,
    });
    await world.services.simulator.start(ada);
    const seen = new Map<string, Set<string>>();
    const steps = new Set<number>();
    // Often enough that no step of the ramp falls between two looks.
    for (let at = 0; at < 320; at++) {
      await pass(250);
      const { breakers } = world.services.feed.snapshot(FLEET);
      for (const row of breakers) {
        const states = seen.get(row.name) ?? new Set();
        seen.set(row.name, states.add(stateOf(world, row.name) ?? ''));
        if (row.name === 'sim-payments' && row.ramp !== null) steps.add(row.ramp.step);
      }
    }
    expect([...seen.keys()].sort()).toEqual([
      'sim-catalog',
      'sim-mail',
      'sim-payments',
      'sim-reviews',
      'sim-search',
      'sim-shipping',
      'sim-stock',
      'sim-tax',
    ]);
    expect(stateOf(world, 'sim-catalog')).toBe('closed');
    expect(stateOf(world, 'sim-search')).toBe('open');
    expect(stateOf(world, 'sim-shipping')).toBe('forced_open');
    expect(stateOf(world, 'sim-tax')).toBe('forced_closed');
    expect(stateOf(world, 'sim-reviews')).toBe('disabled');
    expect(stateOf(world, 'sim-stock')).toBe('stale');
    expect(stateOf(world, 'sim-mail')).toBe('offline');
    expect(seen.get('sim-payments')).toEqual(new Set(['closed', 'open', 'half_open']));
    expect([...steps].sort((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    const { breakers } = world.services.feed.snapshot(FLEET);
    expect(new Set(breakers.map((row) => row.environment))).toEqual(
      new Set([SIMULATED_ENVIRONMENT]),
    );
  }, 30_000);

  it('says how long it forces what it forces', async () => {
    const { world, pass } = await openSimulated({ runsForMs: 600_000 });
    const beganAt = world.clock.wall();
    await world.services.simulator.start(ada);
    await pass(8_000);
    const { breakers } = world.services.feed.snapshot(FLEET);
    const until = Object.fromEntries(breakers.map((row) => [row.name, row.forcedUntil]));
    for (const name of ['sim-shipping', 'sim-tax']) {
      const late = Math.abs((until[name] ?? 0) - (beganAt + 600_000));
      expect({ name, isThen: late < 2_000 }).toEqual({ name, isThen: true });
    }
    // One that is off has no end, and the others are not forced.
    expect(until).toMatchObject({ 'sim-reviews': null, 'sim-search': null, 'sim-catalog': null });
  }, 30_000);

  it('is removed with one call: every row of it is gone, those of the audit stay', async () => {
    const file = temporaryFile();
    const store = openStore(file);
    const { world, pass, during } = await openSimulated({ store });
    const real = new TestAgent(world);
    await real.connect();
    await real.send(real.registered());
    await pass(3_000);
    const untouched = rowsOf(file);
    await world.services.simulator.start(ada);
    await pass(8_000);
    const [row] = world.services.feed
      .snapshot(FLEET)
      .breakers.filter(({ name }) => name === 'sim-search');
    await during(
      world.services.overrides.issue(ada, {
        breakerId: row?.id ?? '',
        kind: 'force_open',
        reason: 'to see what the button does',
        expectedGeneration: 0,
        idempotencyKey: 'key-of-simulator',
      }),
    );
    await pass(1_000);
    expect(rowsOf(file)).not.toEqual(untouched);

    const after = await during(world.services.simulator.remove(ada));
    expect(after).toEqual({ state: 'absent', endsAt: null, breakers: 0 });
    expect(rowsOf(file)).toEqual(untouched);
    const left = world.services.feed.snapshot(FLEET);
    expect(left.breakers.map(({ name }) => name)).toEqual(['payments']);
    expect(left.services).toHaveLength(1);
    expect(left.overrides).toEqual([]);
    expect(left.instances).toHaveLength(1);
    expect(left.environmentNames).toEqual(['prod']);
    const { rows } = await world.services.queries.audit({ limit: 50 });
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['simulator.started', 'simulator.removed', 'override.ended']),
    );
    expect(world.logged).toEqual([]);
  }, 30_000);

  it('starts again after it was removed, with new history', async () => {
    const { world, pass, during } = await openSimulated();
    await world.services.simulator.start(ada);
    await pass(5_000);
    await during(world.services.simulator.remove(ada));
    await world.services.simulator.start(ada);
    await pass(10_000);
    expect(stateOf(world, 'sim-catalog')).toBe('closed');
    expect(stateOf(world, 'sim-tax')).toBe('forced_closed');
    const [row] = world.services.feed.snapshot(FLEET).breakers;
    const history = await world.services.queries.history(row?.id ?? '', { limit: 100 });
    expect(history.events.length).toBeGreaterThan(0);
    expect(world.logged).toEqual([]);
  }, 30_000);

  it('stops by itself and at a restart; what it reported stays, offline', async () => {
    const { world, simulator, pass, during } = await openSimulated({ runsForMs: 20_000 });
    await world.services.simulator.start(ada);
    await pass(5_000);
    await during(simulator.stop());
    expect(await world.services.simulator.status()).toEqual({
      state: 'stopped',
      endsAt: null,
      breakers: 8,
    });
    expect(stateOf(world, 'sim-catalog')).toBe('offline');
    await world.services.simulator.start(ada);
    await pass(2_000);
    expect(stateOf(world, 'sim-catalog')).toBe('closed');
    await pass(30_000);
    expect((await world.services.simulator.status()).state).toBe('stopped');
    expect(stateOf(world, 'sim-catalog')).toBe('offline');
  }, 30_000);

  it('a token of an agent never reaches into it', async () => {
    const world = await openWorld();
    const intruder = new TestAgent(world, {
      environment: SIMULATED_ENVIRONMENT,
      token: tokenRecord({ environment: SIMULATED_ENVIRONMENT }),
    });
    await expect(intruder.connect()).rejects.toThrow('built-in simulator');
    await expect(
      world.services.tokens.create(ada, {
        name: 'mine',
        servicePattern: '*',
        environment: SIMULATED_ENVIRONMENT,
        abilities: ['publish'],
        expiresInDays: 1,
      }),
    ).rejects.toThrow('choose another name');
  });

  it('is for admins of everything, and is refused where no agent can connect', async () => {
    const { world } = await openSimulated();
    const operator = personNamed('kim', [{ role: 'operator', environment: '*', service: '*' }]);
    const scoped = personNamed('lee', [{ role: 'admin', environment: 'prod', service: '*' }]);
    for (const one of [operator, scoped]) {
      const door = world.services.forCaller(one);
      await expect(door.simulator.start()).rejects.toThrow(RecloserError);
      expect((await door.simulator.status()).state).toBe('absent');
    }
    const without = await openWorld();
    await expect(without.services.simulator.start(ada)).rejects.toThrow('takes no agents yet');
  });
});
