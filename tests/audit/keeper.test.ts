/** Signing, copying, checking and what counts as a gap, through the services' door. */
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditInsert, Store } from '@/server/store/port';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { runAuditVerify } from '@/server/audit/run-verify';
import { auditBy } from '@/server/services/caller';
import { openLocal } from '@/server/local';
import { ada } from '../support/callers';
import { issue, reporting } from '../services/override-support';
import { MIGRATIONS, openStore } from '../store/support';
import { openWorld, ServerClock, TestAgent, tokenRecord, type World } from '../services/support';
import { fakeParts, FakeSink } from './parts';
import { entry, tamper, temporaryFolder } from './support';

/** Minutes of the fake clock, on a machine that may be busy. */
const LONG = { timeout: 30_000 };

async function add(store: Store, count: number, over: Partial<AuditInsert> = {}): Promise<void> {
  for (let index = 0; index < count; index++) await store.appendAudit(entry(index, over));
}

const actionsOf = async (store: Store): Promise<string[]> =>
  (await store.readAudit({ after: 0, limit: 1_000 })).map((row) => row.action);

const gapsOf = async ({ services }: World) =>
  (await services.audit.proof()).spans.map((span) => span.action);

async function restart(file: string, audit = fakeParts(), clock = new ServerClock()) {
  const store = openSqliteStore({ file, migrationsFolder: MIGRATIONS });
  const world = await openWorld({ store, audit, clock });
  return {
    world,
    end: async () => {
      const stopping = world.services.stop();
      await world.pass(500);
      await stopping;
      await store.close();
    },
  };
}

async function connected() {
  const world = await openWorld({ audit: fakeParts() });
  const agent = new TestAgent(world, { token: tokenRecord() });
  await agent.connect();
  const kept = await world.services.agents.checkpoint();
  if (kept === null) throw new Error('no checkpoint');
  const raise = (over: object = {}) =>
    world.services.agents.alarm(agent.session, {
      type: 'rollback_alarm',
      kind: 'rollback',
      kept,
      seen: kept,
      ...over,
    });
  return { world, agent, kept, raise };
}

describe('[S-31] checkpoints', () => {
  it(
    'sign the start at once, then each 100 rows, then what is five minutes old',
    LONG,
    async () => {
      const world = await openWorld({ audit: fakeParts() });
      const signed = async () => (await world.services.audit.checkpoint())?.toRow;
      expect(await actionsOf(world.store)).toEqual(['audit.chain_started', 'server.started']);
      expect(await signed()).toBe(2);
      await add(world.store, 99);
      await world.pass(2_000);
      expect(await signed()).toBe(2);
      await add(world.store, 1);
      await world.pass(1_000);
      expect(await signed()).toBe(102);
      await add(world.store, 1);
      await world.pass(299_000);
      expect(await signed()).toBe(102);
      await world.pass(3_000);
      expect(await signed()).toBe(103);
      expect(await world.services.audit.proof()).toMatchObject({
        unsignedRows: 0,
        head: { row: 103 },
        verified: { row: 103, problem: null },
        spans: [],
      });
    },
  );

  it('are published for agents and kept beside the database', async () => {
    const parts = fakeParts();
    const world = await openWorld({ audit: parts });
    const published = world.published.filter((one) => one.type === 'checkpoint');
    expect(published).toHaveLength(1);
    expect(parts.kept).toEqual(await world.services.agents.checkpoint());
  });

  it('verify offline, and the file of a stopped server is signed to its last row', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'recloser.db');
    const store = openStore(file);
    const world = await openWorld({ store, audit: fakeParts() });
    await add(store, 7);
    const stopping = world.services.stop();
    await world.pass(500);
    await stopping;
    const report = runAuditVerify({ databaseFile: file });
    expect(report).toMatchObject({ problem: null, rows: 10, provenTo: { row: 10 } });
  });
});

