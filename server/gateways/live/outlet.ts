/**
 * What one browser still has to be sent. A reader that keeps up gets every patch as it is; one that
 * lags gets them joined, so that what waits for it does not grow with time; one that does not read
 * at all is let go, because a snapshot is cheaper than what it missed.
 */
import { mergePatches } from '@/lib/live';
import type { LivePatch } from '@/lib/protocol/live-frames';
import type { Clock } from '../../services/contract';
import type { SocketPort } from '../socket';
import { COALESCE_BYTES, LAG_CHECK_MS, TOO_SLOW_BYTES, TOO_SLOW_MS } from './limits';

export type Outlet = {
  /** Null when nothing waits, else the last revision that was sent. */
  readonly lastSent: number | null;
  /** `bytes` is the patch as a frame, made once for all readers of the same topics. */
  deliver(patch: LivePatch, bytes: Buffer): void;
  /** Not subject to joining: snapshots, answers, heartbeats. */
  send(text: string): void;
  stop(): void;
};

export function createOutlet(socket: SocketPort, clock: Clock, on: { tooSlow(): void }): Outlet {
  let waiting: LivePatch | null = null;
  /** Of the frames that were joined: what the reader is behind, more than what the join weighs. */
  let waitingBytes = 0;
  let slowSince: number | null = null;
  let timer: { cancel(): void } | null = null;
  let stopped = false;

  function check(): void {
    timer = null;
    if (stopped) return;
    if (waiting !== null && socket.bufferedAmount <= COALESCE_BYTES) {
      socket.send(JSON.stringify(waiting));
      waiting = null;
      waitingBytes = 0;
    }
    const behind = socket.bufferedAmount + waitingBytes;
    slowSince = behind > TOO_SLOW_BYTES ? (slowSince ?? clock.mono()) : null;
    if (slowSince !== null && clock.mono() - slowSince >= TOO_SLOW_MS) on.tooSlow();
    else watch();
  }

  function watch(): void {
    if (stopped || timer !== null) return;
    if (waiting === null && socket.bufferedAmount <= COALESCE_BYTES) return;
    timer = clock.after(LAG_CHECK_MS, check);
  }

  return {
    get lastSent() {
      return waiting === null ? null : waiting.fromRevision - 1;
    },
    deliver(patch, bytes) {
      if (stopped) return;
      if (waiting !== null || socket.bufferedAmount > COALESCE_BYTES) {
        waiting = waiting === null ? patch : mergePatches([waiting, patch]);
        waitingBytes += bytes.length;
      } else {
        socket.send(bytes);
      }
      watch();
    },
    send(text) {
      socket.send(text);
      watch();
    },
    stop() {
      stopped = true;
      waiting = null;
      timer?.cancel();
    },
  };
}
