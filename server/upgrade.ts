/**
 * The only listener for upgrades. It takes the two sockets of ours, hands hot reload on while
 * developing, and ends everything else. Next is given a server that never listens, because on a real
 * one it would end sockets that are not its own.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { AGENT_SUBPROTOCOL, LIMITS } from '@/lib/protocol/version';
import { certificateOf, certifiedToken } from './auth/agent-certificate';
import { bearerToken } from './auth/bearer';
import type { ClientAddresses } from './auth/client-address';
import type { DoorRules } from './auth/doors';
import { soleHost } from './auth/sole-host';
import { createWaitingRoom } from './auth/waiting-room';
import { judgeUpgrade } from './auth/upgrade-rules';
import type { SignedIn, User } from './auth/identity/sessions';
import type { SocketPort } from './gateways/socket';
import { createTokenBucket } from './gateways/token-bucket';
import { wsSocket } from './gateways/ws-socket';
import { refuseUpgrade } from './http/raw-answer';
import type { Clock, Logger } from './services/contract';
import type { TokenRecord } from './store/port';

const HANDSHAKES = { perSecond: 500, burst: 500 } as const;
const MAX_LIVE_FRAME_BYTES = 16 * 1024;
const MAX_AGENTS = 10_000;
const MAX_BROWSERS = 500;
const MAX_WAITING_PER_ADDRESS = 20;
const LOOKUP_TIMEOUT_MS = 10_000;

type Gateway = { readonly connections: number };
export type UpgradeDeps = {
  readonly rules: DoorRules;
  readonly addresses: Pick<ClientAddresses, 'mayConnect' | 'of'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly random: () => number;
  /** [S-37] Null when agents need no client certificate. */
  readonly certificates: { readonly hasCrl: boolean } | null;
  /** Null while the server starts or stops. */
  readonly sockets: () => {
    /** Not with a damaged file: agents keep what they have. */
    readonly takesAgents: boolean;
    readonly authenticate: (token: string) => Promise<TokenRecord | null>;
    readonly agents: Gateway & { accept(socket: SocketPort, token: TokenRecord): void };
    readonly live: Gateway & { accept(socket: SocketPort, user: User, settled: () => void): void };
    /** Null without a session that is still good. */
    readonly signedIn: (cookie: string | undefined) => Promise<SignedIn | null>;
  } | null;
  /** In development only: the server that never listens, with Next's listener on it. */
  readonly hotReload: Server | null;
};

type Upgrade = {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
};

function socketServer(maxPayload: number, protocol: string | false): WebSocketServer {
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    // Without this the first protocol that a page offers would be taken.
    handleProtocols: () => protocol,
  });
}

function finish(server: WebSocketServer, upgrade: Upgrade, then: (ws: WebSocket) => void): void {
  server.handleUpgrade(upgrade.request, upgrade.socket, upgrade.head, then);
}

/** Jittered, so that those who were turned away do not come back together. */
function refuseBusy({ random }: UpgradeDeps, socket: Duplex, why: string): void {
  refuseUpgrade(socket, 503, why, { 'retry-after': String(1 + Math.floor(random() * 5)) });
}

function verdictOf(
  { rules, hotReload }: UpgradeDeps,
  { url, headers, rawHeaders }: IncomingMessage,
) {
  return judgeUpgrade({ target: url, headers: { ...headers, host: soleHost(rawHeaders) } }, rules, {
    hotReload: hotReload !== null,
  });
}

/** What the token opens together with the certificate; null when the socket has been refused. */
function certify(
  { certificates, clock, log }: UpgradeDeps,
  socket: Duplex,
  token: TokenRecord | null,
): TokenRecord | null {
  if (token === null) {
    refuseUpgrade(socket, 401, 'unknown token');
    return null;
  }
  if (certificates === null) return token;
  const rules = { ...certificates, now: clock.wall() };
  const certified = certifiedToken(token, certificateOf(socket), rules);
  if ('token' in certified) return certified.token;
  const { problem } = certified;
  log.info({ tokenId: token.id, problem }, 'agent refused');
  refuseUpgrade(socket, 403, problem);
  return null;
}

export function createUpgradeListener(deps: UpgradeDeps) {
  const { clock, log } = deps;
  const agentServer = socketServer(LIMITS.maxFrameBytes, AGENT_SUBPROTOCOL);
  const liveServer = socketServer(MAX_LIVE_FRAME_BYTES, false);
  const handshakes = createTokenBucket(clock, HANDSHAKES);
  const waitingRoom = createWaitingRoom(MAX_WAITING_PER_ADDRESS);

  const busy = (socket: Duplex, why: string) => refuseBusy(deps, socket, why);

  async function admitAgent(upgrade: Upgrade): Promise<void> {
    const { request, socket } = upgrade;
    const sockets = deps.sockets();
    if (!sockets?.takesAgents) return busy(socket, 'not ready');
    if (sockets.agents.connections >= MAX_AGENTS) return busy(socket, 'too many agents');
    const bearer = bearerToken(request.headers.authorization);
    if (bearer === null) return refuseUpgrade(socket, 401, 'unknown token');
    const deadline = clock.after(LOOKUP_TIMEOUT_MS, () => socket.destroy());
    const record = await sockets.authenticate(bearer).finally(() => deadline.cancel());
    if (socket.destroyed) return undefined;
    const token = certify(deps, socket, record);
    if (token === null) return;
    finish(agentServer, upgrade, (ws) => sockets.agents.accept(wsSocket(ws, clock), token));
  }

  async function admitLive(upgrade: Upgrade): Promise<void> {
    const { request, socket } = upgrade;
    const sockets = deps.sockets();
    if (sockets === null) return busy(socket, 'not ready');
    if (sockets.live.connections >= MAX_BROWSERS) return busy(socket, 'too many browsers');
    const signedIn = await sockets.signedIn(request.headers.cookie);
    if (socket.destroyed) return undefined;
    if (signedIn === null) return refuseUpgrade(socket, 401, 'sign in first');
    const settled = waitingRoom.enter(deps.addresses.of(request));
    if (settled === null) return busy(socket, 'too many sockets of this address that say nothing');
    // Until the gateway knows of it, and when the handshake itself goes wrong.
    socket.once('close', settled);
    const { user } = signedIn;
    return finish(liveServer, upgrade, (ws) =>
      sockets.live.accept(wsSocket(ws, clock), user, settled),
    );
  }

  return function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // First of all: an error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    if (!deps.addresses.mayConnect(request)) {
      refuseUpgrade(socket, 403, 'plain HTTP is for the proxy only');
      return;
    }
    const verdict = verdictOf(deps, request);
    if (verdict.kind === 'refuse') {
      log.debug({ status: verdict.status, reason: verdict.reason }, 'upgrade refused');
      refuseUpgrade(socket, verdict.status, verdict.reason);
    } else if (verdict.kind === 'hot-reload') {
      deps.hotReload?.emit('upgrade', request, socket, head);
    } else if (!handshakes.take()) {
      busy(socket, 'too many handshakes');
    } else {
      const admit = verdict.kind === 'live' ? admitLive : admitAgent;
      admit({ request, socket, head }).catch((thrown: unknown) => {
        log.error({ err: thrown, socket: verdict.kind }, 'handshake failed');
        refuseUpgrade(socket, 503, 'try again', { 'retry-after': '5' });
      });
    }
  };
}
