/** [S-34] The trail as a file, and the filters of list and file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runAuditVerify } from '@/server/audit/run-verify';
import { rowHash, type AuditContent } from '@/lib/audit/chain';
import { sha256Hex } from '@/server/auth/sha256';
import type { AuditExportQuery } from '@/lib/protocol/audit';
import { openStore } from '../store/support';
import { ada, EVERYWHERE, personNamed } from '../support/callers';
import { openWorld, TestAgent, type World } from '../services/support';
import { fakeParts } from './parts';
import { entry, tamper, temporaryFolder } from './support';

const auditor = personNamed('otto', [{ role: 'auditor', ...EVERYWHERE }]);

async function fileOf({ services }: World, query: AuditExportQuery): Promise<string> {
  const { chunks } = await services.forCaller(auditor).audit.export(query);
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

async function filled() {
  const world = await openWorld();
  const agent = new TestAgent(world);
  await agent.connect();
  await agent.send(agent.registered());
  const { store } = world;
  await store.appendAudit(entry(1, { actor: 'kim', subject: 'one' }));
  await store.appendAudit(entry(2, { actor: 'ana', outcome: 'refused', subject: '100%' }));
  await store.appendAudit(entry(3, { action: 'token.created', subject: '1000' }));
  await store.appendAudit(entry(4, { details: { breakerId: agent.breakerId } }));
  const found = async (filter: object) =>
    (await world.services.queries.audit({ limit: 10, ...filter })).rows.map((row) => row.id);
  return { world, found };
}

describe('[S-34] an export', () => {
  it('is a row of its own, stored before the file is made, and leaves itself out', async () => {
    const world = await openWorld({ audit: fakeParts() });
    const text = await fileOf(world, { format: 'csv', outcome: 'done' });
    const { rows } = await world.services.queries.audit({ limit: 1 });
    expect(rows).toMatchObject([
      {
        action: 'audit.exported',
        actor: 'otto',
        who: { role: 'auditor' },
        details: { format: 'csv', filter: { outcome: 'done' }, upToRow: 2 },
      },
    ]);
    expect(text.split('\r\n')).toHaveLength(1 + 2 + 1);
    expect(text).not.toContain('audit.exported');
  });

  it(
    'as JSON lines proves itself, row by row, and is a witness against the file it came from',
    { timeout: 30_000 },
    async () => {
      const folder = temporaryFolder();
      const file = join(folder, 'recloser.db');
      const world = await openWorld({ store: openStore(file), audit: fakeParts() });
      for (let index = 0; index < 540; index++) await world.store.appendAudit(entry(index));
      await world.pass(1_000);
      const text = await fileOf(world, { format: 'jsonl' });
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const rows = lines.filter((line) => line['kind'] === 'audit');
      expect(rows).toHaveLength(542);
      for (const { kind: _k, time: _t, chainId: _c, previousHash, hash, ...content } of rows) {
        expect(rowHash(sha256Hex, String(previousHash), content as AuditContent)).toBe(hash);
      }
      const witnessFile = join(folder, 'export.jsonl');
      writeFileSync(witnessFile, text);
      expect(runAuditVerify({ databaseFile: file, witnessFile }).problem).toBeNull();
      tamper(file, (client) => client.exec('DELETE FROM audit WHERE id > 530'));
      expect(runAuditVerify({ databaseFile: file, witnessFile }).problem).toMatchObject({
        row: 531,
      });
    },
  );

  it('[S-21] is given five times a minute to each person', async () => {
    const world = await openWorld({ audit: fakeParts() });
    for (let time = 0; time < 5; time++) await fileOf(world, { format: 'csv' });
    await expect(fileOf(world, { format: 'csv' })).rejects.toMatchObject({ code: 'too_many' });
    await world.services.forCaller(ada).audit.export({ format: 'csv' });
    await world.pass(60_000);
    await expect(fileOf(world, { format: 'csv' })).resolves.toContain('row,time');
  });

  it('is refused to who may not, and the refusal is a row', async () => {
    const world = await openWorld({ audit: fakeParts() });
    const viewer = personNamed('vic', [{ role: 'viewer', ...EVERYWHERE }]);
    const refused = world.services.forCaller(viewer).audit.export({ format: 'csv' });
    await expect(refused).rejects.toMatchObject({ code: 'not_allowed' });
    const { rows } = await world.services.queries.audit({ limit: 1 });
    expect(rows).toMatchObject([{ action: 'access.denied', actor: 'vic', outcome: 'refused' }]);
  });
});

describe('the filters', () => {
  it('narrow by who, action, outcome, subject, time and text', async () => {
    const { world, found } = await filled();
    const [newest] = (await world.services.queries.audit({ limit: 1 })).rows;
    expect(await found({})).toEqual([4, 3, 2, 1]);
    expect(await found({ actor: 'kim' })).toEqual([4, 1]);
    expect(await found({ action: 'token.created' })).toEqual([3]);
    expect(await found({ action: 'override.*' })).toEqual([4, 2, 1]);
    expect(await found({ outcome: 'refused' })).toEqual([2]);
    expect(await found({ subject: 'one' })).toEqual([1]);
    expect(await found({ from: newest?.at, to: newest?.at })).toEqual([4]);
    expect(await found({ text: 'row 2' })).toEqual([2]);
    expect(await found({ text: 'PAYMENTS' })).toEqual([4]);
    expect(await found({ text: 'checkout / pay' })).toEqual([4]);
  });

  it.each([
    ['100%', [2]],
    ['_0_', []],
    ['%', [2]],
    ["' OR 1=1 --", []],
    ['\\', []],
    ['"; DROP TABLE audit; --', []],
    ['*', []],
  ])('[S-23] take %j for what it is', async (text, rows) => {
    const { found } = await filled();
    expect(await found({ text })).toEqual(rows);
    expect(await found({ actor: text })).toEqual([]);
    expect(await found({ subject: text })).toEqual(text === '100%' ? [2] : []);
  });
});
