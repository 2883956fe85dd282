import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { AGENT_SUBPROTOCOL } from '@/lib/protocol/version';

export type RawFrame = { readonly type: string; readonly [key: string]: unknown };

/** A hand-driven agent: every frame it sends and hears is the test's own. */
export class RawAgent {
  readonly epoch: string;
  readonly heard: RawFrame[] = [];
  closeCode: number | null = null;
  #socket: WebSocket | null = null;
  #waiting: { match: (frame: RawFrame) => boolean; resolve: (frame: RawFrame) => void }[] = [];

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly who: { service: string; instance: string; environment?: string },
    epoch?: string,
  ) {
    this.epoch = epoch ?? randomBytes(16).toString('hex');
  }

  /** Resolves with the server's `welcome`. */
  async connect(nextSeq = 1, firstSeq = 1, hello?: RawFrame): Promise<RawFrame> {
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}/ws/agent`, AGENT_SUBPROTOCOL, {
      headers: { authorization: `Bearer ${this.token}` },
    });
    this.#socket = socket;
    this.closeCode = null;
    socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString()) as RawFrame));
    socket.on('close', (code) => (this.closeCode = code));
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    socket.on('error', () => undefined);
    const welcome = this.next('welcome');
    this.send(hello ?? this.hello(nextSeq, firstSeq));
    return welcome;
  }

  hello(nextSeq: number, firstSeq: number): RawFrame {
    return {
      type: 'hello',
      protocol: 1,
      sdk: { name: 'raw', version: '0' },
      service: this.who.service,
      environment: this.who.environment ?? 'test',
      instance: this.who.instance,
      epoch: this.epoch,
      startedAt: Date.now(),
      accepts: { kinds: ['force_open', 'force_closed', 'reset'], maxLeaseMs: 3_600_000 },
      firstSeq,
      nextSeq,
      clock: { at: Date.now(), mono: performance.now() },
    };
  }

  send(frame: RawFrame | string): void {
    this.#socket?.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** The next frame of this type that was not heard yet when asked. */
  next(type: string, match: (frame: RawFrame) => boolean = () => true): Promise<RawFrame> {
    return new Promise((resolve) => {
      this.#waiting.push({ match: (frame) => frame.type === type && match(frame), resolve });
    });
  }

  transition(seq: number, breaker = 'inventory'): RawFrame {
    const trips = seq % 2 === 1;
    return {
      type: 'transition',
      seq,
      at: Date.now(),
      mono: performance.now(),
      breaker,
      from: trips ? 'closed' : 'open',
      to: trips ? 'open' : 'closed',
      automatic: trips ? 'open' : 'closed',
      cause: trips ? 'trip' : 'reset',
      reason: trips ? 'ratio' : 'reset',
      breakerEpoch: seq,
    };
  }

  drop(): void {
    this.#socket?.terminate();
    this.#socket = null;
  }

  #hear(frame: RawFrame): void {
    this.heard.push(frame);
    const index = this.#waiting.findIndex(({ match }) => match(frame));
    if (index === -1) return;
    const [found] = this.#waiting.splice(index, 1);
    found?.resolve(frame);
  }
}
