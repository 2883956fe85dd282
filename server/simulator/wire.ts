import type { Dial, Wire } from '@/lib/agent/ports';
import type { SocketListeners, SocketPort } from '../gateways/socket';

/** No close frame was seen, as when a process is killed. */
const ABNORMAL = 1006;

/** What goes one way: in order, never within the call that sent it, held back while paused. */
class Lane {
  readonly #waiting: (() => void)[] = [];
  #isPaused = false;

  put(deliver: () => void): void {
    this.#waiting.push(deliver);
    setImmediate(() => this.#next());
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (let left = this.#waiting.length; left > 0; left--) setImmediate(() => this.#next());
  }

  #next(): void {
    if (!this.#isPaused) this.#waiting.shift()?.();
  }
}

/**
 * A connection without a network: an agent of this process at the same gateway as all others, with
 * the same frames. `accept` gets the server's end.
 */
export function memoryDial(accept: (socket: SocketPort) => void): Dial {
  return (events) => {
    const toServer = new Lane();
    const toAgent = new Lane();
    let listeners: SocketListeners | null = null;
    let isOpen = true;
    const end = (code: number, reason: string): void => {
      if (!isOpen) return;
      isOpen = false;
      toServer.resume();
      toServer.put(() => listeners?.closed(code));
      toAgent.put(() => events.ended({ code, reason }));
    };
    const socket: SocketPort = {
      bufferedAmount: 0,
      send: (text) => {
        const raw = text.toString();
        if (!isOpen) return;
        toAgent.put(() => {
          events.activity();
          events.text(raw);
        });
      },
      close: end,
      ping: () => {
        toAgent.put(() => events.activity());
        toServer.put(() => listeners?.pong());
      },
      pause: () => toServer.pause(),
      resume: () => toServer.resume(),
      listen: (heard) => {
        listeners = heard;
      },
    };
    const wire: Wire = {
      send: (text) => {
        if (isOpen) toServer.put(() => listeners?.message(text, Buffer.byteLength(text)));
      },
      close: end,
      terminate: () => end(ABNORMAL, 'cut'),
      bufferedBytes: () => 0,
      hold: () => undefined,
    };
    toAgent.put(() => {
      if (!isOpen) return;
      accept(socket);
      events.opened();
    });
    return wire;
  };
}
