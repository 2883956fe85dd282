import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const agent = join(root, 'lib/agent');
const build = fileURLToPath(new URL('../../lib/agent/build.mjs', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'recloser-agent-'));

/** Without network: from npm's cache when it is there, else unpacked beside linked dependencies. */
async function install(tarball: string): Promise<void> {
  const flags = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  const installed = await run('npm', ['install', ...flags, tarball], {
    cwd: project,
    timeout: 30_000,
  }).then(
    () => true,
    () => false,
  );
  if (installed) return;
  const target = join(project, 'node_modules/@recloser/agent');
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  for (const name of ['ws', 'zod']) {
    const link = join(project, 'node_modules', name);
    if (!existsSync(link)) symlinkSync(join(root, 'node_modules', name), link);
  }
}

const write = (file: string, text: string) => writeFileSync(join(project, file), text);

const script = `
import { BreakerOpenError, CircuitBreaker, Recloser } from '@recloser/agent';
const recloser = new Recloser({
  service: 'shop', environment: 'test', url: 'http://127.0.0.1:9', token: 'rcl_a_x',
  logger: { info() {}, error() {} },
});
const breaker = recloser.breaker('stock', { trip: [{ kind: 'consecutive', failures: 1 }] });
await breaker.run(() => Promise.reject(new Error('down'))).catch(() => undefined);
const error = await breaker.run(() => 1).catch((problem) => problem);
console.log(error instanceof BreakerOpenError, breaker.circuit instanceof CircuitBreaker, breaker.state);
`;

const consumer = `
import { BreakerOpenError, Recloser, RecloserConfigError, type BreakerPolicy } from '@recloser/agent';
import type { BreakerStatus, RecloserOptions } from '@recloser/agent';
const options: RecloserOptions = { service: 's', environment: 'e', url: 'u', token: 't' };
const policy: BreakerPolicy = { target: 'stock-api', open: { kind: 'fixed', baseMs: 1_000 } };
export async function main(): Promise<number> {
  const breaker = new Recloser(options).breaker('stock', policy);
  const status: BreakerStatus = breaker.status();
  const size: number = await breaker.run(({ signal }) => Promise.resolve(signal.aborted ? 0 : 1));
  try { return size + status.level; } catch (error) {
    if (error instanceof RecloserConfigError) return error.option.length;
    return error instanceof BreakerOpenError ? (error.retryAfterMs ?? 0) : 0;
  }
}
// @ts-expect-error an option that does not exist
export const wrong: RecloserOptions = { ...options, tokn: 't' };
`;

describe('the package', () => {
  let files: string[] = [];

  beforeAll(async () => {
    await run(process.execPath, [build], { cwd: root });
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', project], {
      cwd: join(agent, 'dist'),
    });
    const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
    files = packed?.files.map((file) => file.path) ?? [];
    write('package.json', JSON.stringify({ name: 'empty', private: true, type: 'module' }));
    await install(join(project, packed?.filename ?? ''));
  }, 240_000);

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('holds the bundle, its types, a licence and a read-me, and no sources', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'index.js',
        'package.json',
        'types/agent/index.d.ts',
      ]),
    );
    expect(files.filter((path) => /\.(ts|mjs)$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  });

  it('works in an empty project, which ends by itself', { timeout: 60_000 }, async () => {
    write('script.mjs', script);
    const { stdout, stderr } = await run(process.execPath, ['script.mjs'], {
      cwd: project,
      timeout: 45_000,
    });
    expect(stdout.trim()).toBe('true true open');
    expect(stderr).toBe('');
  });

  it('has types for a consumer with moduleResolution nodenext', { timeout: 60_000 }, async () => {
    write('consumer.ts', consumer);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const check = run(
      join(root, 'node_modules/.bin/tsc'),
      [...options, '--moduleResolution', 'nodenext', '--types', '', 'consumer.ts'],
      { cwd: project },
    ).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
    expect(await check).toBe('');
  });
});
