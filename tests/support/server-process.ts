import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { seedPeople, signIn } from './sign-in';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  probe.close();
  await once(probe, 'close');
  return address.port;
}

export type ServerProcess = {
  readonly port: number;
  readonly url: string;
  readonly output: () => string;
  /** Resolves when it has ended by itself, with the signal that ended it. */
  readonly died: Promise<NodeJS.Signals | null>;
  /** As a power cut would: nothing is flushed. */
  kill9(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
};

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

async function answersReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

/** Polls, because another process gives no other sign; ends when the process does. */
async function untilReady(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const giveUpAt = Date.now() + 90_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`server ended: ${output()}`);
    if (Date.now() > giveUpAt) {
      child.kill('SIGKILL');
      throw new Error(`server not ready: ${output()}`);
    }
    if (await answersReady(url)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

type ServerOptions = {
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What node is to run instead of the built server. */
  readonly program?: readonly string[];
};

/** As `npm start` does. */
const BUILT = ['--disable-proto=delete', 'dist/server/main.mjs'];

/**
 * The built server in its own process, without pages, on a data folder that outlives it. `root` of
 * `sign-in` is its admin.
 */
export async function startServerProcess(
  dataDir: string,
  options: ServerOptions = {},
): Promise<ServerProcess> {
  await seedPeople(dataDir);
  const port = options.port ?? (await freePort());
  const child = spawn(process.execPath, [...(options.program ?? BUILT)], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      RECLOSER_DATA_DIR: dataDir,
      RECLOSER_PAGES: 'off',
      // Tests are quicker than people.
      RECLOSER_OVERRIDES_PER_MINUTE: '10000',
      RECLOSER_OVERRIDES_PER_MINUTE_IN_ALL: '10000',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const output = () => text.slice(-4000);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(child, url, output);
  return {
    port,
    url,
    output,
    died: once(child, 'exit').then(() => child.signalCode),
    async kill9() {
      child.kill('SIGKILL');
      await ended(child);
    },
    async stop() {
      child.kill('SIGTERM');
      return ended(child);
    },
  };
}

export async function createToken(
  url: string,
  body: Record<string, unknown> = {},
): Promise<string> {
  const session = await signIn(url);
  const response = await fetch(`${url}/api/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session.headers },
    body: JSON.stringify({ name: 'test', servicePattern: '*', environment: 'test', ...body }),
  });
  const created: unknown = await response.json();
  if (!response.ok) throw new Error(`no token: ${JSON.stringify(created)}`);
  return (created as { token: string }).token;
}

/** Asks again until it holds; for facts that another process reaches in its own time. */
export async function eventually<T>(
  what: string,
  read: () => Promise<T | null | undefined | false>,
  withinMs = 15_000,
): Promise<T> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > giveUpAt) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