describe('[S-33] a gap is a signed row', () => {
  it('restore: the database is older than the checkpoint that was kept beside it', async () => {
    const file = join(temporaryFolder(), 'recloser.db');
    const parts = fakeParts();
    const first = await restart(file, parts);
    await first.end();
    copyFileSync(file, `${file}.old`);
    const second = await restart(file, parts);
    await add(second.world.store, 5);
    await second.end();
    const lostTo = parts.kept?.toRow;
    copyFileSync(`${file}.old`, file);
    const third = await restart(file, parts);
    const { spans, unsignedRows } = await third.world.services.audit.proof();
    expect(spans).toMatchObject([
      { action: 'audit.restored', details: { lostFrom: 4, lostTo, seenBy: ['checkpoint'] } },
    ]);
    expect(unsignedRows).toBe(0);
    await third.end();
    expect(runAuditVerify({ databaseFile: file })).toMatchObject({
      problem: null,
      gaps: [{ action: 'audit.chain_started' }, { action: 'audit.restored' }],
    });
  });

  it('restore is seen by the second sink alone, to the row', async () => {
    const file = join(temporaryFolder(), 'recloser.db');
    const { signer } = fakeParts();
    const sink = new FakeSink();
    const first = await restart(file, fakeParts({ signer, sink }));
    await first.end();
    copyFileSync(file, `${file}.old`);
    const second = await restart(file, fakeParts({ signer, sink }));
    await add(second.world.store, 5);
    await second.end();
    const lostTo = sink.end?.row;
    copyFileSync(`${file}.old`, file);
    const third = await restart(file, fakeParts({ signer, sink }));
    const { spans } = await third.world.services.audit.proof();
    expect(spans).toContainEqual(
      expect.objectContaining({
        action: 'audit.restored',
        details: expect.objectContaining({ lostTo, seenBy: ['sink'] }),
      }),
    );
    await third.end();
  });

  it('another file: the chain that was seen last is named', async () => {
    const parts = fakeParts();
    const first = await restart(join(temporaryFolder(), 'recloser.db'), parts);
    const { chainId } = await first.world.services.audit.proof();
    await first.end();
    const second = await restart(join(temporaryFolder(), 'recloser.db'), parts);
    const { spans } = await second.world.services.audit.proof();
    expect(spans).toMatchObject([
      { action: 'audit.chain_restarted', details: { previousChain: chainId } },
    ]);
    await second.end();
  });

  it('another key: failed unless the old one vouches for it', async () => {
    const file = join(temporaryFolder(), 'recloser.db');
    const first = fakeParts();
    await (await restart(file, first)).end();
    const second = fakeParts();
    const changed = await restart(file, second);
    expect(await gapsOf(changed.world)).toEqual(['audit.key_changed']);
    await changed.end();
    let forgotten = false;
    const elder = { ...second.signer, forget: () => void (forgotten = true) };
    const third = await restart(file, fakeParts({ elder }));
    const keys = await third.world.store.listAuditKeys();
    await third.end();
    expect(forgotten).toBe(true);
    expect(keys.map((key) => key.endorsedBy)).toEqual([null, null, keys[1]?.keyId]);
    const trusting = (keyId: string | undefined) =>
      runAuditVerify({ databaseFile: file, trustedKeys: [keyId ?? ''] }).problem;
    expect(trusting(keys[0]?.keyId)).toMatchObject({ kind: 'other_key' });
    const both = [keys[0]?.keyId ?? '', keys[1]?.keyId ?? ''];
    expect(runAuditVerify({ databaseFile: file, trustedKeys: both }).problem).toBeNull();
  });

  it('a clock that goes back, while it runs and between two starts', async () => {
    const file = join(temporaryFolder(), 'recloser.db');
    const clock = new ServerClock();
    const first = await restart(file, fakeParts(), clock);
    await first.world.pass(2_000);
    clock.wallStep = -60_000;
    await first.world.pass(2_000);
    expect(await gapsOf(first.world)).toEqual(['audit.clock_stepped']);
    clock.wallStep = 0;
    await first.world.pass(2_000);
    await first.end();
    const back = new ServerClock();
    back.wallStep = -3_600_000;
    const second = await restart(file, fakeParts(), back);
    const stepped = (await gapsOf(second.world)).filter((one) => one === 'audit.clock_stepped');
    expect(stepped).toHaveLength(2);
    await second.end();
  });

  it('a sink that is turned on and off', async () => {
    const file = join(temporaryFolder(), 'recloser.db');
    const { signer } = fakeParts();
    await (await restart(file, fakeParts({ signer, sink: new FakeSink() }))).end();
    const off = await restart(file, fakeParts({ signer }));
    expect((await off.world.services.audit.proof()).spans).toMatchObject([
      { action: 'audit.sink_off', toRow: null },
    ]);
    await off.end();
    const on = await restart(file, fakeParts({ signer, sink: new FakeSink() }));
    const [span] = (await on.world.services.audit.proof()).spans;
    expect(span?.toRow).toBeGreaterThan(span?.fromRow ?? 0);
    await on.end();
  });

  it('rows that another program wrote, and rows that it changed', async () => {
    const file = join(temporaryFolder(), 'recloser.db');
    const running = await restart(file);
    await add(running.world.store, 3);
    tamper(file, (client) => {
      client.exec(`INSERT INTO audit (id, at, actor, action, subject, outcome, details, hash)
        VALUES (6, 1, 'mallory', 'x', 'x', 'done', '{}', '${'0'.repeat(64)}')`);
    });
    await running.world.pass(3_000);
    expect(await gapsOf(running.world)).toContain('audit.foreign_rows');
    const { verified } = await running.world.services.audit.proof();
    expect(verified?.problem).toMatchObject({ row: 6 });
    expect(await actionsOf(running.world.store)).toContain('audit.chain_broken');
    await running.end();
    expect(runAuditVerify({ databaseFile: file }).problem).toMatchObject({ row: 6 });
  });
});

