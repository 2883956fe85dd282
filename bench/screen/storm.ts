/**
 * A fleet that an outage shakes, as bare agent sockets: `services` × 4 instances × 10 breakers, of
 * which some flap. One instance of a flapping breaker goes through open, half-open and closed; the
 * worst state wins, so the row follows it. Each transition is stamped when it is sent.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { AGENT_SUBPROTOCOL, LIMITS } from '@/lib/protocol/version';

export const ENVIRONMENT = 'production';
const INSTANCES = 4;
const BREAKERS = 10;
const TICK_MS = 20;

export type Stamp = { readonly breaker: string; readonly state: string; readonly at: number };

type State = 'closed' | 'open' | 'half_open';
const NEXT: Record<State, State> = { closed: 'open', open: 'half_open', half_open: 'closed' };

const CAUSE = { open: 'trip', half_open: 'retry_due', closed: 'advance' } as const;

class Circuit {
  state: State = 'closed';
  epoch = 0;
  constructor(readonly name: string) {}
}

class StormAgent {
  readonly circuits: readonly Circuit[];
  #socket: WebSocket | null = null;
  #seq = 1;
  #unacknowledged = 0;

  constructor(
    readonly service: string,
    readonly instance: string,
  ) {
    this.circuits = Array.from({ length: BREAKERS }, (_, at) => new Circuit(`call-${at}`));
  }

  get isFree(): boolean {
    return this.#unacknowledged < LIMITS.window;
  }

  async connect(url: string, token: string): Promise<void> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/agent`, AGENT_SUBPROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
    });
    this.#socket = socket;
    await once(socket, 'open');
    const welcomed = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString()), resolve));
    });
    socket.on('close', (code, reason) => {
      if (code !== 1006 && code !== 1012)
        console.error(`an agent was closed with ${code}: ${reason.toString()}`);
    });
    this.#send({
      type: 'hello',
      protocol: 1,
      sdk: { name: 'bench', version: '0' },
      service: this.service,
      instance: this.instance,
      environment: ENVIRONMENT,
      epoch: randomBytes(16).toString('hex'),
      startedAt: Date.now(),
      accepts: { kinds: ['force_open', 'force_closed', 'reset'], maxLeaseMs: 14_400_000 },
      firstSeq: 1,
      nextSeq: BREAKERS + 1,
      clock: clock(),
    });
    await welcomed;
    this.#sendEvents(
      this.circuits.map(({ name }, at) => ({
        type: 'registered',
        breaker: name,
        target: `${name}-of-${this.service.slice(-1)}`,
        config: { trip: [{ kind: 'ratio', rate: 0.5 }] },
        configHash: 'a'.repeat(64),
        seq: at + 1,
      })),
    );
  }

  /** The transition as it was sent, with the moment. */
  flip(at: number): Stamp {
    const circuit = this.circuits[at % BREAKERS];
    if (circuit === undefined) throw new Error('no circuit');
    const from = circuit.state;
    circuit.state = NEXT[from];
    circuit.epoch += 1;
    const stamp = {
      breaker: `${this.service}/${circuit.name}`,
      state: circuit.state,
      at: Date.now(),
    };
    this.#sendEvents([
      {
        type: 'transition',
        breaker: circuit.name,
        from,
        to: circuit.state,
        automatic: circuit.state,
        cause: CAUSE[circuit.state],
        reason: 'storm',
        breakerEpoch: circuit.epoch,
        ...(circuit.state === 'open' ? { openTimeoutMs: 30_000, retryInMs: 30_000, level: 0 } : {}),
        ...(circuit.state === 'half_open' ? { step: 0, share: 0.1 } : {}),
      },
    ]);
    return stamp;
  }

  close(): void {
    this.#socket?.terminate();
  }

  #sendEvents(events: readonly object[]): void {
    this.#unacknowledged += 1;
    this.#send({
      type: 'events',
      events: events.map((event) => ({ ...event, ...clock(), seq: this.#seq++ })),
    });
  }

  #hear(frame: { readonly type: string; readonly id?: number }, welcomed: () => void): void {
    if (frame.type === 'welcome') welcomed();
    if (frame.type === 'ack') this.#unacknowledged = Math.max(0, this.#unacknowledged - 1);
    if (frame.type === 'ping') this.#send({ type: 'pong', id: frame.id, clock: clock() });
  }

  #send(frame: object): void {
    this.#socket?.send(JSON.stringify(frame));
  }
}

const clock = () => ({ at: Date.now(), mono: performance.now() });

export type StormSize = {
  readonly breakers: number;
  readonly flapping: number;
  readonly eventsPerSecond: number;
};

export class Storm {
  readonly #agents: readonly StormAgent[];
  readonly #flapping: readonly StormAgent[];
  readonly #perTick: number;
  #stamps: Stamp[] = [];
  #next = 0;
  #debt = 0;
  #skipped = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor({ breakers, flapping, eventsPerSecond }: StormSize) {
    const services = Math.ceil(breakers / BREAKERS);
    this.#agents = Array.from({ length: services * INSTANCES }, (_, at) => {
      const service = `service-${String(Math.floor(at / INSTANCES)).padStart(3, '0')}`;
      return new StormAgent(service, `i-${at % INSTANCES}`);
    });
    const shaken = Math.ceil(flapping / BREAKERS);
    this.#flapping = this.#agents.filter((_, at) => at % INSTANCES === 0).slice(0, shaken);
    this.#perTick = (eventsPerSecond * TICK_MS) / 1_000;
  }

  get instances(): number {
    return this.#agents.length * BREAKERS;
  }

  async connect(url: string, token: string): Promise<void> {
    for (let at = 0; at < this.#agents.length; at += 25) {
      const some = this.#agents.slice(at, at + 25);
      // Fifty handshakes at once are enough for one server that also has to store them.
      // eslint-disable-next-line no-await-in-loop
      await Promise.all(some.map((agent) => agent.connect(url, token)));
    }
  }

  start(): void {
    let last = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#debt += ((now - last) / TICK_MS) * this.#perTick;
      last = now;
      // What a busy machine could not send in time is not made up for in one burst.
      this.#debt = Math.min(this.#debt, this.#perTick * 5);
      for (; this.#debt >= 1; this.#debt -= 1) this.#flip();
    }, TICK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Sent since the last call, and how many had to wait because their agent's window was full. */
  take(): { stamps: Stamp[]; skipped: number } {
    const taken = { stamps: this.#stamps, skipped: this.#skipped };
    this.#stamps = [];
    this.#skipped = 0;
    return taken;
  }

  close(): void {
    this.stop();
    for (const agent of this.#agents) agent.close();
  }

  /** Round and round, so that every flapping breaker changes equally often. */
  #flip(): void {
    const { length } = this.#flapping;
    const agent = this.#flapping[this.#next % length];
    const circuit = Math.floor(this.#next / length);
    this.#next += 1;
    if (agent === undefined) return;
    if (agent.isFree) this.#stamps.push(agent.flip(circuit));
    else this.#skipped += 1;
  }
}
