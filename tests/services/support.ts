import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Hello } from '@/lib/protocol/agent-frames';
import type { AgentEvent, NumberedEvent } from '@/lib/protocol/events';
import type { ReportedState } from '@/lib/protocol/breaker-state';
import type { Sample } from '@/lib/protocol/samples';
import { LatencyHistogram } from '@/lib/stats';
import { createInProcessBus } from '@/server/bus/in-process';
import type { Bus, Publication } from '@/server/bus/port';
import type { Passwords } from '@/server/services/people/contract';
import { createServices } from '@/server/services';
import type { AuditParts } from '@/server/services/audit/parts';
import type { ServiceDeps } from '@/server/services/deps';
import type { StepUps } from '@/server/services/step-ups';
import type { AgentSession, Clock, Services } from '@/server/services/contract';
import type { Store, TokenRecord } from '@/server/store/port';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { createPasswords } from '@/server/auth/passwords';
import { FakeClock } from '@/tests/support/fake-clock';
import { MIGRATIONS } from '@/tests/store/support';

export const T0 = 1_800_000_000_000;

/** Wall and monotonic clock over one fake one; the wall clock can be stepped alone. */
export class ServerClock implements Clock {
  readonly fake = new FakeClock(1_000_000);
  wallStep = 0;
  wall = (): number => T0 + this.fake.now() - 1_000_000 + this.wallStep;
  mono = (): number => this.fake.now();
  after = (ms: number, run: () => void) => this.fake.after(ms, run);
}

/** Lets everything that waits for promises only go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

export type World = {
  readonly clock: ServerClock;
  readonly services: Services;
  readonly store: Store;
  readonly published: Publication[];
  readonly bus: Bus;
  readonly logged: string[];
  /** In steps, so that recurring tasks get their turns. */
  pass(ms: number): Promise<void>;
};

export type WorldOptions = {
  /** Null: those of the people in the store. */
  readonly stepUps?: StepUps | null;
  readonly passwords?: Passwords;
  readonly store?: Store;
  readonly clock?: ServerClock;
  readonly wrap?: (store: Store) => Store;
  readonly audit?: AuditParts;
  readonly sinkRequired?: boolean;
  readonly sendNotice?: ServiceDeps['sendNotice'];
  readonly simulated?: NonNullable<ServiceDeps['simulated']>;
  /** Without a limit when left out: tests are quicker than people. */
  readonly overrideLimits?: ServiceDeps['overrideLimits'];
};

export function openMemoryStore(): Store {
  const store = openSqliteStore({ file: ':memory:', migrationsFolder: MIGRATIONS });
  onTestFinished(() => store.close());
  return store;
}

/** The store with one method replaced. */
export function replacing<K extends keyof Store>(store: Store, name: K, method: Store[K]): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === name) return method;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Quick to check, for tests that are not about how long that takes. */
export const cheapPasswords = createPasswords({ logN: 4, r: 8, p: 1 });

let randomSeed = 0;
/** Different at each call, the same in each run. */
export function fakeRandom(bytes: number): Uint8Array {
  randomSeed++;
  const digest = createHash('sha512').update(String(randomSeed)).digest();
  return Uint8Array.from({ length: bytes }, (_, at) => digest[at % digest.length] ?? 0);
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A step-up that stands for every command; `for <digest>` stands for one. */
export const PROVED = 'proved';

const fakeStepUps: StepUps = {
  consume: async (_caller, digest, id) => id === PROVED || id === `for ${digest}`,
  factorsOf: async () => ['totp'],
};

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const clock = options.clock ?? new ServerClock();
  const store = options.store ?? openMemoryStore();
  const bus = createInProcessBus((thrown) => {
    throw thrown;
  });
  const published: Publication[] = [];
  bus.subscribe((publication) => published.push(publication));
  const logged: string[] = [];
  const services = createServices({
    store: options.wrap?.(store) ?? store,
    bus,
    clock,
    log: {
      debug: () => undefined,
      info: () => undefined,
      error: (fields, message) => logged.push(`${message}: ${String(fields['err'])}`),
    },
    random: fakeRandom,
    hash: sha256,
    ...(options.stepUps === null ? {} : { stepUps: options.stepUps ?? fakeStepUps }),
    ...(options.audit === undefined ? {} : { audit: options.audit }),
    passwords: options.passwords ?? cheapPasswords,
    ...(options.sendNotice === undefined ? {} : { sendNotice: options.sendNotice }),
    ...(options.sinkRequired === undefined ? {} : { sinkRequired: options.sinkRequired }),
    ...(options.simulated === undefined ? {} : { simulated: options.simulated }),
    overrideLimits: options.overrideLimits ?? { perPerson: Infinity, inAll: Infinity },
  });
  await services.start();
  onTestFinished(async () => {
    const stopping = services.stop();
    clock.fake.advance(100);
    await stopping;
  });
  async function pass(ms: number): Promise<void> {
    await settle();
    for (let left = ms; left > 0; left -= 500) {
      clock.fake.advance(Math.min(500, left));
      await settle();
    }
  }
  return { clock, services, store, published, bus, logged, pass };
}

