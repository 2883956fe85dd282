/** Bumped when an older peer could misread a frame; history in `docs/protocol.md`. */
export const PROTOCOL_VERSION = 1;

/** WebSocket subprotocol of `/ws/agent`. */
export const AGENT_SUBPROTOCOL = 'recloser.agent.v1';

export const AGENT_PATH = '/ws/agent';
export const LIVE_PATH = '/ws/live';

/** Limits of one agent connection; the server repeats them in `welcome`. */
export const LIMITS = {
  maxFrameBytes: 64 * 1024,
  maxEvents: 500,
  maxSamples: 500,
  maxJsonDepth: 8,
  /** Frames an agent may have unacknowledged. */
  window: 8,
} as const;

/** Close codes of both sockets. 4xxx below 4100 mean: do not reconnect as you are. */
export const CloseCode = {
  /** Normal end. */
  Normal: 1000,
  /** The server stops; come back after a jittered wait. */
  Restarting: 1012,
  Internal: 1011,
  InvalidUtf8: 1007,
  PolicyViolation: 1008,
  TooBig: 1009,
  /** The token was revoked or does not cover this service; the session has ended; the ticket is not good. */
  Unauthorized: 4001,
  ProtocolMismatch: 4002,
  /** Another connection with the same instance and epoch took over. */
  Replaced: 4003,
  /** No `hello` or `open` came in time. */
  HelloTimeout: 4100,
  /** The reader is too slow; reconnect and take a snapshot. */
  SlowReader: 4101,
  /** The peer was silent past two heartbeats. */
  Silent: 4102,
  /** What this person may do has changed: come back with a new ticket. */
  AccessChanged: 4104,
} as const;
export type CloseCode = (typeof CloseCode)[keyof typeof CloseCode];

/** False when coming back unchanged would only be refused again. */
export function mayReconnect(code: number): boolean {
  return code !== CloseCode.PolicyViolation && !(code >= 4000 && code < 4100);
}
