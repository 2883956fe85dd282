/** [S-32] A real server, a real agent, and somebody who puts an older database back. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Recloser } from '@/lib/agent';
import type { AuditProofBody } from '@/lib/protocol/audit';
import { runAuditVerify } from '@/server/audit/run-verify';
import { createToken, eventually, startServerProcess } from '@/tests/support/server-process';
import { signIn, type Session } from '@/tests/support/sign-in';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

async function proofOf(url: string, { headers }: Session): Promise<AuditProofBody> {
  const response = await fetch(`${url}/api/audit/proof`, { headers });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as AuditProofBody;
}

it(
  '[S-32] an older database is put back: an agent that stayed says so, and the sink proves it offline',
  { timeout: 120_000 },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'recloser-witness-'));
    undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const file = join(dataDir, 'recloser.db');
    const witnessFile = join(dataDir, 'audit.jsonl');
    const env = { RECLOSER_AUDIT_LOG: witnessFile };

    let server = await startServerProcess(dataDir, { env });
    undo.push(() => server.stop());
    const token = await createToken(server.url);
    await server.stop();
    copyFileSync(file, join(dataDir, 'older.db'));

    server = await startServerProcess(dataDir, { env, port: server.port });
    const recloser = new Recloser({
      service: 'checkout',
      environment: 'test',
      url: server.url,
      token,
      instance: 'one',
    });
    undo.push(() => recloser.close());
    recloser.breaker('stock');
    await eventually('the agent is connected', async () => recloser.status.connected);
    const before = await proofOf(server.url, await signIn(server.url));
    expect(before.alarms).toEqual([]);
    expect(before.sink).toMatchObject({ state: 'ok', name: witnessFile });
    await server.stop();

    copyFileSync(file, join(dataDir, 'newer.db'));
    copyFileSync(join(dataDir, 'older.db'), file);
    // Somebody who knows the data folder leaves no note behind in it.
    rmSync(join(dataDir, 'audit-checkpoint.json'));
    const seen = { witnessFile };
    expect(runAuditVerify({ databaseFile: join(dataDir, 'newer.db'), ...seen }).problem).toBeNull();
    expect(runAuditVerify({ databaseFile: file, ...seen }).problem).toMatchObject({
      kind: 'older_file',
    });

    server = await startServerProcess(dataDir, { env, port: server.port });
    const restoredAt = performance.now();
    const session = await signIn(server.url);
    const proof = await eventually(
      'the alarm of the agent',
      async () => {
        const now = await proofOf(server.url, session);
        return now.alarms.length > 0 ? now : undefined;
      },
      60_000,
    );
    expect(performance.now() - restoredAt).toBeLessThan(60_000);
    expect(proof.alarms[0]).toMatchObject({
      details: { kind: 'fork', worth: 'proven', service: 'checkout', instance: 'one' },
    });
    // The sink told the server as well.
    expect(proof.spans.map((span) => span.action)).toContain('audit.restored');
    expect(readFileSync(witnessFile, 'utf8')).toContain('audit.restored');
  },
);