export function tokenRecord(over: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id: 'tok_test',
    name: 'test token',
    servicePattern: 'check*',
    environment: 'prod',
    abilities: ['publish', 'obey'],
    hint: 'rcl_a_test',
    createdAt: T0 - 1_000,
    expiresAt: T0 + 90 * 86_400_000,
    lastUsedAt: null,
    revokedAt: null,
    ...over,
  };
}

export const HASH_A = 'a'.repeat(64);
export const HASH_B = 'b'.repeat(64);

export type AgentOptions = {
  readonly service?: string;
  readonly environment?: string;
  readonly instance?: string;
  readonly owner?: string;
  readonly epoch?: string;
  readonly token?: TokenRecord;
  /** The agent's wall clock minus the server's. */
  readonly skewMs?: number;
  readonly startedAt?: number;
  readonly kinds?: Hello['accepts']['kinds'];
  readonly maxLeaseMs?: number;
};

type Numbered = NumberedEvent extends infer E
  ? E extends NumberedEvent
    ? Omit<E, 'seq' | 'at' | 'mono'>
    : never
  : never;

/** One agent process that tells the truth, with a clock of its own. */
export class TestAgent {
  readonly world: World;
  readonly options: AgentOptions;
  readonly epoch: string;
  session!: AgentSession;
  replaced = false;
  seq = 1;
  samplesSeq = 1;
  readonly #startMono: number;

  constructor(world: World, options: AgentOptions = {}) {
    this.world = world;
    this.options = options;
    this.#startMono = world.clock.mono();
    this.epoch =
      options.epoch ?? sha256(`${options.instance ?? 'one'} ${this.#startMono}`).slice(0, 32);
  }

  get wall(): number {
    return this.world.clock.wall() + (this.options.skewMs ?? 0);
  }

  get mono(): number {
    return this.world.clock.mono() - this.#startMono + 5_000;
  }

  hello(): Hello {
    const { service = 'checkout', environment = 'prod', instance = 'one', owner } = this.options;
    return {
      type: 'hello',
      protocol: 1,
      sdk: { name: '@recloser/agent', version: '0.1.0' },
      service,
      environment,
      instance,
      epoch: this.epoch,
      host: 'host-1',
      pid: 1,
      ...(owner === undefined ? {} : { owner }),
      startedAt: this.options.startedAt ?? this.wall - 10,
      accepts: {
        kinds: this.options.kinds ?? ['force_open', 'force_closed', 'reset'],
        maxLeaseMs: this.options.maxLeaseMs ?? 14_400_000,
      },
      firstSeq: 1,
      nextSeq: this.seq,
      clock: { at: this.wall, mono: this.mono },
    };
  }

  async connect() {
    const connected = await this.world.services.agents.connect({
      hello: this.hello(),
      token: this.options.token ?? tokenRecord(),
      receivedAt: this.world.clock.wall(),
      onReplaced: () => {
        this.replaced = true;
      },
    });
    this.session = connected.session;
    return connected;
  }

  event(data: Numbered): AgentEvent {
    return { ...data, seq: this.seq++, at: this.wall, mono: this.mono };
  }

