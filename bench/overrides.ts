/**
 * The handle, measured: from the request to the answer of the instance on a live socket, and how long
 * the whole wanted set takes to a thousand instances of one service.
 *
 *   npm run build && node --import tsx bench/overrides.ts [--clicks 300] [--agents 200] [--wide 1000]
 *
 * The server is the built one in a process of its own; all agents are bare sockets in this one, which
 * answer at once.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import type { LiveFrame } from '@/lib/protocol/live-frames';
import type { Desired } from '@/lib/protocol/server-frames';
import type { OverrideView } from '@/lib/protocol/views';
import { AGENT_SUBPROTOCOL } from '@/lib/protocol/version';
import { createToken, eventually, startServerProcess } from '@/tests/support/server-process';
import { signIn } from '@/tests/support/sign-in';

const { values } = parseArgs({
  options: {
    clicks: { type: 'string', default: '300' },
    agents: { type: 'string', default: '200' },
    wide: { type: 'string', default: '1000' },
  },
});
const CLICKS = Number(values.clicks);
const AGENTS = Number(values.agents);
const WIDE = Number(values.wide);
const PER_SERVICE = 10;

type Heard = Partial<Omit<Desired, 'type'>> & { readonly type: string; readonly id?: number };

/** One instance with one breaker: answers every set with "applied" as soon as it comes. */
class BareAgent {
  /** When the last set with something in it came. */
  toldAt = 0;
  #socket: WebSocket | null = null;
  readonly #who: { readonly service: string; readonly instance: string };

  constructor(service: string, instance: string) {
    this.#who = { service, instance };
  }

