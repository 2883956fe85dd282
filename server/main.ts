/** The composition root: the process, its signals and its last word. */
import './no-proto';
import { AuditKeyError } from './audit/key-file';
import { SecretError } from './auth/secret';
import { ConfigError, helpText, parseConfig, type Config } from './config';
import { captureConsole } from './console-log';
import { createLog } from './log';
import { ListenError } from './http/listen';
import { startPages } from './pages';
import type { Logger } from './services/contract';
import { startServer, type RunningServer } from './start';
import { StoreError } from './store/sqlite/errors';

const FAILED = 1;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function giveUp(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(FAILED);
}

function readConfig(): Config {
  try {
    return parseConfig(process.env, process.cwd());
  } catch (thrown) {
    if (thrown instanceof ConfigError) return giveUp(thrown.message);
    throw thrown;
  }
}

/** Passkeys and an identity provider need a name, which loopback has. */
function nameOf(host: string): string {
  if (host === '127.0.0.1') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function addressOf({ host, tls, publicUrl }: Config, port: number): string {
  const name = nameOf(host);
  return publicUrl ?? `${tls === null ? 'http' : 'https'}://${name}:${port}`;
}

function announce(config: Config, log: Logger, port: number): void {
  const address = addressOf(config, port);
  if (process.stdout.isTTY) say(`Recloser is at ${address}`);
  else log.info({ address }, 'listening');
}

/** [S-02] Printed once. It opens nothing after a quarter of an hour or once it was used. */
function offer(config: Config, log: Logger, token: string, port: number): void {
  const address = `${addressOf(config, port)}/setup`;
  if (!process.stdout.isTTY) return log.info({ address, setupToken: token }, 'set the console up');
  say(`Nobody can sign in yet. Open ${address} within 15 minutes and enter this token:`);
  return say(`  ${token}`);
}

async function run(config: Config, log: Logger): Promise<void> {
  let running: RunningServer | null = null;
  let stopping = false;
  const box = { port: config.port };

  /** A second signal means: at once. */
  async function stop(why: string, exitCode: number): Promise<void> {
    if (stopping) process.exit(FAILED);
    stopping = true;
    log.info({ why }, 'stopping');
    const clean = running === null ? exitCode === 0 : await running.close();
    process.exit(clean ? exitCode : FAILED);
  }

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void stop(signal, 0));
  }
  // A forgotten promise belongs to one request; whatever else is thrown may have left a mess.
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'uncaught exception');
    void stop('uncaught exception', FAILED);
  });

  running = await startServer(config, {
    log,
    ...(config.pages === 'on' ? { startPages } : {}),
    listening: (port) => {
      box.port = port;
      announce(config, log, port);
    },
    setupToken: ({ token }) => offer(config, log, token, box.port),
  });
  log.info({ mode: config.mode, pages: config.pages }, 'ready');
}

/** Its message is fit to be the last line. */
function isForPeople(thrown: unknown): thrown is Error {
  return [ListenError, StoreError, AuditKeyError, SecretError].some(
    (kind) => thrown instanceof kind,
  );
}

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  say(helpText());
} else {
  const config = readConfig();
  const log = createLog(config.logLevel);
  // While developing, a person reads what Next prints.
  if (config.mode === 'production') captureConsole(log);
  run(config, log).catch((thrown: unknown) => {
    if (isForPeople(thrown)) giveUp(thrown.message);
    log.error({ err: thrown }, 'start failed');
    giveUp('Recloser could not start; the line above says why.');
  });
}
