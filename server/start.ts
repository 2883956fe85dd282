/**
 * From a configuration to a running server. It listens first, so that whoever asks hears "starting"
 * instead of a refused connection, and lets requests through once the store has been checked.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClientAddresses, type ClientAddresses } from './auth/client-address';
import { createDoorRules, type DoorRules } from './auth/doors';
import type { Identity } from './auth/identity/identity';
import type { Backend } from './backend';
import { systemClock } from './clock';
import type { Config } from './config';
import { createAgentGateway } from './gateways/agent';
import { createLiveGateway } from './gateways/live';
import { createFront } from './http/front';
import { BASE_HEADERS, HSTS } from './http/headers';
import { createHttpServer, listen, ListenError, type TlsFiles } from './http/listen';
import { createReadiness, type Readiness } from './http/readiness';
import type { PageHost, PageOptions } from './pages';
import type { Clock, Logger } from './services/contract';
import { stopInOrder, type Running } from './stop';
import { createUpgradeListener } from './upgrade';

export type StartOptions = {
  readonly log: Logger;
  readonly clock?: Clock;
  readonly openBackend?: (config: Config, clock: Clock, log: Logger) => Promise<Backend>;
  /** Left out: no pages. */
  readonly startPages?: (options: PageOptions) => PageHost;
  /** Called once it listens, long before it is ready. */
  readonly listening?: (port: number) => void;
  /** Called when nobody has set the console up: the token that opens `/setup`, for 15 minutes. */
  readonly setupToken?: (made: { readonly token: string; readonly expiresAt: number }) => void;
};

export type RunningServer = {
  readonly port: number;
  /** False when something did not stop in time. */
  close(): Promise<boolean>;
};

/** The store and its libraries are half of what there is to load: after it listens, not before. */
const loadBackend: NonNullable<StartOptions['openBackend']> = async (...args) => {
  const { openBackend } = await import('./backend');
  return openBackend(...args);
};

/** Resolves when it is ready; throws `ListenError` or `StoreError` after undoing what was done. */
export async function startServer(config: Config, options: StartOptions): Promise<RunningServer> {
  const { log, clock = systemClock, openBackend = loadBackend } = options;
  const box: { running: Running | null } = { running: null };
  const readiness = createReadiness(clock, {
    write: async () => box.running?.backend.checkWritable(),
    sink: async () => (await box.running?.backend.services.sinkHealth()) ?? null,
  });
  const door: { handle: ReturnType<typeof createFront> | null } = { handle: null };
  const server = createHttpServer(
    (request, response) => door.handle?.(request, response),
    readTls(config),
  );
  const port = await listen(server, config.host, config.port);
  options.listening?.(port);
  const place = placeOf(config, port);
  const rules = createDoorRules(port, [...config.allowedHosts, ...place.hosts], {
    tls: config.tls !== null,
  });
  const addresses = createClientAddresses(config.trustedProxies, sayIgnored(clock, log));
  const pages = options.startPages?.(pageOptions(config, port, log)) ?? null;
  const parts = { config, rules, addresses, log, clock, readiness, pages, box };
  door.handle = createFront(frontDeps(parts));
  server.on('upgrade', upgradeListener(parts));

  const close = () => stopInOrder({ server, readiness, running: box.running, pages, clock, log });
  try {
    const backend = await openBackend(config, clock, log);
    const identity = backend.openIdentity(place);
    box.running = { backend, identity, ...gateways(backend, identity, clock, log) };
    const { agents } = box.running;
    backend.simulator?.attach((socket, token) => agents.accept(socket, token));
    await settle(backend, readiness, log);
    await offerSetup(backend, readiness, options);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { port, close };
}

const SAY_EVERY_MS = 60_000;

/** [S-15] In the log at most once a minute: whoever sends such headers chooses how often. */
function sayIgnored(clock: Clock, log: Logger): (count: number) => void {
  let saidAt = -Infinity;
  return (count) => {
    if (clock.mono() - saidAt < SAY_EVERY_MS) return;
    saidAt = clock.mono();
    log.info({ count }, 'ignored headers that only a trusted proxy may send');
  };
}

/** Where browsers reach it, and under which names besides those of loopback. */
function placeOf({ publicUrl, tls, trustedProxies }: Config, port: number) {
  const secure = tls !== null || trustedProxies.length > 0;
  const url = publicUrl ?? `http://localhost:${port}`;
  return { publicUrl: url, secure, hosts: publicUrl === null ? [] : [new URL(url).host] };
}

function readTls({ tls, agentCa }: Config): TlsFiles | null {
  if (tls === null) return null;
  const crlFile = agentCa?.crlFile ?? null;
  return {
    cert: readPem('RECLOSER_TLS_CERT', tls.certFile),
    key: readPem('RECLOSER_TLS_KEY', tls.keyFile),
    ...(agentCa === null ? {} : { ca: readPem('RECLOSER_AGENT_CA', agentCa.caFile) }),
    ...(crlFile === null ? {} : { crl: readPem('RECLOSER_AGENT_CRL', crlFile) }),
  };
}

function readPem(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new ListenError(`${name} ${file} cannot be read.`, { cause });
  }
}

