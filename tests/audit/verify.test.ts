/** [S-31] What somebody with the database file may try, on a real file, and what the verifier says. */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyIdOf } from '@/lib/audit/checkpoint';
import { describeReport, runAuditVerify } from '@/server/audit/run-verify';
import { sha256Hex } from '@/server/auth/sha256';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { MIGRATIONS } from '../store/support';
import {
  copyOf,
  entry,
  knowKey,
  makeTrail,
  newSigner,
  rehash,
  sign,
  tamper,
  witnessOf,
  type Trail,
} from './support';

const problemOf = (file: string, more: object = {}) =>
  runAuditVerify({ databaseFile: file, ...more }).problem;

const keyOf = ({ signer }: Trail): string => keyIdOf(sha256Hex, signer.publicKey);

/** Renumbers from the end, so that ids stay unique on the way. */
function shift(client: Parameters<Parameters<typeof tamper>[1]>[0], from: number, by: number) {
  const order = by > 0 ? 'DESC' : 'ASC';
  const ids = client
    .prepare<[number], number>(`SELECT id FROM audit WHERE id >= ? ORDER BY id ${order}`)
    .pluck()
    .all(from);
  for (const id of ids) client.prepare('UPDATE audit SET id = ? WHERE id = ?').run(id + by, id);
}

function swap(file: string, one: number, two: number): void {
  tamper(file, (client) => {
    client.exec(`UPDATE audit SET id = 9999 WHERE id = ${one};
      UPDATE audit SET id = ${one} WHERE id = ${two};
      UPDATE audit SET id = ${two} WHERE id = 9999`);
  });
}

describe('a trail that nobody touched', () => {
  it('is sound, with and without witness, also while it is open for writing', async () => {
    const trail = await makeTrail();
    const witnessFile = await witnessOf(trail);
    const store = openSqliteStore({ file: trail.file, migrationsFolder: MIGRATIONS });
    await store.appendAudit(
      entry(26, { subject: 'lone \uD800 half', details: { text: '\uD800' } }),
    );
    const report = runAuditVerify({ databaseFile: trail.file, witnessFile });
    await store.close();
    expect(report).toMatchObject({
      problem: null,
      rows: 26,
      checkpoints: 2,
      provenTo: { row: 20 },
      anchored: true,
    });
    expect(describeReport(report)[0]).toBe('OK: every row is as it was written');
    expect(runAuditVerify({ databaseFile: trail.file })).toMatchObject({
      problem: null,
      anchored: false,
    });
  });

  it('counts rows from before the chain began as not proven', async () => {
    const trail = await makeTrail(newSigner(), 5);
    tamper(trail.file, (client) => {
      client.exec(`DELETE FROM audit_chain; UPDATE audit SET hash = NULL, previous_hash = NULL`);
    });
    const store = openSqliteStore({ file: trail.file, migrationsFolder: MIGRATIONS });
    await store.appendAudit(entry(6));
    await store.appendAudit(entry(7));
    await store.close();
    const report = runAuditVerify({ databaseFile: trail.file });
    expect(report).toMatchObject({ problem: null, rows: 7, unchainedRows: 5 });
  });
});