  registered(
    breaker = 'payments',
    over: { config?: object; configHash?: string } = {},
  ): AgentEvent {
    return this.event({
      type: 'registered',
      breaker,
      target: `${breaker}-api`,
      config: (over.config ?? { trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 10 }] }) as never,
      configHash: over.configHash ?? HASH_A,
    });
  }

  transition(
    from: ReportedState['state'],
    to: ReportedState['state'],
    breakerEpoch: number,
    over: Record<string, unknown> = {},
  ): AgentEvent {
    const automatic = to === 'open' || to === 'half_open' || to === 'closed' ? to : 'closed';
    return this.event({
      type: 'transition',
      breaker: 'payments',
      from,
      to,
      automatic,
      cause: 'trip',
      reason: 'ratio',
      breakerEpoch,
      ...over,
    });
  }

  /** Sends and drives the clock until the answer is there. */
  async send(...events: AgentEvent[]) {
    const { clock, services } = this.world;
    const answer = services.agents.events(this.session, events, clock.wall());
    return this.answered(answer);
  }

  async sendSamples(...samples: Sample[]) {
    const { clock, services } = this.world;
    return this.answered(services.agents.samples(this.session, samples, 0, clock.wall()));
  }

  async sendState(states: ReportedState[], digestOnly = false) {
    const { clock, services } = this.world;
    const { canonicalStates } = await import('@/lib/protocol/digest');
    const digest = sha256(canonicalStates(states));
    const frame = digestOnly
      ? { type: 'state' as const, digest }
      : { type: 'state' as const, digest, breakers: states };
    return this.answered(services.agents.state(this.session, frame, clock.wall()));
  }

  async answered<T>(answer: Promise<T>): Promise<T> {
    let done = false;
    const finished = answer.finally(() => {
      done = true;
    });
    finished.catch(() => undefined);
    for (let turn = 0; turn < 20; turn++) {
      await settle();
      if (done) break;
      this.world.clock.fake.advance(20);
    }
    return finished;
  }

  heard(): void {
    this.world.services.agents.heard(this.session, this.world.clock.wall());
  }

  sample(over: Partial<Sample> = {}, latenciesMs: readonly number[] = []): Sample {
    return {
      ...sampleOf(latenciesMs),
      seq: this.samplesSeq++,
      at: this.wall,
      mono: this.mono,
      ...over,
    };
  }

  state(over: Partial<ReportedState> = {}): ReportedState {
    return {
      breaker: 'payments',
      target: 'payments-api',
      state: 'closed',
      automatic: 'closed',
      step: null,
      steps: 4,
      share: 1,
      level: 0,
      inFlight: 0,
      configHash: HASH_A,
      breakerEpoch: 0,
      ...over,
    };
  }

  get breakerId(): string {
    return idOf(this.world, 'payments');
  }
}

export function idOf(world: World, name: string): string {
  const { breakers } = world.services.feed.snapshot(new Set(['fleet']));
  const found = breakers.find((breaker) => breaker.name === name);
  if (!found) throw new Error(`no breaker ${name}`);
  return found.id;
}

export function calls(over: Partial<Sample['calls']> = {}): Sample['calls'] {
  return {
    success: 0,
    client_error: 0,
    timeout: 0,
    server_error: 0,
    overload: 0,
    refused: 0,
    rejected_local: 0,
    cancelled: 0,
    ignored: 0,
    not_permitted: 0,
    ...over,
  };
}

export function sampleOf(latenciesMs: readonly number[]): Sample {
  const histogram = new LatencyHistogram();
  for (const latency of latenciesMs) histogram.record(latency);
  const { buckets, ...rest } = histogram.toSparse();
  return {
    type: 'sample',
    seq: 1,
    at: T0,
    mono: 0,
    breaker: 'payments',
    periodMs: 1_000,
    state: 'closed',
    step: null,
    share: 1,
    calls: calls({ success: latenciesMs.length }),
    slow: 0,
    late: 0,
    expired: 0,
    inFlight: 0,
    latency: {
      ...rest,
      buckets: buckets.map(([index, count]): [number, number] => [index, count]),
    },
  };
}

export const FLEET: ReadonlySet<string> = new Set(['fleet']);
export const FLEET_AND_INSTANCES: ReadonlySet<string> = new Set(['fleet', 'instances']);

/** The breaker as the last revision shows it. */
export function breakerView(world: World, name = 'payments') {
  const found = world.services.feed.snapshot(FLEET).breakers.find((one) => one.name === name);
  if (!found) throw new Error(`no breaker ${name}`);
  return found;
}