/** [S-02] The one-time token, once, when nobody has set the console up yet. */
async function offerSetup(
  { services }: Backend,
  readiness: Readiness,
  { setupToken }: StartOptions,
): Promise<void> {
  if (readiness.phase !== 'running') return;
  const made = await services.entry.renewSetupToken();
  if (made !== null) setupToken?.(made);
}

type Parts = {
  readonly config: Config;
  readonly rules: DoorRules;
  readonly addresses: ClientAddresses;
  readonly log: Logger;
  readonly clock: Clock;
  readonly readiness: Readiness;
  readonly pages: PageHost | null;
  readonly box: { readonly running: Running | null };
};

const isOpen = ({ readiness }: Parts): boolean =>
  readiness.phase === 'running' || readiness.phase === 'damaged';

function pageOptions(config: Config, port: number, log: Logger): PageOptions {
  return {
    dir: config.rootDir,
    hostname: config.host,
    port,
    isDevelopment: config.mode === 'development',
    failed: (thrown) => log.error({ err: thrown }, 'pages did not start; run the build'),
  };
}

function frontDeps(parts: Parts): Parameters<typeof createFront>[0] {
  const { config, rules, addresses, log, clock, readiness, pages, box } = parts;
  const { secure: isSecure } = placeOf(config, 0);
  return {
    rules,
    addresses,
    isSecure,
    baseHeaders: isSecure ? { ...BASE_HEADERS, ...HSTS } : BASE_HEADERS,
    log,
    readiness,
    running: () => {
      if (!isOpen(parts) || box.running === null) return null;
      const { backend, identity } = box.running;
      return { services: backend.services, identity };
    },
    now: () => clock.wall(),
    newId: randomUUID,
    newNonce: () => randomBytes(16).toString('base64'),
    pages: pages === null ? null : (request, response) => pages.handle(request, response),
    isDevelopment: config.mode === 'development',
  };
}

function upgradeListener(parts: Parts): ReturnType<typeof createUpgradeListener> {
  const { config, rules, addresses, log, clock, readiness, pages, box } = parts;
  return createUpgradeListener({
    rules,
    addresses,
    log,
    clock,
    random: Math.random,
    certificates: config.agentCa === null ? null : { hasCrl: config.agentCa.crlFile !== null },
    sockets: () => {
      if (box.running === null || !isOpen(parts)) return null;
      const { backend, agents, live, identity } = box.running;
      return {
        takesAgents: readiness.phase === 'running',
        authenticate: (token) => backend.services.tokens.authenticate(token),
        signedIn: (cookie) => identity.signedIn(cookie),
        agents,
        live,
      };
    },
    hotReload: config.mode === 'development' ? (pages?.upgrades ?? null) : null,
  });
}

function gateways(backend: Backend, identity: Identity, clock: Clock, log: Logger) {
  const { services, bus, commandSigner } = backend;
  const newId = randomUUID;
  return {
    agents: createAgentGateway({
      agents: services.agents,
      serverEpoch: services.feed.serverEpoch,
      bus,
      clock,
      log,
      random: Math.random,
      newId,
      ...(commandSigner === undefined ? {} : { commandSigner }),
    }),
    live: createLiveGateway({
      feed: services.feed,
      clock,
      log,
      bus,
      newId,
      redeemTicket: (ticket, sessionId) => identity.redeemTicket(ticket, sessionId),
      refresh: (sessionId) => identity.refresh(sessionId),
    }),
  };
}

/** Reads the whole file; a damaged one is shown but not written to. */
async function settle(backend: Backend, readiness: Readiness, log: Logger): Promise<void> {
  const problem = await backend.checkIntegrity();
  if (problem === null) {
    readiness.enter('running');
    return;
  }
  log.error({ problem }, 'the database is damaged; serving it read only');
  readiness.enter('damaged');
}
