import { parseAgentFrame } from '@/lib/protocol/parse';
import type { AgentFrame } from '@/lib/protocol/agent-frames';
import type { ServerFrame } from '@/lib/protocol/server-frames';
import { LIMITS } from '@/lib/protocol/version';
import type { Dial, Wire, WireEnd, WireEvents } from '@/lib/agent/ports';

/** One connection seen from the server's end. Every frame the agent sends must parse. */
export class FakeWire implements Wire {
  readonly sent: AgentFrame[] = [];
  closedWith: { code: number; reason: string } | null = null;
  terminated = false;
  held = false;
  buffered = 0;
  readonly #events: WireEvents;

  constructor(events: WireEvents) {
    this.#events = events;
  }

  send(text: string): void {
    if (Buffer.byteLength(text) > LIMITS.maxFrameBytes) throw new Error('frame too large');
    const parsed = parseAgentFrame(text);
    if (!parsed.ok) throw new Error(`the agent sent a bad frame: ${parsed.problem}: ${text}`);
    this.sent.push(parsed.value);
  }

  close(code: number, reason: string): void {
    this.closedWith = { code, reason };
    this.end({ code, reason });
  }

  terminate(): void {
    this.terminated = true;
    this.end({ code: 1006 });
  }

  bufferedBytes(): number {
    return this.buffered;
  }

  hold(keepAlive: boolean): void {
    this.held = keepAlive;
  }

  open(): void {
    this.#events.opened();
  }

  receive(frame: ServerFrame): void {
    this.receiveText(JSON.stringify(frame));
  }

  receiveText(raw: string): void {
    this.#events.activity();
    this.#events.text(raw);
  }

  receiveBinary(): void {
    this.#events.activity();
    this.#events.binary();
  }

  end(end: WireEnd = {}): void {
    this.#events.ended(end);
  }

  of<T extends AgentFrame['type']>(type: T): Extract<AgentFrame, { type: T }>[] {
    return this.sent.filter(
      (frame): frame is Extract<AgentFrame, { type: T }> => frame.type === type,
    );
  }

  /** Seqs of all events sent here, gaps as `from..to`. */
  eventSeqs(): (number | string)[] {
    return this.of('events').flatMap((frame) =>
      frame.events.map((event) =>
        event.type === 'gap' ? `${event.fromSeq}..${event.toSeq}` : event.seq,
      ),
    );
  }
}

export class FakeServer {
  readonly wires: FakeWire[] = [];
  dialThrows = false;
  readonly dial: Dial = (events) => {
    if (this.dialThrows) throw new Error('no more sockets');
    const wire = new FakeWire(events);
    this.wires.push(wire);
    return wire;
  };

  get wire(): FakeWire {
    const wire = this.wires.at(-1);
    if (wire === undefined) throw new Error('nobody dialled');
    return wire;
  }

  /** Accepts the newest connection. */
  welcome(over: Partial<Extract<ServerFrame, { type: 'welcome' }>> = {}): FakeWire {
    const { wire } = this;
    wire.open();
    wire.receive({
      type: 'welcome',
      serverEpoch: 'server-1',
      clock: { at: 1, mono: 1 },
      ackedSeq: 0,
      samplesSeq: 0,
      heartbeatMs: 20_000,
      limits: {
        maxFrameBytes: LIMITS.maxFrameBytes,
        maxEvents: LIMITS.maxEvents,
        maxSamples: LIMITS.maxSamples,
        window: LIMITS.window,
      },
      ...over,
    });
    return wire;
  }
}
