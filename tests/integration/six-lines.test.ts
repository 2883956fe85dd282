/** [U-39] What a new user pastes is run as it stands, against a real console. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { sixLines } from '@/components/services/snippet';
import type { FleetBody } from '@/lib/protocol/api';
import { createToken, eventually, startServerProcess } from '@/tests/support/server-process';
import { signIn } from '@/tests/support/sign-in';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The target answers, and the service goes on after its first call, as services do. */
const SURROUNDINGS = `globalThis.fetch = async () => new Response('charged');
setInterval(() => undefined, 1_000);`;

/** With the agent of this tree in the place of the installed package. */
async function bundle(code: string): Promise<string> {
  // Within the tree, so that the packages of the agent are found.
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'dist/six-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'service.mjs');
  await build({
    stdin: { contents: `${code}\nconsole.log(await answer.text());`, resolveDir: ROOT },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    alias: { '@recloser/agent': join(ROOT, 'lib/agent/index.ts') },
    banner: { js: SURROUNDINGS },
    logLevel: 'silent',
  });
  return outfile;
}

it('the six lines bring the first breaker into an empty console', { timeout: 60_000 }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'recloser-six-lines-'));
  const server = await startServerProcess(dataDir);
  onTestFinished(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const environment = 'production';
  const token = await createToken(server.url, { environment });
  const code = sixLines({ token, service: 'checkout', environment }, server.url);
  expect(code.split('\n')).toHaveLength(6);

  const service = spawn(process.execPath, [await bundle(code)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void service.kill('SIGKILL'));
  let said = '';
  service.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  service.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const { headers } = await signIn(server.url);
  const row = await eventually('the breaker in the fleet', async () => {
    const answer = await fetch(`${server.url}/api/fleet`, { headers });
    return ((await answer.json()) as FleetBody).breakers[0];
  });
  expect(row).toMatchObject({
    environment,
    service: 'checkout',
    name: 'payments',
    target: 'payments-api',
    state: 'closed',
  });
  await eventually('the answer of the call', async () => said.includes('charged'));
  expect(said.trim()).toBe('charged');
});
