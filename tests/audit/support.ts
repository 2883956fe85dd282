import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { rowHash } from '@/lib/audit/chain';
import { keyIdOf, nextCheckpoint } from '@/lib/audit/checkpoint';
import { checkpointLine, rowLine } from '@/lib/audit/lines';
import { checkpointText } from '@/lib/protocol/checkpoint-text';
import { newPrivateKey, readPrivateKey, type Signer } from '@/server/audit/ed25519';
import { sha256Hex } from '@/server/auth/sha256';
import type { AuditInsert, Store } from '@/server/store/port';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { makeFolder, MIGRATIONS, removeFolder } from '../store/support';

export const T0 = 1_800_000_000_000;

export const newSigner = (): Signer => readPrivateKey(newPrivateKey());

export function temporaryFolder(): string {
  const folder = makeFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

export function entry(index: number, over: Partial<AuditInsert> = {}): AuditInsert {
  return {
    at: T0 + index,
    actor: index % 2 === 0 ? 'kim' : 'ana',
    action: 'override.issued',
    subject: `ovr_${index}`,
    outcome: 'done',
    details: { reason: `row ${index}`, nested: { b: [1, 2.5, null], a: true } },
    ...over,
  };
}

/** Signs what is not yet signed. */
export async function sign(store: Store, signer: Signer, at = T0): Promise<void> {
  const previous = await store.newestCheckpoint();
  const { chain } = await store.auditHead();
  if (chain === null) throw new Error('nothing to sign');
  const rows = await store.readAudit({
    after: previous?.toRow ?? chain.firstRow - 1,
    limit: 10_000,
  });
  const hashed = rows.map(({ id, hash }) => ({ id, hash: hash ?? '' }));
  const { publicKey } = signer;
  const unsigned = nextCheckpoint(sha256Hex, { ...chain, previous, rows: hashed, at, publicKey });
  const signature = signer.sign(checkpointText(unsigned));
  if (!(await store.appendCheckpoint({ ...unsigned, signature }))) throw new Error('refused');
}

export type Trail = { readonly folder: string; readonly file: string; readonly signer: Signer };

export function knowKey(file: string, { publicKey }: Signer): void {
  tamper(file, (client) => {
    client
      .prepare('INSERT INTO audit_keys (key_id, public_key, added_at) VALUES (?, ?, 1)')
      .run(keyIdOf(sha256Hex, publicKey), publicKey);
  });
}

/** 25 rows, signed after rows 10 and 20. */
export async function makeTrail(signer = newSigner(), rows = 25): Promise<Trail> {
  const folder = temporaryFolder();
  const file = join(folder, 'recloser.db');
  const store = openSqliteStore({ file, migrationsFolder: MIGRATIONS });
  for (let index = 1; index <= rows; index++) {
    await store.appendAudit(entry(index));
    if (index % 10 === 0) await sign(store, signer, T0 + index);
  }
  await store.close();
  knowKey(file, signer);
  return { folder, file, signer };
}

/** The database as somebody with its file and a shell may change it. */
export function tamper(file: string, work: (client: Database.Database) => void): void {
  const client = new Database(file);
  try {
    work(client);
    client.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    client.close();
  }
}

export function copyOf({ folder, file }: Trail, name: string): string {
  const copy = join(folder, name);
  copyFileSync(file, copy);
  return copy;
}

/** The lines that the second sink would hold. */
export async function witnessOf({ folder, file }: Trail): Promise<string> {
  const store = openSqliteStore({ file, migrationsFolder: MIGRATIONS });
  const { chain } = await store.auditHead();
  const rows = await store.readAudit({ after: 0, limit: 10_000 });
  const checkpoints = await store.listCheckpoints({ after: 0, limit: 1_000 });
  await store.close();
  const lines = rows.map((row) => rowLine(row, chain?.chainId ?? null, 'time'));
  const path = join(folder, 'audit.jsonl');
  writeFileSync(path, [...lines, ...checkpoints.map(checkpointLine), ''].join('\n'));
  return path;
}

type Raw = { id: number; details: string; previous_hash: string; hash: string };

/** What a careful attacker does after a change: all hashes from this row on anew. */
export function rehash(client: Database.Database, from: number): void {
  const rows = client.prepare<[], Raw>('SELECT * FROM audit ORDER BY id').all();
  let previous = rows.find((row) => row.id === from)?.previous_hash ?? '';
  for (const row of rows.filter((one) => one.id >= from)) {
    const { previous_hash: _, hash: _hash, ...rest } = row;
    const content = { ...rest, details: JSON.parse(row.details) as object };
    const hash = rowHash(sha256Hex, previous, content);
    client
      .prepare('UPDATE audit SET previous_hash = ?, hash = ? WHERE id = ?')
      .run(previous, hash, row.id);
    previous = hash;
  }
}
