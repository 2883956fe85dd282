import type { RawData, WebSocket } from 'ws';
import type { Clock } from '../services/contract';
import type { SocketListeners, SocketPort } from './socket';

/** A close frame can be stuck behind data that the peer never reads. */
const CLOSE_GRACE_MS = 1_000;
const MAX_REASON_BYTES = 123;

function toBuffer(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

function clipReason(reason: string): string {
  return Buffer.byteLength(reason) <= MAX_REASON_BYTES ? reason : reason.slice(0, 40);
}

export function wsSocket(ws: WebSocket, clock: Clock): SocketPort {
  let grace: { cancel(): void } | null = null;
  return {
    get bufferedAmount() {
      return ws.bufferedAmount;
    },
    send(text) {
      if (ws.readyState === ws.OPEN) ws.send(text, { binary: false });
    },
    close(code, reason) {
      // A paused socket would never see the peer's answer.
      ws.resume();
      ws.close(code, clipReason(reason));
      grace ??= clock.after(CLOSE_GRACE_MS, () => ws.terminate());
    },
    ping() {
      if (ws.readyState === ws.OPEN) ws.ping();
    },
    pause: () => ws.pause(),
    resume: () => ws.resume(),
    listen(listeners: SocketListeners) {
      ws.on('message', (data, isBinary) => {
        const bytes = toBuffer(data);
        listeners.message(isBinary ? null : bytes.toString('utf8'), bytes.length);
      });
      ws.on('ping', () => listeners.pinged());
      ws.on('pong', () => listeners.pong());
      // `ws` answers a broken frame itself (1002, 1007, 1009); `close` follows.
      ws.on('error', () => undefined);
      ws.on('close', (code) => {
        grace?.cancel();
        listeners.closed(code);
      });
    },
  };
}
