import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startFake } from './fakes/server';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** The program itself. `until` is called with what it printed so far. */
function program(
  environment: Record<string, string>,
  args: string[] = [],
  until: (out: string, child: ChildProcess) => void = () => undefined,
): Promise<{ code: number | null; out: string; err: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'recloser-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts', ...args], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      RECLOSER_DATA_DIR: folder,
      RECLOSER_PAGES: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  undo.push(() => child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    until(out, child);
  });
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

/** `address:port state` of each TCP socket of a process, as the kernel has them (hexadecimal). */
function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const open = new Set(readdirSync(folder).map((name) => readlinkSync(join(folder, name))));
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/${pid}/net/${family}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => open.has(`socket:[${fields[9]}]`))
      .map(([, local, , state]) => `${local} ${state}`),
  );
}

describe('the program', { timeout: 60_000 }, () => {
  it.skipIf(process.platform !== 'linux')(
    '[S-01] a port scan of a fresh start finds one port, on loopback, and no call to anybody',
    async () => {
      let found: string[] | null = null;
      const { out } = await program({ PORT: '0' }, [], (text, child) => {
        if (found !== null || !text.includes('"ready"')) return;
        found = socketsOf(child.pid ?? 0);
        child.kill('SIGTERM');
      });
      const port = Number(/"address":"http:\/\/localhost:(\d+)"/.exec(out)?.[1]);
      const hex = port.toString(16).toUpperCase().padStart(4, '0');
      // 127.0.0.1, listening.
      expect(found).toEqual([`0100007F:${hex} 0A`]);
    },
  );

  it('prints its settings and ends', async () => {
    const { code, out } = await program({ PORT: 'nonsense' }, ['--help']);
    expect(code).toBe(0);
    expect(out).toContain('RECLOSER_DATA_DIR');
  });

  it('[S-22] runs without __proto__', async () => {
    const say = "process.on('exit',()=>process.stderr.write(String('__proto__'in{})))";
    const { err } = await program({ NODE_OPTIONS: `--import=data:text/javascript,${say}` }, ['-h']);
    // tsx starts a helper of its own, which keeps it.
    expect(err.split('true').join('')).toBe('false');
  });

  it('[S-01] ends with one line when a setting is not usable', async () => {
    const { code, out, err } = await program({ HOST: '0.0.0.0' });
    expect([code, out]).toEqual([1, '']);
    expect(err.trim().split('\n')).toEqual([
      expect.stringMatching(/^HOST is "0\.0\.0\.0", which others reach/),
    ]);
  });

  it('ends with one line when the port is taken', async () => {
    const other = await startFake();
    undo.push(() => other.close());
    const { code, err } = await program({ PORT: String(other.port) });
    expect(code).toBe(1);
    expect(err.trim()).toMatch(/^Port \d+ on 127\.0\.0\.1 is in use\. .*PORT/);
  });

  it('ends with one line when the folder cannot be used', async () => {
    const { code, err } = await program({ PORT: '0', RECLOSER_DATA_DIR: '/dev/null/nowhere' });
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toEqual([expect.stringContaining('/dev/null/nowhere')]);
  });

  it('[R-37] ends with 0 on SIGTERM; [S-42] all it printed is JSON lines', async () => {
    let isAsked = false;
    const { code, out, err } = await program({ PORT: '0' }, [], (text, child) => {
      if (isAsked || !text.includes('"ready"')) return;
      isAsked = true;
      child.kill('SIGTERM');
    });
    expect([code, err]).toEqual([0, '']);
    const messages = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages[0]).toBe('listening');
    expect(messages.slice(-2)).toEqual(['ready', 'stopping']);
  });
});
