/**
 * What a gateway needs of a socket. `ws-socket.ts` puts it over `ws`; tests have one in memory, and
 * both pass the same suite.
 */
export interface SocketPort {
  /** Bytes accepted by `send` that the network has not taken yet. */
  readonly bufferedAmount: number;
  /** A text frame; bytes must be UTF-8. Dropped without a word once the socket is closing. */
  send(text: string | Buffer): void;
  /** Asks for a clean close and cuts the link if none comes within a second. */
  close(code: number, reason: string): void;
  /** A WebSocket ping; the answer comes to `pong`. */
  ping(): void;
  pause(): void;
  resume(): void;
  /** Called once. */
  listen(listeners: SocketListeners): void;
}

export type SocketListeners = {
  /** `raw` is null for a binary frame, which no socket of ours takes. */
  message(raw: string | null, bytes: number): void;
  /** A ping of the peer; `ws` has answered it. */
  pinged(): void;
  pong(): void;
  closed(code: number): void;
};
