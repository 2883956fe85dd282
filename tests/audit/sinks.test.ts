import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkpointLine, rowLine } from '@/lib/audit/lines';
import { verifySignature } from '@/server/audit/ed25519';
import { createFileSink } from '@/server/audit/file-sink';
import { openKeys } from '@/server/audit/key-file';
import { openAuditParts } from '@/server/audit/open-parts';
import { createStdoutSink } from '@/server/audit/stdout-sink';
import { checkpoint as sound } from '../server/fakes/views';
import { temporaryFolder } from './support';

const chainId = 'c'.repeat(32);
const row = (id: number): string =>
  rowLine(
    { id, at: 1, hash: id.toString(16).padStart(64, '0'), previousHash: null, details: {} },
    chainId,
    't',
  );
const at = (id: number, checkpoint = 0) => ({
  chainId,
  row: id,
  hash: id.toString(16).padStart(64, '0'),
  checkpoint,
});

describe('a file as the second sink', () => {
  it('is read back to where it ends, only its owner may read it, and its folder is made', async () => {
    const file = join(temporaryFolder(), 'deep', 'audit.jsonl');
    const sink = createFileSink(file);
    expect(await sink.position()).toBeNull();
    await sink.append([row(1), row(2), checkpointLine(sound)], at(2, 1));
    await sink.append([row(3)], at(3, 1));
    expect(await sink.position()).toEqual(at(3, 1));
    await sink.close();
    expect(await createFileSink(file).position()).toEqual(at(3, 1));
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('drops the half line of a crash and goes on after the last whole one', async () => {
    const file = join(temporaryFolder(), 'audit.jsonl');
    writeFileSync(file, `${row(1)}\n${row(2)}\n${row(3).slice(0, 40)}`);
    const sink = createFileSink(file);
    expect(await sink.position()).toEqual(at(2));
    await sink.append([row(3)], at(3));
    await sink.close();
    expect(readFileSync(file, 'utf8')).toBe(`${row(1)}\n${row(2)}\n${row(3)}\n`);
    writeFileSync(file, row(1).slice(0, 40));
    expect(await createFileSink(file).position()).toBeNull();
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  it('finds its end behind long lines and lines of others', async () => {
    const file = join(temporaryFolder(), 'audit.jsonl');
    writeFileSync(file, `${row(7)}\n`);
    appendFileSync(file, `${'x'.repeat(200_000)}\n{"kind":"other"}\n`);
    expect(await createFileSink(file).position()).toEqual(at(7));
  });

  it('fails where nothing can be written, and works again when it can', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'audit.jsonl');
    mkdirSync(file);
    const sink = createFileSink(file);
    await expect(sink.append([row(1)], at(1))).rejects.toThrow(/EISDIR/);
    renameSync(file, `${file}.away`);
    await sink.append([row(1)], at(1));
    await sink.close();
    expect(await createFileSink(file).position()).toEqual(at(1));
  });
});

describe('standard output as the second sink', () => {
  it('goes on where it ended, by a note in the data folder', async () => {
    const note = join(temporaryFolder(), 'audit-stdout.json');
    const written: string[] = [];
    const open = () =>
      createStdoutSink(note, async (text) => {
        written.push(text);
      });
    expect(await open().position()).toBeNull();
    await open().append([row(1), row(2)], at(2));
    expect(await open().position()).toEqual(at(2));
    expect(written).toEqual([`${row(1)}\n${row(2)}\n`]);
  });
});

describe('[S-26] the key', () => {
  it('is made once, private, and signs what its public half verifies', () => {
    const folder = temporaryFolder();
    const { signer, elder } = openKeys(folder);
    expect(elder).toBeNull();
    expect(statSync(join(folder, 'audit-key.pem')).mode & 0o777).toBe(0o600);
    const again = openKeys(folder).signer;
    expect(again.publicKey).toBe(signer.publicKey);
    const signature = again.sign('text');
    expect(verifySignature(signer.publicKey, 'text', signature)).toBe(true);
    expect(verifySignature(signer.publicKey, 'other', signature)).toBe(false);
    expect(verifySignature('nonsense', 'text', signature)).toBe(false);
  });

  it('is refused when others may read it or it is none', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'audit-key.pem');
    writeFileSync(file, 'no key', { mode: 0o600 });
    expect(() => openKeys(folder)).toThrow(/holds no Ed25519 key/);
    writeFileSync(join(folder, 'open.pem'), 'x', { mode: 0o644 });
    renameSync(join(folder, 'open.pem'), file);
    expect(() => openKeys(folder)).toThrow(/may be read by others/);
  });

  it('that was moved aside vouches for the new one, and is forgotten after', () => {
    const folder = temporaryFolder();
    const { signer } = openKeys(folder);
    renameSync(join(folder, 'audit-key.pem'), join(folder, 'audit-key.previous.pem'));
    const next = openKeys(folder);
    expect(next.elder?.publicKey).toBe(signer.publicKey);
    expect(next.signer.publicKey).not.toBe(signer.publicKey);
    next.elder?.forget();
    expect(openKeys(folder).elder).toBeNull();
  });

  it('and the newest checkpoint stay in the data folder over restarts', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const settings = { dataDir, rootDir: '.', auditLog: null };
    const parts = openAuditParts(settings);
    expect(parts.memory.read()).toBeNull();
    await parts.memory.write(sound);
    const again = openAuditParts(settings);
    expect(again.memory.read()).toEqual(sound);
    expect(again.signer.publicKey).toBe(parts.signer.publicKey);
    expect(again.version).toMatch(/^\d+\.\d+\.\d+/);
  });
});