describe('[S-31] an attack with the file in hand', () => {
  it('edit: names the row', async () => {
    const trail = await makeTrail();
    for (const change of [
      `details = '{"reason":"other"}'`,
      `actor = 'mallory'`,
      'at = at + 1',
      `outcome = 'refused'`,
      `details = '{'`,
      'hash = NULL',
    ]) {
      const copy = copyOf(trail, 'edited.db');
      tamper(copy, (client) => client.exec(`UPDATE audit SET ${change} WHERE id = 7`));
      expect({ change, ...problemOf(copy) }).toMatchObject({ change, kind: 'edited', row: 7 });
    }
  });

  it('edit with the row hashed anew: the next row gives it away', async () => {
    const trail = await makeTrail();
    tamper(trail.file, (client) => {
      client.exec(`UPDATE audit SET actor = 'mallory' WHERE id = 7`);
      const after = client.prepare('SELECT * FROM audit WHERE id = 8').get();
      rehash(client, 7);
      const { hash, previous_hash } = after as { hash: string; previous_hash: string };
      client
        .prepare('UPDATE audit SET hash = ?, previous_hash = ? WHERE id = 8')
        .run(hash, previous_hash);
    });
    expect(problemOf(trail.file)).toMatchObject({ kind: 'edited', row: 7 });
  });

  it('edit with everything after it hashed anew: the checkpoint gives it away, the sink the row', async () => {
    const trail = await makeTrail();
    const witnessFile = await witnessOf(trail);
    tamper(trail.file, (client) => {
      client.exec(`UPDATE audit SET actor = 'mallory' WHERE id = 17`);
      rehash(client, 17);
    });
    expect(problemOf(trail.file)).toMatchObject({ kind: 'rewritten', row: 11 });
    expect(problemOf(trail.file, { witnessFile })).toMatchObject({ kind: 'rewritten', row: 17 });
  });

  it('edit in the rows that no checkpoint covers yet: the sink gives it away', async () => {
    const trail = await makeTrail();
    const witnessFile = await witnessOf(trail);
    tamper(trail.file, (client) => {
      client.exec(`UPDATE audit SET actor = 'mallory' WHERE id = 23`);
      rehash(client, 23);
    });
    expect(problemOf(trail.file, { witnessFile })).toMatchObject({ kind: 'rewritten', row: 23 });
  });

  it('delete: names the row, whether or not the rest is renumbered', async () => {
    const trail = await makeTrail();
    const copy = copyOf(trail, 'renumbered.db');
    tamper(trail.file, (client) => client.exec('DELETE FROM audit WHERE id IN (7, 8)'));
    expect(problemOf(trail.file)).toMatchObject({ kind: 'deleted', row: 7 });
    tamper(copy, (client) => {
      client.exec('DELETE FROM audit WHERE id = 7');
      shift(client, 8, -1);
    });
    expect(problemOf(copy)).toMatchObject({ kind: 'deleted', row: 7 });
  });

  it('delete the first rows: names row 1', async () => {
    const trail = await makeTrail();
    tamper(trail.file, (client) => client.exec('DELETE FROM audit WHERE id < 4'));
    expect(problemOf(trail.file)).toMatchObject({ kind: 'deleted', row: 1 });
  });

  it('swap: names the first of the two', async () => {
    const trail = await makeTrail();
    const copy = copyOf(trail, 'far.db');
    swap(trail.file, 7, 8);
    expect(problemOf(trail.file)).toMatchObject({ kind: 'swapped', row: 7 });
    swap(copy, 7, 19);
    expect(problemOf(copy)).toMatchObject({ kind: 'swapped', row: 7 });
  });

  it('insert: names the row that was put in', async () => {
    const trail = await makeTrail();
    tamper(trail.file, (client) => {
      shift(client, 7, 1);
      client.exec(`INSERT INTO audit (id, at, actor, action, subject, outcome, details, previous_hash, hash)
        SELECT 7, at, 'mallory', action, subject, outcome, details, previous_hash, hash FROM audit WHERE id = 6`);
    });
    expect(problemOf(trail.file)).toMatchObject({ kind: 'inserted', row: 7 });
  });

  it('cut the tail: a checkpoint that is left, the sink or a downloaded checkpoint names the gap', async () => {
    const trail = await makeTrail();
    const witnessFile = await witnessOf(trail);
    const cut = copyOf(trail, 'cut.db');
    tamper(cut, (client) => client.exec('DELETE FROM audit WHERE id > 17'));
    expect(problemOf(cut)).toMatchObject({ kind: 'tail_cut', row: 18 });

    tamper(trail.file, (client) => client.exec('DELETE FROM audit WHERE id > 22'));
    expect(problemOf(trail.file)).toBeNull();
    expect(problemOf(trail.file, { witnessFile })).toMatchObject({ kind: 'tail_cut', row: 23 });
    const expectedHead = { row: 25, hash: 'a'.repeat(64) };
    expect(problemOf(trail.file, { expectedHead })).toMatchObject({ kind: 'tail_cut', row: 23 });
  });

  it('cut the tail with its checkpoints, or restore an older file: the witness names the gap', async () => {
    const trail = await makeTrail(newSigner(), 15);
    const older = copyOf(trail, 'older.db');
    const store = openSqliteStore({ file: trail.file, migrationsFolder: MIGRATIONS });
    for (let index = 16; index <= 25; index++) await store.appendAudit(entry(index));
    await sign(store, trail.signer);
    const newest = await store.newestCheckpoint();
    await store.close();
    const witnessFile = await witnessOf(trail);
    expect(problemOf(older)).toBeNull();
    expect(problemOf(older, { witnessFile })).toMatchObject({ kind: 'older_file', row: 16 });

    const downloaded = join(trail.folder, 'checkpoint.json');
    writeFileSync(downloaded, JSON.stringify({ checkpoint: newest }));
    expect(problemOf(older, { witnessFile: downloaded })).toMatchObject({
      kind: 'older_file',
      row: 16,
    });

    tamper(trail.file, (client) => {
      client.exec(
        'DELETE FROM audit WHERE id > 12; DELETE FROM audit_checkpoints WHERE number > 1',
      );
    });
    expect(problemOf(trail.file, { witnessFile })).toMatchObject({ kind: 'older_file', row: 13 });
  });

  it('re-sign with another key: a trusted key or a witness names the first checkpoint', async () => {
    const trail = await makeTrail();
    const witnessFile = await witnessOf(trail);
    const trustedKeys = [keyOf(trail)];
    const mallory = newSigner();
    tamper(trail.file, (client) => {
      client.exec(
        `UPDATE audit SET actor = 'mallory' WHERE id = 17; DELETE FROM audit_checkpoints`,
      );
      rehash(client, 17);
    });
    const store = openSqliteStore({ file: trail.file, migrationsFolder: MIGRATIONS });
    await sign(store, mallory);
    await store.close();
    knowKey(trail.file, mallory);
    const alone = runAuditVerify({ databaseFile: trail.file });
    expect(alone).toMatchObject({ problem: null, anchored: false });
    expect(describeReport(alone).join('\n')).toContain('the keys came from the file itself');
    expect(problemOf(trail.file, { trustedKeys })).toMatchObject({ kind: 'other_key', row: 1 });
    expect(problemOf(trail.file, { witnessFile })).toMatchObject({ row: 1, kind: 'other_key' });
  });

  it('change a checkpoint, or take one from the middle: it is named by its first row', async () => {
    const trail = await makeTrail();
    const copy = copyOf(trail, 'middle.db');
    tamper(trail.file, (client) =>
      client.exec('UPDATE audit_checkpoints SET at = at + 1 WHERE number = 2'),
    );
    expect(problemOf(trail.file)).toMatchObject({ kind: 'bad_checkpoint', row: 11 });
    tamper(copy, (client) => client.exec('DELETE FROM audit_checkpoints WHERE number = 1'));
    expect(problemOf(copy)).toMatchObject({ kind: 'bad_checkpoint', row: 11 });
  });

  it('put another file in its place: the witness knows another chain', async () => {
    const trail = await makeTrail();
    const witnessFile = await witnessOf(trail);
    const other = await makeTrail();
    copyFileSync(other.file, trail.file);
    expect(problemOf(trail.file, { witnessFile })).toMatchObject({ kind: 'other_chain' });
  });

  it('forge the witness: a checkpoint without a sound signature is no evidence', async () => {
    const trail = await makeTrail();
    const forged = join(trail.folder, 'forged.jsonl');
    const store = openSqliteStore({ file: trail.file, migrationsFolder: MIGRATIONS });
    const checkpoint = await store.newestCheckpoint();
    await store.close();
    writeFileSync(forged, JSON.stringify({ checkpoint: { ...checkpoint, toRow: 99 } }));
    expect(() => problemOf(trail.file, { witnessFile: forged })).toThrow(/signature does not fit/);
    writeFileSync(forged, '{"level":"info"}\nnot json\n');
    expect(() => problemOf(trail.file, { witnessFile: forged })).toThrow(/neither audit rows/);
  });

  it('leave escape sequences in the file: none reaches the terminal', async () => {
    const trail = await makeTrail();
    const witnessFile = await witnessOf(trail);
    tamper(trail.file, (client) =>
      client.exec(`UPDATE audit_chain SET chain_id = char(27) || '[2J'`),
    );
    const lines = describeReport(runAuditVerify({ databaseFile: trail.file, witnessFile }));
    expect(lines.join('\n')).toContain('?[2J');
    // eslint-disable-next-line no-control-regex -- the very thing that must not be there
    expect(lines.join('')).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/);
  });
});
