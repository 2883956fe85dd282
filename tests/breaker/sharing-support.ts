import { BreakerSharing, CircuitBreaker, MemorySharedStore } from '@/lib/breaker';
import type {
  BreakerEvent,
  BreakerOptions,
  Permit,
  SharedStore,
  SharingOptions,
} from '@/lib/breaker';
import { FakeClock } from '@/tests/support/fake-clock';

export const ramp: BreakerOptions = {
  trip: [{ kind: 'consecutive', failures: 3 }],
  open: { kind: 'exponential', baseMs: 10_000, maxMs: 60_000, jitter: 0 },
  recovery: {
    admission: { kind: 'ramp', steps: [0.1, 0.5, 1] },
    stepMs: 2_000,
    minimumSuccesses: 3,
    failureBudget: 'strict',
    maxInFlight: 100,
    latency: null,
    guardMs: 0,
  },
};

/** The way of one instance to the store: it can be slow, dead or silent. */
class Line implements SharedStore {
  delayMs = 0;
  state: 'up' | 'down' | 'silent' = 'up';
  operations = 0;
  readonly announced: Parameters<SharedStore['announce']>[] = [];
  readonly written: Parameters<SharedStore['compareAndSet']>[] = [];
  readonly #store: SharedStore;
  readonly #clock: FakeClock;

  constructor(store: SharedStore, clock: FakeClock) {
    this.#store = store;
    this.#clock = clock;
  }

  read = (key: string) => this.#through(() => this.#store.read(key));

  compareAndSet = (...given: Parameters<SharedStore['compareAndSet']>) => {
    this.written.push(given);
    return this.#through(() => this.#store.compareAndSet(...given));
  };

  announce = (...given: Parameters<SharedStore['announce']>) => {
    this.announced.push(given);
    return this.#through(() => this.#store.announce(...given));
  };

  get writes(): number {
    return this.written.length;
  }

  withdraw = (...given: Parameters<SharedStore['withdraw']>) =>
    this.#through(() => this.#store.withdraw(...given));

  /** Half of the delay on the way there, half on the way back. */
  async #through<T>(operation: () => Promise<T>): Promise<T> {
    this.operations++;
    await this.#wait();
    const answer = await operation();
    await this.#wait();
    return answer;
  }

  async #wait(): Promise<void> {
    if (this.state === 'down') throw new Error('connection refused');
    if (this.state === 'silent') await new Promise(() => undefined);
    if (this.delayMs > 0) {
      await new Promise<void>((resolve) => this.#clock.after(this.delayMs / 2, resolve));
    }
  }
}

/** Timers of a process that can be stopped, as by a long pause of its host. */
class Host {
  paused = false;
  #missed: (() => void)[] = [];
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  after(ms: number, run: () => void): { cancel(): void } {
    let cancelled = false;
    const ring = () => {
      if (cancelled) return;
      if (this.paused) this.#missed.push(ring);
      else run();
    };
    const timer = this.#clock.after(ms, ring);
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }

  resume(): void {
    this.paused = false;
    for (const run of this.#missed.splice(0)) run();
  }
}

export type Instance = {
  readonly name: string;
  readonly breaker: CircuitBreaker;
  readonly sharing: BreakerSharing;
  readonly line: Line;
  readonly host: Host;
  readonly events: BreakerEvent[];
  readonly problems: unknown[];
  trip(): void;
  acq(): Permit | null;
};

/** Several instances of one service on one fake clock, with one store between them. */
export function cluster(
  size: number,
  given: Partial<SharingOptions> = {},
  options: BreakerOptions = ramp,
) {
  const clock = new FakeClock(1_000);
  const store = new MemorySharedStore({ clock: clock.now });
  const instances: Instance[] = [];
  const start = (setUp: (line: Line) => void = () => undefined): Instance => {
    const name = `i${instances.length}`;
    const line = new Line(store, clock);
    setUp(line);
    const host = new Host(clock);
    const problems: unknown[] = [];
    const breaker = new CircuitBreaker('inventory', {
      ...options,
      clock: clock.now,
      wallClock: clock.now,
      random: () => 0.5,
      timer: host,
    });
    const events: BreakerEvent[] = [];
    breaker.on((event) => events.push(event));
    const sharing = new BreakerSharing(breaker, {
      store: line,
      instance: name,
      trips: 'adopt',
      localSpreadMs: 0,
      clock: clock.now,
      random: () => 0.5,
      timer: host,
      onProblem: (problem) => problems.push(problem),
      ...given,
    });
    const acq = (): Permit | null => {
      const permit = breaker.tryAcquire();
      return permit.granted ? permit : null;
    };
    const trip = (): void => {
      for (let i = 0; i < 3; i++) acq()?.failure('server_error', 1);
    };
    const instance = { name, breaker, sharing, line, host, events, problems, trip, acq };
    instances.push(instance);
    return instance;
  };
  for (let i = 0; i < size; i++) start();
  /** In small steps, so that answers of the store arrive where they are due. */
  const adv = async (ms: number, each: () => void = () => undefined): Promise<void> => {
    await turns();
    for (let left = ms; left > 0; left -= 50) {
      clock.advance(Math.min(50, left));
      await turns();
      each();
      await turns();
    }
    for (const { breaker } of instances) breaker.tick();
    await turns();
  };
  return {
    clock,
    store,
    instances,
    start,
    adv,
    states: () => instances.map(({ breaker }) => breaker.state),
    /** One call at each instance, answered at once. Returns who was let in. */
    calls: (answer: (who: Instance) => 'good' | 'bad' = () => 'good'): readonly string[] =>
      instances.flatMap((who) => {
        const permit = who.acq();
        if (permit === null) return [];
        if (answer(who) === 'good') permit.success(1);
        else permit.failure('server_error', 1);
        return [who.name];
      }),
    record: async () => store.read('inventory:adopt'),
  };
}

/** Lets every promise that can go on do so. */
async function turns(): Promise<void> {
  for (let i = 0; i < 60; i++) await Promise.resolve();
}

export function only<T>(list: readonly T[], at = 0): T {
  const found = list[at];
  if (found === undefined) throw new Error(`there is no number ${at}`);
  return found;
}