describe('the second sink', () => {
  it(
    'gets every row once and in order, each checkpoint after its rows, over restarts',
    { timeout: 30_000 },
    async () => {
      const store = openStore(join(temporaryFolder(), 'recloser.db'));
      const sink = new FakeSink();
      const { signer } = fakeParts();
      for (let start = 0; start < 3; start++) {
        const world = await openWorld({ store, audit: fakeParts({ signer, sink }) });
        await add(store, 210);
        await world.pass(1_000);
        const stopping = world.services.stop();
        await world.pass(500);
        await stopping;
      }
      const { row } = await store.auditHead();
      expect(sink.rows).toEqual(Array.from({ length: row }, (_, index) => index + 1));
      const checkpoints = await store.listCheckpoints({ after: 0, limit: 100 });
      for (const { number, toRow } of checkpoints) {
        const at = sink.order.indexOf(`checkpoint ${number}`);
        expect(sink.order.indexOf(`row ${toRow}`)).toBeLessThan(at);
      }
      expect(sink.order.at(-1)).toBe(`checkpoint ${checkpoints.length}`);
      expect(sink.closed).toBe(true);
    },
  );

  it('that breaks stops nobody, is seen, and gets what it missed', async () => {
    const sink = new FakeSink();
    const world = await openWorld({ audit: fakeParts({ sink }) });
    await world.pass(1_000);
    sink.broken = true;
    await add(world.store, 5);
    await world.pass(1_000);
    const failing = await world.services.audit.proof();
    expect(failing.sink).toMatchObject({ state: 'failing', name: 'memory', lagRows: 6 });
    expect(failing.spans).toMatchObject([{ action: 'audit.sink_failed', toRow: null }]);
    // [S-33] The row that says so is signed with it.
    expect(failing).toMatchObject({ unsignedRows: 0 });
    await expect(
      world.services.forCaller(ada).tokens.create({
        name: 'ci',
        servicePattern: 'checkout',
        environment: 'prod',
        abilities: ['publish'],
        expiresInDays: 1,
      }),
    ).resolves.toBeDefined();
    await world.pass(60_000);
    const rows = await actionsOf(world.store);
    expect(rows.filter((action) => action === 'audit.sink_failed')).toHaveLength(1);
    sink.broken = false;
    await world.pass(31_000);
    const after = await world.services.audit.proof();
    expect(after.sink).toMatchObject({ state: 'ok', lagRows: 0, lagMs: 0 });
    expect(after.spans).toMatchObject([{ action: 'audit.sink_failed', toRow: after.head.row }]);
    expect(sink.rows).toEqual(Array.from({ length: after.head.row }, (_, index) => index + 1));
  });
});

