import type { SocketListeners, SocketPort } from '@/server/gateways/socket';

/** A socket in memory. `buffer` makes it hold what is sent, like a peer that does not read. */
export class FakeSocket implements SocketPort {
  readonly sent: Record<string, unknown>[] = [];
  readonly raw: (string | Buffer)[] = [];
  closedWith: { code: number; reason: string } | null = null;
  paused = false;
  pings = 0;
  bufferedAmount = 0;
  stalled = false;
  #gone = false;
  #listeners: SocketListeners | null = null;

  send(text: string | Buffer): void {
    if (this.#gone) return;
    this.raw.push(text);
    this.sent.push(JSON.parse(text.toString()) as Record<string, unknown>);
    if (this.stalled) this.bufferedAmount += Buffer.byteLength(text.toString());
  }

  /** As the network would when the peer answers the close. */
  close(code: number, reason: string): void {
    if (this.#gone) return;
    this.#gone = true;
    this.closedWith = { code, reason };
    this.#listeners?.closed(code);
  }

  ping(): void {
    this.pings += 1;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  listen(listeners: SocketListeners): void {
    this.#listeners = listeners;
  }

  receive(frame: unknown): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    this.#listeners?.message(text, Buffer.byteLength(text));
  }

  receiveBinary(): void {
    this.#listeners?.message(null, 3);
  }

  receivePing(): void {
    this.#listeners?.pinged();
  }

  receivePong(): void {
    this.#listeners?.pong();
  }

  /** The peer goes. */
  leave(code = 1006): void {
    this.#gone = true;
    this.#listeners?.closed(code);
  }

  of(type: string): Record<string, unknown>[] {
    return this.sent.filter((frame) => frame['type'] === type);
  }

  get types(): unknown[] {
    return this.sent.map((frame) => frame['type']);
  }
}

/** Lets everything that waits on settled promises run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A promise and the hand that settles it. */
export function gate(): { promise: Promise<void>; release: () => void } {
  const resolvers: (() => void)[] = [];
  const promise = new Promise<void>((resolve) => void resolvers.push(resolve));
  return { promise, release: () => resolvers[0]?.() };
}
