import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { LIMITS } from '@/lib/protocol/version';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./support/host.ts', import.meta.url));
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** Runs the host until it ends by itself; a host that is kept alive fails by the time limit. */
async function host(url: string, args: string[] = [], env: Record<string, string> = {}) {
  const { stdout, stderr } = await run(
    process.execPath,
    ['--import', 'tsx', program, url, ...args],
    { timeout: 60_000, env: { ...process.env, ...env } },
  );
  return { ...(JSON.parse(stdout) as Record<string, unknown>), stderr };
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('[R-05] [R-06] a host whose work is done ends by itself', () => {
  it('when there is no console', { timeout: 90_000 }, async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const result = await host(`http://127.0.0.1:${port}`);
    expect(result).toMatchObject({ answer: 'answer', enabled: true, connected: false });
    expect(result.stderr.split('\n').filter(Boolean).length).toBeLessThanOrEqual(1);
    expect(await host(`http://127.0.0.1:${port}`, ['close'])).toMatchObject({ answer: 'answer' });
  });

  it('when the console hangs', { timeout: 90_000 }, async () => {
    const server = createServer();
    undo.push(() => server.close());
    const port = await listening(server);
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      undo.push(() => socket.destroy());
    });
    for (const modes of [[], ['close']]) {
      const result = await host(`http://127.0.0.1:${port}`, modes);
      expect(result).toMatchObject({ answer: 'answer', stderr: '' });
    }
  });

  it('while it is connected', { timeout: 90_000 }, async () => {
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    undo.push(() => sockets.close());
    await once(sockets, 'listening');
    sockets.on('connection', (socket) => {
      undo.push(() => socket.terminate());
      const clock = { at: 0, mono: 0 };
      const seqs = { ackedSeq: 0, samplesSeq: 0 };
      const rest = { serverEpoch: 's', heartbeatMs: 20_000, limits: LIMITS };
      socket.send(JSON.stringify({ type: 'welcome', clock, ...seqs, ...rest }));
    });
    const { port } = sockets.address() as AddressInfo;
    const result = await host(`ws://127.0.0.1:${port}`, ['connected']);
    expect(result).toMatchObject({ answer: 'answer', connected: true, stderr: '' });
    // This console never acknowledges anything, so the goodbye takes all the time it is given.
    const closed = await host(`ws://127.0.0.1:${port}`, ['connected', 'close']);
    expect(closed).toMatchObject({ answer: 'answer', connected: true, stderr: '' });
  });

  it('[S-09] with the kill switch, which sends nothing', { timeout: 90_000 }, async () => {
    const result = await host('', [], { RECLOSER_DISABLED: '1' });
    expect(result).toMatchObject({ answer: 'answer', enabled: false, stderr: '' });
  });
});