describe('[S-29] a second sink that is required', () => {
  const token = {
    name: 'ci',
    servicePattern: 'checkout',
    environment: 'prod',
    abilities: ['publish' as const],
    expiresInDays: 1,
  };

  it('no sink, no action; back to automatic goes on, and so does everything once it is back', async () => {
    const sink = new FakeSink();
    const world = await openWorld({ audit: fakeParts({ sink }), sinkRequired: true });
    const { breakerId } = await reporting(world);
    await world.pass(1_000);
    await issue(world, { scope: { kind: 'breaker', breakerId } });
    const door = world.services.forCaller(ada);
    sink.broken = true;
    await add(world.store, 1);
    await world.pass(1_000);
    await expect(door.tokens.create(token)).rejects.toMatchObject({
      code: 'read_only',
      details: { reason: 'audit_sink' },
    });
    expect(await world.services.tokens.list()).toEqual([]);
    expect(await world.services.sinkHealth()).toMatchObject({ state: 'failing', required: true });
    await expect(door.overrides.releaseBreaker(breakerId, {})).resolves.toHaveLength(1);
    sink.broken = false;
    await world.pass(31_000);
    await expect(door.tokens.create(token)).resolves.toBeDefined();
  });

  it('one that hangs is as bad as one that fails', async () => {
    const sink = new FakeSink();
    const world = await openWorld({ audit: fakeParts({ sink }), sinkRequired: true });
    await world.pass(1_000);
    const waiting: (() => void)[] = [];
    const append = sink.append.bind(sink);
    sink.append = async (...args) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
      return append(...args);
    };
    await add(world.store, 1, { at: world.clock.wall() });
    await world.pass(11_000);
    const door = world.services.forCaller(ada);
    await expect(door.tokens.create(token)).rejects.toMatchObject({ code: 'read_only' });
    sink.append = append;
    for (const go of waiting) go();
    await world.pass(1_000);
    await expect(door.tokens.create(token)).resolves.toBeDefined();
  });
});

describe('[S-33] rows of a command on the machine, beside a running server', () => {
  it('are not those of another program; what somebody hides among them is', async () => {
    const file = join(temporaryFolder(), 'recloser.db');
    const running = await restart(file);
    const local = openLocal({ dataDir: dirname(file), rootDir: process.cwd() });
    const invited = { name: 'kim', email: 'kim@example.test', grants: [] };
    await local.people.invite(local.caller, invited);
    await local.entry.renewSetupToken(local.caller);
    await running.world.pass(3_000);
    expect(await gapsOf(running.world)).not.toContain('audit.foreign_rows');
    expect((await running.world.services.audit.proof()).verified?.problem).toBeNull();
    const beside = openSqliteStore({ file, migrationsFolder: MIGRATIONS, isBeside: true });
    await beside.appendAudit({ ...entry(1), ...auditBy(ada) });
    await beside.close();
    await local.people.invite(local.caller, { ...invited, email: 'kim2@example.test' });
    await local.close();
    await running.world.pass(3_000);
    const [row] = await running.world.store.readAudit({
      after: 0,
      actions: ['audit.foreign_rows'],
      limit: 5,
    });
    expect(row?.details['fromRow']).toBe(row?.details['toRow']);
    await running.end();
  });
});

describe('[S-32] an alarm of an agent', () => {
  it('is a row, once, with what it is worth', async () => {
    const { world, kept, raise } = await connected();
    await raise();
    await raise();
    await raise({ kept: { ...kept, toRow: 99, number: 9, headHash: 'f'.repeat(64) } });
    const { alarms } = await world.services.audit.proof();
    expect(alarms.map((alarm) => alarm.details['worth'])).toEqual(['unsigned', 'refuted']);
    expect(alarms[0]).toMatchObject({ details: { instance: 'one', kept: { toRow: 99 } } });
    // [S-33] Signed before anybody is answered.
    expect(await world.services.audit.proof()).toMatchObject({ unsignedRows: 0 });
  });

  it('cannot fill the trail', async () => {
    const { world, kept, raise } = await connected();
    for (let index = 0; index < 100; index++) {
      await raise({ kept: { ...kept, headHash: index.toString(16).padStart(64, '0') } });
    }
    const rows = await actionsOf(world.store);
    expect(rows.filter((action) => action === 'audit.alarm')).toHaveLength(60);
  });
});