  async connect(url: string, token: string): Promise<void> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/agent`, AGENT_SUBPROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
    });
    this.#socket = socket;
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const welcomed = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString()), resolve));
    });
    this.#send({
      type: 'hello',
      protocol: 1,
      sdk: { name: 'bench', version: '0' },
      ...this.#who,
      environment: 'test',
      epoch: randomBytes(16).toString('hex'),
      startedAt: Date.now(),
      accepts: { kinds: ['force_open', 'force_closed', 'reset'], maxLeaseMs: 14_400_000 },
      firstSeq: 1,
      nextSeq: 2,
      clock: this.#clock(),
    });
    await welcomed;
    this.#send({
      type: 'events',
      events: [
        {
          type: 'registered',
          seq: 1,
          ...this.#clock(),
          breaker: 'stock',
          target: 'stock-db',
          config: {},
          configHash: 'a'.repeat(64),
        },
      ],
    });
  }

  close(): void {
    this.#socket?.terminate();
  }

  #hear(frame: Heard, welcomed: () => void): void {
    if (frame.type === 'welcome') welcomed();
    if (frame.type === 'ping') this.#send({ type: 'pong', id: frame.id, clock: this.#clock() });
    if (frame.type !== 'desired' || frame.overrides === undefined) return;
    if (frame.overrides.length === 0) return;
    this.toldAt = performance.now();
    const results = frame.overrides.map(({ id, breaker }) => ({
      overrideId: id,
      breaker,
      outcome: 'applied',
    }));
    this.#send({ type: 'applied', revision: frame.revision, results });
  }

  #clock() {
    return { at: Date.now(), mono: performance.now() };
  }

  #send(frame: object): void {
    this.#socket?.send(JSON.stringify(frame));
  }
}

/** Resolves when the live socket has shown it as applied at so many instances. */
class Watch {
  readonly #socket: WebSocket;
  #wanted: { id: () => string; count: number; done: () => void } | null = null;
  readonly #applied = new Map<string, number>();

  constructor(
    url: string,
    cookie: string,
    private readonly ticket: () => Promise<string>,
  ) {
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/ws/live`, {
      headers: { origin: url, cookie },
    });
    this.#socket.on('message', (data: Buffer) => this.#hear(JSON.parse(data.toString())));
  }

  async open(): Promise<void> {
    await new Promise((resolve) => this.#socket.once('open', resolve));
    const ticket = await this.ticket();
    this.#socket.send(JSON.stringify({ type: 'open', ticket, topics: ['fleet'] }));
  }

  until(id: () => string, count: number): Promise<void> {
    return new Promise((done) => {
      this.#wanted = { id, count, done };
      this.check();
    });
  }

  check(): void {
    const wanted = this.#wanted;
    if (wanted === null || (this.#applied.get(wanted.id()) ?? 0) < wanted.count) return;
    this.#wanted = null;
    wanted.done();
  }

  close(): void {
    this.#socket.terminate();
  }

  #hear(frame: LiveFrame): void {
    const overrides = 'overrides' in frame ? (frame.overrides ?? []) : [];
    for (const { id, targets } of overrides) {
      const applied = targets.filter(({ delivery }) => delivery === 'applied').length;
      this.#applied.set(id, applied);
    }
    if (overrides.length > 0) this.check();
  }
}

function quantiles(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (q: number) => (sorted[Math.floor(q * (sorted.length - 1))] ?? 0).toFixed(0);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`;
}

type Fleet = {
  readonly breakers: {
    readonly id: string;
    readonly service: string;
    readonly serviceId: string;
    readonly generation: number;
    readonly instances: { readonly total: number };
  }[];
};

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recloser-bench-'));
  const server = await startServerProcess(dataDir);
  const { url } = server;
  const token = await createToken(url);
  const session = await signIn(url);
  const fleet = async () => {
    const response = await fetch(`${url}/api/fleet`, { headers: session.headers });
    return (await response.json()) as Fleet;
  };
  const post = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...session.headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const ticket = async () => (await post<{ ticket: string }>('/api/live-ticket', {})).ticket;
  const reason = 'measuring how long it takes';

  async function connect(agents: readonly BareAgent[]): Promise<void> {
    for (let at = 0; at < agents.length; at += 50) {
      await Promise.all(agents.slice(at, at + 50).map((agent) => agent.connect(url, token)));
    }
  }

  async function clicks(): Promise<void> {
    const agents = Array.from(
      { length: AGENTS },
      (_, at) => new BareAgent(`service-${Math.floor(at / PER_SERVICE)}`, `i-${at}`),
    );
    await connect(agents);
    await eventually('all breakers', async () => {
      const { breakers } = await fleet();
      const told = breakers.reduce((sum, { instances }) => sum + instances.total, 0);
      return told === AGENTS;
    });
    const watch = new Watch(url, session.cookie, ticket);
    await watch.open();
    const { breakers } = await fleet();
    const generations = new Map(breakers.map(({ id, generation }) => [id, generation]));
    const times: number[] = [];
    for (let click = 0; click < CLICKS; click++) {
      const breaker = breakers[click % breakers.length];
      if (breaker === undefined) throw new Error('no breaker');
      const expectedGeneration = generations.get(breaker.id) ?? 0;
      generations.set(breaker.id, expectedGeneration + 1);
      let id = '';
      const from = performance.now();
      const done = watch.until(() => id, breaker.instances.total);
      const { override } = await post<{ override: OverrideView }>('/api/overrides', {
        breakerId: breaker.id,
        kind: 'force_open',
        reason,
        expectedGeneration,
        idempotencyKey: randomUUID(),
      });
      id = override.id;
      watch.check();
      await done;
      times.push(performance.now() - from);
      await post(`/api/overrides/${id}/release`, {});
    }
    console.log(
      `click to applied on all ${PER_SERVICE} instances of a breaker, ${AGENTS} agents connected: ${quantiles(times)}`,
    );
    watch.close();
    for (const agent of agents) agent.close();
  }

  async function wide(): Promise<void> {
    const agents = Array.from({ length: WIDE }, (_, at) => new BareAgent('wide', `w-${at}`));
    await connect(agents);
    const breaker = await eventually('the wide service', async () => {
      const { breakers } = await fleet();
      return breakers.find((one) => one.service === 'wide' && one.instances.total === WIDE);
    });
    const watch = new Watch(url, session.cookie, ticket);
    await watch.open();
    let id = '';
    const from = performance.now();
    const done = watch.until(() => id, WIDE);
    const { command } = await post<{ command: { overrides: OverrideView[] } }>('/api/commands', {
      scope: { kind: 'service', serviceId: breaker.serviceId },
      kind: 'force_open',
      reason,
      expectedGenerations: { [breaker.id]: breaker.generation },
      idempotencyKey: randomUUID(),
    });
    const answered = performance.now() - from;
    id = command.overrides[0]?.id ?? '';
    watch.check();
    await done;
    const shown = performance.now() - from;
    const last = Math.max(...agents.map(({ toldAt }) => toldAt)) - from;
    console.log(
      `whole set to ${WIDE} instances of one service: request answered after ${answered.toFixed(0)} ms, ` +
        `last instance told after ${last.toFixed(0)} ms, all shown as applied after ${shown.toFixed(0)} ms`,
    );
    watch.close();
    for (const agent of agents) agent.close();
  }

  try {
    await clicks();
    await wide();
    console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await main();
